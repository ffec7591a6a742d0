package io.holdfast.lock.jdbc.table;

import io.holdfast.lock.LockStoreException;
import java.net.SocketTimeoutException;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientConnectionException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Says in one sentence what a driver's exceptions mean: which operation failed, where, and for what kind of reason.
 *
 * @param place how the database is reached and where it is, without anything secret: each sentence begins with it
 * @param secrets the parts of the URL that may have a password in them
 */
public record StoreFailures(String place, List<String> secrets) {

    /** The SQLSTATE of what neither database nor driver has said; theirs never begin like this. */
    private static final String OURS = "HOLDF";

    private static final String DEADLOCK = "the database ended it to resolve a deadlock";
    private static final String ENDED = "the database or somebody else ended the connection";
    private static final String PRIVILEGE = "a privilege is missing";
    private static final String READ_ONLY = "the database is read-only";
    private static final String TOO_LONG = "it took too long and was cancelled";
    private static final String NO_TABLE = "the table is missing: run the shipped script, or have JDBC createTable";
    private static final String POOLED =
            "a prepared statement belongs to another connection, as behind a pooler that changes"
                    + " connections: set prepareThreshold=0 in the URL, or max_prepared_statements in PgBouncer";
    /** The words of the JDK, whose SQLSTATE is that of a connection that could not be made. */
    private static final String NO_DRIVER = "No suitable driver";

    private static final String NOT_SHOWN = "; the driver's words may contain a password and are not shown";

    /** By SQLSTATE, or its first two characters. */
    private static final Map<String, String> REASONS = Map.ofEntries(
            Map.entry("08", "the connection was lost or could not be made"),
            Map.entry("90067", "the connection was lost or could not be made"),
            Map.entry("90007", ENDED),
            Map.entry("90096", PRIVILEGE),
            Map.entry("90098", "the database was closed"),
            Map.entry("90121", "the database was closed"),
            Map.entry("28", "the log-in was refused"),
            Map.entry("40001", "the database could not serialize it with what ran at the same time"),
            Map.entry("40P01", DEADLOCK),
            Map.entry(
                    "42P01", "the table or its sequence is missing: run the shipped script, or have JDBC createTable"),
            Map.entry("42S02", NO_TABLE),
            Map.entry("42S03", NO_TABLE),
            Map.entry("42S04", NO_TABLE),
            Map.entry("42501", PRIVILEGE),
            Map.entry("25006", READ_ONLY),
            Map.entry("26000", POOLED),
            Map.entry("42P05", POOLED),
            Map.entry("25P03", "its transaction did nothing for too long, and the database ended the connection"),
            Map.entry("53300", "the database has no connection left"),
            Map.entry("53", "the database lacks resources"),
            Map.entry("55P03", "a row was locked for too long"),
            Map.entry("HYT00", "a row was locked for too long, or it took too long"),
            Map.entry("57014", TOO_LONG),
            Map.entry("57P01", ENDED),
            Map.entry("57P02", "the database crashed"),
            Map.entry("57P03", "the database is starting or stopping"));

    /** The database's own words alone for a table or a privilege that is missing. */
    private static final Set<String> REFUSALS = Set.of("42P01", "42S02", "42S03", "42S04", "42501");

    /** By the error number of MariaDB and MySQL, where their SQLSTATE says next to nothing. */
    private static final Map<Integer, String> REASONS_BY_NUMBER = Map.ofEntries(
            Map.entry(1044, PRIVILEGE),
            Map.entry(1142, PRIVILEGE),
            Map.entry(1143, PRIVILEGE),
            Map.entry(1205, "a row was locked for too long"),
            Map.entry(1213, DEADLOCK),
            Map.entry(1290, READ_ONLY),
            Map.entry(1792, READ_ONLY),
            Map.entry(1836, READ_ONLY),
            Map.entry(1053, ENDED),
            Map.entry(1317, "it was cancelled"),
            Map.entry(1927, ENDED),
            Map.entry(1969, TOO_LONG),
            Map.entry(3024, TOO_LONG));

    /**
     * A failure that was found here, and told neither by the database nor by the driver.
     *
     * @param reason why something failed, without secrets
     * @return the exception, to be told as it is
     */
    public static SQLException inOurWords(String reason) {
        return new SQLException(reason, OURS);
    }

