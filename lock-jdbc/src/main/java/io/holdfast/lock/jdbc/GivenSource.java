package io.holdfast.lock.jdbc;

import io.holdfast.lock.jdbc.JdbcLockProvider.Database;
import io.holdfast.lock.jdbc.table.DatabaseFailures;
import io.holdfast.lock.jdbc.table.Pooled;
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
 * A data source of the application, which a provider is opened over.
 *
 * @param source the data source
 * @param patience how long a call waits for a connection
 * @param timeout for one statement
 */
record GivenSource(DataSource source, Duration patience, Duration timeout) {

    private static final Logger LOG = System.getLogger("io.holdfast.lock");

    private static final DatabaseFailures FAILURES = new DatabaseFailures("JDBC at the given data source", List.of());

    /** The least pool of which one connection is kept: another one is left to acquire with. */
    private static final int TO_KEEP = 2;

    /** The least pool of which one more listens. */
    private static final int TO_LISTEN = 3;

    /** Makes the provider; asks the database what it is, unless that is known. */
    JdbcLockProvider open(Optional<Database> known, Function<Database, JdbcOptions> chosen) {
        Lender lender = Lender.ofGiven(source, patience);
        try {
            JdbcOptions wanted = chosen.apply(known.orElseGet(() -> detected(lender)));
            int most = new Pooled(source).most().orElse(Integer.MAX_VALUE);
            warnOfASmallPool(most, wanted.listens());
            JdbcOptions options = most < TO_LISTEN ? wanted.polling() : wanted;
            Reserve reserve = most < TO_KEEP ? Reserve.none() : Reserve.ofOne();
            Connections connections = new Connections(
                    lender,
                    reserve,
                    options.dialect()::isUntouched,
                    FAILURES.withScript(options.dialect().creation()),
                    timeout);
            return new JdbcLockProvider(connections, source::getConnection, options);
        } catch (RuntimeException | Error failure) {
            lender.close();
            throw failure;
        }
    }

    private Database detected(Lender lender) {
        try {
            Lent lent = lender.borrow();
            try {
                lent.bound(Timeouts.ofNetwork(timeout));
                return JdbcOptions.database(lent.connection().getMetaData().getDatabaseProductName());
            } finally {
                lent.giveBack();
            }
        } catch (SQLException failure) {
            throw FAILURES.of("detection of the database", failure);
        }
    }

    /** What a pool cannot spare would be missing where the application needs it, so it is not taken. */
    private static void warnOfASmallPool(int most, boolean listens) {
        int needed = listens ? TO_LISTEN : TO_KEEP;
        if (most >= needed) {
            return;
        }
        LOG.log(
                Level.WARNING,
                "The pool of the given data source has at most " + most + " connections, and locks need " + needed
                        + ": one to acquire, one that is kept for renewals and releases"
                        + (listens
                                ? ", one that listens while claims wait. None listens, so these ask again every 500 ms at"
                                        + " the latest"
                                : "")
                        + (most < TO_KEEP
                                ? ". None is kept, so a lock is lost if the pool is empty until its lease ends"
                                : "")
                        + ". Enlarge the pool, or give the locks a data source of their own");
    }
}
