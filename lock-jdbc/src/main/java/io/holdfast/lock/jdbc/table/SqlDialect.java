package io.holdfast.lock.jdbc.table;

import io.holdfast.lock.LockCapabilities;
import io.holdfast.lock.LockConfigurationException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The statements of the lock algorithm in the SQL of one database. Each operation is a single statement, and reads the
 * database's clock alone.
 *
 * <p>Parameters: {@code name_hash}, {@code name}, {@code claim_id}, {@code owner_id}, {@code host}, {@code pid}, {@code
 * thread}, {@code lease} in ms; {@code advisory_id}, a number that is the same for all attempts for one name; {@code
 * counter}, a key of a row that many names share and that is no lock's; {@code tokens}, how many tokens to reserve with a grant;
 * {@code waits}, whether the claim waits for a message; {@code version}, a random number for each
 * attempt and each renewal; and the arrays {@code name_hashes}, {@code claim_ids}, {@code leases}.
 *
 * <p>Every write of what a grant or a renewal writes changes the version of its row, for clients that read first and write later
 * (JPA): an attempt sets it to the random number, a renewal does so or adds one. It is random because rows are deleted: a count
 * would start again with the next row of the name, and a client that had read the former row would overwrite the new one.
 */
public interface SqlDialect {

    /**
     * Finds the dialect of a database.
     *
     * @param product its name, as its driver tells it or as a JDBC URL names it
     * @return the dialect
     * @throws LockConfigurationException if there is none
     */
    static SqlDialect of(String product) {
        return switch (product.toLowerCase(Locale.ROOT)) {
            case "h2" -> new H2Dialect();
            case "postgresql" -> new PostgreSqlDialect();
            case "mariadb", "mysql" -> new MariaDbDialect();
            default ->
                throw new LockConfigurationException("There is no dialect for the database '" + product
                        + "'; allowed are h2, mariadb, mysql and postgresql");
        };
    }

    /**
     * Finds the dialect of the database that a connection leads to.
     *
     * @param connection in use by the caller
     * @return the dialect
     * @throws LockConfigurationException if there is none
     * @throws SQLException if the connection is closed
     */
    static SqlDialect of(Connection connection) throws SQLException {
        return of(connection.getMetaData().getDatabaseProductName());
    }

    /**
     * What the database can do.
     *
     * @return the capabilities
     */
    LockCapabilities capabilities();

    /**
     * Grants the lock if no other claim is in force. A claim that is in force keeps its token and the time of its grant; its
     * lease begins again. Reports the token, or the milliseconds that are left of the
     * holder's lease. As rows: the token, null unless granted and negative if the source of the tokens is missing; the
     * milliseconds, null if unknown; the reading of the clock from which the lease counts, in microseconds from 1970, null unless
     * granted. No row means contended, too.
     *
     * <p>With the token, those that follow it are reserved. It is drawn when no other grant of the name can come in between.
     * Drawn earlier, it could be granted after a greater one.
     *
     * @return the statement
     */
    String acquire();

    /**
     * Deletes the record of a claim. {@link Outcomes#released} reads what it reports: a row, if there was a record, with whether
     * the claim was in force and whether a message was sent to clients that wait; or the number of deleted rows, where no
     * messages are sent.
     *
     * @return the statement
     */
    String release();

    /**
     * Prolongs the claims of the arrays that are in force, except those whose rows another transaction has locked:
     * waiting for these could take longer than the leases of the others last. As rows: the id of a claim; whether
     * it was prolonged; if so, the reading of the clock from which its lease counts, in microseconds from 1970, or null if that
     * is not known. The locked ones that are in force must be among them.
     *
     * @return the statement
     */
    String renew();

    /**
     * Reads without a lock which claims of the arrays are in force, where {@link #renew} does not report it. A row for
     * each: the id; whether the renewal with this {@code version} has prolonged it; null.
     *
     * @return the statement
     */
    default Optional<String> inForce() {
        return Optional.empty();
    }

    /**
     * Reads the record if it is in force: owner, host, pid, thread, microseconds from 1970 to the grant, token.
     *
     * @return the statement
     */
    String holder();

    /**
     * Reads a number that no token exceeds which was granted so far, 0 if none was. No row means that the source of the tokens
     * is missing.
     *
     * @return the statement
     */
    String highestToken();

    /**
     * Makes every later grant have a token greater than {@code above}; never makes tokens smaller. Waits for the
     * attempts that have drawn their tokens already. If it returns rows at all, none means that the source of the tokens is
     * missing.
     *
     * @return the statement
     */
    String raiseTokens();

    /**
     * What {@link #highestToken} and {@link #raiseTokens} need, for people.
     *
     * @return the privileges, with the table or the source of the tokens to be filled in
     */
    default String tokenPrivileges() {
        return "SELECT and UPDATE on {tokens}";
    }

    /**
     * Deletes some records that ended long ago, or reads them if there is a {@link #removal}. A row for each: the hash.
     *
     * @return the statement
     */
    String sweep();

    /**
     * Deletes the records of the array that ended long ago, where one statement cannot find and delete them without
     * blocking others.
     *
     * @return the statement
     */
    default Optional<String> removal() {
        return Optional.empty();
    }

    /**
     * Reads the outcomes of {@link #acquire}, {@link #release} and {@link #renew}.
     *
     * @return what reads them
     */
    default Outcomes outcomes() {
        return new ReturnedRows();
    }

    /**
     * The resource with the statements that create the table.
     *
     * @return its name
     */
    String creation();

    /**
     * What the guards need.
     *
     * @return the statements
     */
    GuardStatements guards();

    /**
     * Whether an attempt failed because another one for the same name was granted at the same moment.
     *
     * @param failure of the attempt
     * @return whether it is contended
     */
    default boolean contended(SQLException failure) {
        return false;
    }

    /**
     * Whether a connection is useless, lost or led to a read-only server, although the failure has none of the
     * SQLSTATEs by which a pool recognises that.
     *
     * @param failure of a statement
     * @return whether it is useless
     */
    default boolean connectionLost(SQLException failure) {
        return false;
    }

    /**
     * How statements are cancelled that run for too long.
     *
     * @return for one provider
     */
    default StatementLimits limits() {
        return DriverLimits.INSTANCE;
    }

    /**
     * Whether a connection with autocommit off is in no transaction that has done anything. In such a transaction it
     * may fail with the SQLSTATE 25001.
     *
     * @param connection in use by the caller
     * @return whether it is
     * @throws SQLException if that cannot be found out
     */
    boolean isUntouched(Connection connection) throws SQLException;

    /**
     * Whether the first column of a query's first row is true.
     *
     * @param connection in use by the caller
     * @param query in SQL
     * @return the answer
     * @throws SQLException if the query fails
     */
    static boolean isTrue(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            return rows.next() && rows.getBoolean(1);
        }
    }

    /**
     * The driver settings for connections that the provider opens, unless the URL has them.
     *
     * @param connectTimeout how long opening a connection may take
     * @param networkTimeout how long the database may be silent
     * @return the settings by their names
     */
    Map<String, String> connectionProperties(Duration connectTimeout, Duration networkTimeout);
}
