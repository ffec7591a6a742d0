package io.holdfast.lock.jdbc;

import io.holdfast.lock.jdbc.JdbcLockProvider.Database;
import io.holdfast.lock.jdbc.table.DatabaseFailures;
import io.holdfast.lock.jdbc.table.Pooled;
import io.holdfast.lock.jdbc.table.SqlDialect;
import io.holdfast.lock.jdbc.table.Timeouts;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import javax.sql.DataSource;

/**
 * A data source of the application, over which a provider is opened.
 *
 * @param source the data source
 * @param poolWait how long a call waits for a connection
 * @param timeout for one statement
 */
record GivenSource(DataSource source, Duration poolWait, Duration timeout) {

    private static final Logger LOG = System.getLogger("io.holdfast.lock");

    private static final DatabaseFailures FAILURES = new DatabaseFailures("JDBC at the given data source", List.of());

    /** The smallest pool of which one connection is kept: another one is left for acquires. */
    private static final int LEAST_TO_KEEP = 2;

    /** The smallest pool of which one more connection listens. */
    private static final int LEAST_TO_LISTEN = 3;

    /** Creates the provider. Asks the database which one it is, unless that is known. */
    JdbcLockProvider open(Optional<Database> known, Function<SqlDialect, JdbcOptions> optionsFor) {
        Lender lender = Lender.ofGiven(source, poolWait);
        try {
            JdbcOptions wanted =
                    optionsFor.apply(SqlDialect.of(known.map(Database::name).orElseGet(() -> product(lender))));
            int most = new Pooled(source).most().orElse(Integer.MAX_VALUE);
            warnIfTooSmall(most, wanted.listens());
            JdbcOptions options = most < LEAST_TO_LISTEN ? wanted.polling() : wanted;
            KeptConnection kept = most < LEAST_TO_KEEP ? KeptConnection.none() : KeptConnection.ofOne();
            Connections connections = new Connections(
                    lender,
                    kept,
                    options.dialect(),
                    FAILURES.withScript(options.dialect().creation()),
                    timeout);
            return new JdbcLockProvider(connections, source::getConnection, options);
        } catch (RuntimeException | Error failure) {
            lender.close();
            throw failure;
        }
    }

    private String product(Lender lender) {
        try {
            BorrowedConnection borrowed = lender.borrow();
            try {
                borrowed.bound(Timeouts.ofNetwork(timeout));
                return borrowed.connection().getMetaData().getDatabaseProductName();
            } finally {
                borrowed.giveBack();
            }
        } catch (SQLException failure) {
            throw FAILURES.of("detection of the database", failure);
        }
    }

    /** A small pool keeps its connections for the application; the locks do with fewer. */
    private static void warnIfTooSmall(int most, boolean listens) {
        int needed = listens ? LEAST_TO_LISTEN : LEAST_TO_KEEP;
        if (most >= needed) {
            return;
        }
        LOG.log(
                Level.WARNING,
                "The pool of the given data source has at most " + most + " connections, and locks need " + needed
                        + ": one to acquire, one that is kept for renewals and releases"
                        + (listens
                                ? ", one that listens while claims wait. None listens, so waiting claims poll, every 500 ms at"
                                        + " the latest"
                                : "")
                        + (most < LEAST_TO_KEEP
                                ? ". None is kept, so a lock is lost if the pool is empty until its lease ends"
                                : "")
                        + ". Enlarge the pool, or give the locks a data source of their own");
    }
}
