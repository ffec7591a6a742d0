package io.holdfast.lock.jdbc;

import io.holdfast.lock.LockCapabilities;
import io.holdfast.lock.LockCapabilities.WakeUp;
import io.holdfast.lock.jdbc.table.LockTable;
import io.holdfast.lock.jdbc.table.SqlDialect;
import io.holdfast.lock.jdbc.table.Sweeper;

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
}
