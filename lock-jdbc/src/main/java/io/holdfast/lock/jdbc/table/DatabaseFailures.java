package io.holdfast.lock.jdbc.table;

import io.holdfast.lock.LockStoreException;
import java.net.SocketTimeoutException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Says in one sentence what a driver's exceptions mean: which operation failed, where, and for what kind of reason.
 *
 * @param place how the database is reached and where it is, without anything secret: each sentence begins with it
 * @param script where the script is that creates the table, with a space before it; empty if the database is not known yet
 * @param creation how the table can be created there, other than by the script
 * @param secrets the parts of the URL that may have a password in them
 */
public record DatabaseFailures(String place, String script, String creation, List<String> secrets) {

    /** The SQLSTATE of what neither database nor driver has said; theirs never begin like this. */
    private static final String OURS = "HOLDF";

    private static final String BY_JDBC =
            "have it created, by LockClient.builder(url).property(\"createTable\", \"true\") or by createTable() of"
                    + " JdbcLockProvider's builder";

    /** H2 appends the statement, of many lines. */
    private static final String STATEMENT = "; SQL statement:";

    private static final int LONGEST_WORDS = 300;

    private static final String NOT_SHOWN = "; the driver's words may contain a password and are not shown";

    /**
     * Of a database that is reached by JDBC alone.
     *
     * @param place how the database is reached
     * @param secrets the parts of the URL that may have a password in them
     */
    public DatabaseFailures(String place, List<String> secrets) {
        this(place, "", BY_JDBC, secrets);
    }

    /**
     * The same for a database that is known.
     *
     * @param file the script of the database
     * @return what names the script
     */
    public DatabaseFailures withScript(String file) {
        return new DatabaseFailures(place, " io/holdfast/lock/jdbc/" + file + " in lock-jdbc's jar", creation, secrets);
    }

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
                : because(what, reason(failure, DatabaseFailures::codesAndWords), withoutStatement(failure));
    }

    /** Drivers show the statement in the stack trace as well, where nobody wants to read it. */
    private static SQLException withoutStatement(SQLException failure) {
        if (!String.valueOf(failure.getMessage()).contains(STATEMENT)) {
            return failure;
        }
        SQLException brief =
                new SQLException(words(failure), failure.getSQLState(), failure.getErrorCode(), failure.getCause());
        brief.setStackTrace(failure.getStackTrace());
        Stream.of(failure.getSuppressed()).forEach(brief::addSuppressed);
        return brief;
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
    private String reason(SQLException failure, Function<SQLException, String> told) {
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

    private String known(SQLException failure) {
        return Reasons.tableIsMissing(failure)
                ? Reasons.of(failure) + ": run the shipped script" + script + ", or " + creation
                : Reasons.of(failure);
    }

    /** Codes are the database's or the driver's own, and repeat nothing. */
    private static String codes(SQLException failure) {
        String error = "error " + failure.getErrorCode();
        return failure.getSQLState() == null ? error : "SQLSTATE " + failure.getSQLState() + ", " + error;
    }

    /** A pool has no codes. */
    private static String codesAndWords(SQLException failure) {
        boolean coded = failure.getSQLState() != null || failure.getErrorCode() != 0;
        return coded ? codes(failure) + ": " + words(failure) : words(failure);
    }

    private static String words(SQLException failure) {
        // Drivers append the statement or a hint in further lines.
        String line = Reasons.words(failure).lines().findFirst().orElse("");
        String words = line.endsWith(STATEMENT) ? line.substring(0, line.length() - STATEMENT.length()) : line;
        return words.length() > LONGEST_WORDS ? words.substring(0, LONGEST_WORDS) + "..." : words;
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
                && (Reasons.tableIsMissing(refused) || "42501".equals(refused.getSQLState()));
    }

    /**
     * Whether the table, or what tokens come from, is not there.
     *
     * @param failure what the driver said
     * @return whether it is missing
     */
    public static boolean tableIsMissing(SQLException failure) {
        return Reasons.tableIsMissing(failure);
    }

    /**
     * Whether a connection that had been open was lost, at once and not by a time-out: the database may be up all the same. The outcome of
     * what was sent is unknown.
     *
     * @param failure what was thrown
     * @return whether another connection may do
     */
    public static boolean isLostConnection(LockStoreException failure) {
        return failure.getCause() instanceof SQLException reason
                && !(reason instanceof SQLTransientConnectionException)
                && !timedOut(reason)
                && Reasons.isLostConnection(reason);
    }

    /**
     * Whether a connection could not be opened for a reason that lasts: there is no use in trying again at once.
     *
     * @param failure what the driver said
     * @return whether it will say the same again
     */
    public static boolean isDefinite(SQLException failure) {
        return Reasons.isDefinite(failure);
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
