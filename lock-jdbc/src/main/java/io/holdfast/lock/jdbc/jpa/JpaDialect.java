package io.holdfast.lock.jdbc.jpa;

import io.holdfast.lock.LockCapabilities;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.jdbc.JdbcLockProvider.Database;
import io.holdfast.lock.jdbc.table.LockKey;
import io.holdfast.lock.jdbc.table.LockTable;
import jakarta.persistence.EntityManager;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/** The few statements that JPA has no words for. They are the JDBC provider's in the same database, cut into steps. */
interface JpaDialect {

    /** How many claims are renewed in one transaction. */

    static JpaDialect of(Database database) {
        return of(database.name());
    }

    /** By the product's name. */
    static JpaDialect of(String product) {
        return switch (product.toLowerCase(Locale.ROOT)) {
            case "h2" -> new H2JpaDialect();
            case "postgresql" -> new PostgreSqlJpaDialect();
            default ->
                throw new LockConfigurationException("There is no JPA provider for the database '" + product
                        + "'; allowed are h2 and postgresql, and others by a jdbc: URI");
        };
    }

    LockCapabilities capabilities();

    /** The name of the shipped script that creates the table. */
    String script();

    /** The database's clock now, and not that of the transaction's beginning. */
    Instant now(EntityManager manager);

    /**
     * Draws a token. From then on until the end of the transaction nobody else is granted the lock. Does what {@link #bound} does
     * as well.
     *
     * @return the token; empty if what it comes from is not there
     */
    Optional<Long> draw(EntityManager manager, LockKey key, LockTable table, Duration patience);

    /** From then on nobody waits for a client that stops in this transaction, and what it commits stays. */
    void bound(EntityManager manager, Duration patience);

    /** Lets JDBC clients know that a lock is free, as soon as the transaction is committed. */
    void announce(EntityManager manager, LockKey key, LockTable table);

    /** Whether a connection is in a transaction that has not written anything. */
    boolean isUntouched(Connection connection) throws SQLException;

    /** Asks a connection. */
    static boolean isTrue(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            return rows.next() && rows.getBoolean(1);
        }
    }
}