    /**
     * What failed, and why.
     *
     * @param what the operation
     * @param failure what the driver said
     * @return the exception to throw
     */
    public LockStoreException of(String what, SQLException failure) {
        if (OURS.equals(failure.getSQLState())) {
            return because(what, String.valueOf(failure.getMessage()));
        }
        return tellsSecrets(failure)
                ? because(what, reason(failure, each -> codes(each) + NOT_SHOWN))
                : because(what, reason(failure, each -> codes(each) + ": " + words(each)), failure);
    }

    /**
     * What failed, and why. The failure is left out, and the reason with it, where a driver repeats the URL in it, password and
     * all.
     *
     * @param what the operation
     * @param reason why
     * @param failure what was thrown
     * @return the exception to throw
     */
    public LockStoreException because(String what, String reason, Throwable failure) {
        return tellsSecrets(failure)
                ? because(what, failure.getClass().getName() + NOT_SHOWN)
                : new LockStoreException(message(what, reason), failure);
    }

    private String message(String what, String reason) {
        return place + ": " + what + " failed: " + reason;
    }

    /**
     * What failed, for a reason that no driver has words for.
     *
     * @param what the operation
     * @param reason why
     * @return the exception to throw
     */
    public LockStoreException because(String what, String reason) {
        return new LockStoreException(message(what, reason));
    }

    /**
     * Why.
     *
     * @param told what is shown of the driver's exception itself
     */
    private static String reason(SQLException failure, Function<SQLException, String> told) {
        Optional<SQLException> nested = nested(failure);
        if (failure instanceof SQLTransientConnectionException) {
            // A pool that waited in vain; with a cause if it could not open a connection either.
            return nested.isPresent()
                    ? reason(nested.get(), told)
                    : "the pool has no free connection, and got no answer if it tried to open one ("
                            + told.apply(failure) + ")";
        }
        if (timedOut(failure)) {
            return "the database did not answer in time (" + told.apply(failure) + ")";
        }
        return known(failure) + " (" + told.apply(failure) + ")";
    }

    private static String known(SQLException failure) {
        if (String.valueOf(failure.getMessage()).startsWith(NO_DRIVER)) {
            return "there is no driver for its URL: add the artifact of the database's driver, and check the URL";
        }
        String byNumber = REASONS_BY_NUMBER.get(failure.getErrorCode());
        if (byNumber != null) {
            return byNumber;
        }
        String state = String.valueOf(failure.getSQLState());
        String unknown = failure instanceof SQLTimeoutException ? TOO_LONG : "the database refused it";
        return REASONS.getOrDefault(
                state, REASONS.getOrDefault(state.substring(0, Math.min(2, state.length())), unknown));
    }

    /** Codes are the database's or the driver's own, and repeat nothing. */
    private static String codes(SQLException failure) {
        return "SQLSTATE " + failure.getSQLState() + ", error " + failure.getErrorCode();
    }

    private static String words(SQLException failure) {
        // Drivers append the statement or a hint in further lines.
        return String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
    }

    private static Optional<SQLException> nested(Throwable failure) {
        return failure.getCause() instanceof SQLException cause ? Optional.of(cause) : Optional.empty();
    }

    private static boolean timedOut(Throwable failure) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (each instanceof SocketTimeoutException) {
                return true;
            }
        }
        return false;
    }

    /**
     * Whether the database has refused a statement before it did anything: the table is missing, or a privilege. Not everything
     * that is called a refusal is one: MariaDB's driver says 42000 also of a connection that was lost after the statement.
     *
     * @param failure what was thrown
     * @return whether it is certain that nothing was done
     */
    public static boolean isRefusal(LockStoreException failure) {
        return failure.getCause() instanceof SQLException refused
                && REFUSALS.contains(String.valueOf(refused.getSQLState()));
    }

    /**
     * Whether an interrupt ended the wait for a connection, and was swallowed by it.
     *
     * @param failure what the pool said
     * @return whether it was an interrupt
     */
    public static boolean interrupted(SQLException failure) {
        return failure.getCause() instanceof InterruptedException;
    }

    /**
     * Whether a failure, or one that belongs to it, has something secret in its words.
     *
     * @param failure what was thrown
     * @return whether it must not be shown
     */
    public boolean tellsSecrets(Throwable failure) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            String words = String.valueOf(each.getMessage());
            if (secrets.stream().anyMatch(words::contains)) {
                return true;
            }
            for (Throwable suppressed : each.getSuppressed()) {
                if (tellsSecrets(suppressed)) {
                    return true;
                }
            }
        }
        return false;
    }
}
