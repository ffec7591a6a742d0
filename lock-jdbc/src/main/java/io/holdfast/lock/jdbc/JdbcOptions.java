package io.holdfast.lock.jdbc;

import io.holdfast.lock.LockCapabilities;
import io.holdfast.lock.LockCapabilities.WakeUp;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.jdbc.JdbcLockProvider.Database;
import io.holdfast.lock.jdbc.table.LockTable;
import io.holdfast.lock.jdbc.table.Sweeper;
import java.util.Locale;

/**
 * The settings of a provider that do not concern connections, whether from a URI or from its builder.
 *
 * @param dialect the statements of the database
 * @param table the table of locks
 * @param createTable whether to create the table if there is none
 * @param wakeUp how waiting claims learn of a release, where the database can do both
 * @param sweeper when to remove the records of holders that died
 */
record JdbcOptions(SqlDialect dialect, LockTable table, boolean createTable, WakeUp wakeUp, Sweeper sweeper) {

    LockCapabilities capabilities() {
        LockCapabilities able = dialect.capabilities();
        return wakeUp == WakeUp.POLL ? able.withWakeUp(WakeUp.POLL) : able;
    }

    /** Whether waiting claims keep a connection for messages. */
    boolean listens() {
        return capabilities().wakeUp() == WakeUp.PUSH;
    }

    /** The same settings without messages. */
    JdbcOptions polling() {
        return new JdbcOptions(dialect, table, createTable, WakeUp.POLL, sweeper);
    }

    static SqlDialect dialect(Database database) {
        return switch (database) {
            case H2 -> new H2Dialect();
            case POSTGRESQL -> new PostgreSqlDialect();
            case MARIADB, MYSQL -> new MariaDbDialect();
        };
    }

    /** Finds the database by its product name, or by the part of a JDBC URL that names it. */
    static Database database(String product) {
        return switch (product.toLowerCase(Locale.ROOT)) {
            case "h2" -> Database.H2;
            case "postgresql" -> Database.POSTGRESQL;
            case "mariadb" -> Database.MARIADB;
            case "mysql" -> Database.MYSQL;
            default ->
                throw new LockConfigurationException("There is no dialect for the database '" + product
                        + "'; allowed are h2, mariadb, mysql and postgresql");
        };
    }
}
