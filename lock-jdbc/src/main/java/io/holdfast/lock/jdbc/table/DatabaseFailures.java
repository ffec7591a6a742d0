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
 * Explains a driver's exception in one sentence: which operation failed, where, and for what kind of reason.
 *
 * @param place how the database is reached and where it is, without anything secret: each sentence begins with it
 * @param script where the script is that creates the table, with a space before it; empty if the database is not known yet
 * @param creation how the table can be created there, other than by the script
 * @param secrets the parts of the URL that may have a password in them
 */
public record DatabaseFailures(String place, String script, String creation, List<String> secrets) {

    /** The SQLSTATE of failures that were found here; those of databases and drivers never begin like this. */
    private static final String OURS = "HOLDF";

    private static final String BY_JDBC =
            "have it created, by LockClient.builder(url).property(\"createTable\", \"true\") or by createTable() of"
                    + " JdbcLockProvider's builder";

    /** H2 appends the statement, of many lines. */
    private static final String STATEMENT = "; SQL statement:";

    private static final int LONGEST_MESSAGE = 300;

    private static final String NOT_SHOWN = "; the driver's message is not shown, as it may contain a password";

    /**
     * Creates it for a database that is reached by JDBC alone.
     *
     * @param place how the database is reached
     * @param secrets the parts of the URL that may have a password in them
     */
    public DatabaseFailures(String place, List<String> secrets) {
        this(place, "", BY_JDBC, secrets);
    }

    /**
     * Names the script of a database that is known.
     *
     * @param file the script of the database
     * @return the same, with the script
     */
    public DatabaseFailures withScript(String file) {
        return new DatabaseFailures(place, " io/holdfast/lock/jdbc/" + file + " in lock-jdbc's jar", creation, secrets);
    }

    /**
     * Creates a failure that was found here, and not by the database or the driver.
     *
     * @param reason why something failed, without secrets
     * @return the exception, whose message is shown unchanged
     */
    public static SQLException ownFailure(String reason) {
        return new SQLException(reason, OURS);
    }

    /**
     * The failure of a database without the source of the tokens.
     *
     * @return the exception
     */
    public static SQLException tokensAreMissing() {
        return ownFailure("the row that tokens come from is missing: run the shipped script again");
    }

    /**
     * Explains a failure of the driver.
     *
     * @param what the operation
     * @param failure what the driver said
     * @return the exception to throw
     */
    public LockStoreException of(String what, SQLException failure) {
        if (OURS.equals(failure.getSQLState())) {
            return because(what, String.valueOf(failure.getMessage()));
        }
        return containsSecrets(failure)
                ? because(what, reason(failure, each -> codes(each) + NOT_SHOWN))
                : because(what, reason(failure, DatabaseFailures::codesAndWords), withoutStatement(failure));
    }

    /**
     * Explains a failure that a failure of the driver may have caused.
     *
     * @param what the operation
     * @param failure what was thrown
     * @return the exception to throw
     */
    public LockStoreException of(String what, RuntimeException failure) {
        return sqlException(failure)
                .map(reason -> of(what, reason))
                .orElseGet(() -> because(what, String.valueOf(failure.getMessage()), failure));
    }

    /**
     * Finds the failure of the driver.
     *
     * @param failure what was thrown
     * @return the failure of the driver that caused it
     */
    public static Optional<SQLException> sqlException(Throwable failure) {
        return Reasons.cause(failure, SQLException.class);
    }

    /** Removes the statement, which drivers repeat in the stack trace. */
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
     * Explains a failure of any kind. Where its words may contain the password, it is named by its type only and not
     * attached as the cause.
     *
     * @param what the operation
     * @param reason why
     * @param failure what was thrown
     * @return the exception to throw
     */
    public LockStoreException because(String what, String reason, Throwable failure) {
        return containsSecrets(failure)
                ? because(what, failure.getClass().getName() + NOT_SHOWN)
                : new LockStoreException(message(what, reason), failure);
    }

    private String message(String what, String reason) {
        return place + ": " + what + " failed: " + reason;
    }

    /**
     * Explains a failure that no driver has reported.
     *
     * @param what the operation
     * @param reason why
     * @return the exception to throw
     */
    public LockStoreException because(String what, String reason) {
        return new LockStoreException(message(what, reason));
    }

    /**
     * The reason of a failure.
     *
     * @param shown what is shown of the driver's exception itself
     */
    private String reason(SQLException failure, Function<SQLException, String> shown) {
        Optional<SQLException> nested = nested(failure);
        if (failure instanceof SQLTransientConnectionException) {
            // From a pool that waited in vain; with a cause if it could not open a connection either.
            return nested.isPresent()
                    ? reason(nested.get(), shown)
                    : "the pool has no free connection, and got no answer if it tried to open one ("
                            + shown.apply(failure) + ")";
        }
        if (timedOut(failure)) {
            return "the database did not answer in time (" + shown.apply(failure) + ")";
        }
        return known(failure) + " (" + shown.apply(failure) + ")";
    }

    private String known(SQLException failure) {
        return Reasons.tableIsMissing(failure)
                ? Reasons.of(failure) + ": run the shipped script" + script + ", or " + creation
                : Reasons.of(failure);
    }

    /** The codes of the database or the driver, which contain nothing secret. */
    private static String codes(SQLException failure) {
        String error = "error " + failure.getErrorCode();
        return failure.getSQLState() == null ? error : "SQLSTATE " + failure.getSQLState() + ", " + error;
    }

    /** The codes, if there are any (a pool has none), and the message. */
    private static String codesAndWords(SQLException failure) {
        boolean coded = failure.getSQLState() != null || failure.getErrorCode() != 0;
        return coded ? codes(failure) + ": " + words(failure) : words(failure);
    }

    private static String words(SQLException failure) {
        // Drivers append the statement or a hint in further lines.
        String line = Reasons.message(failure).lines().findFirst().orElse("");
        String message = line.endsWith(STATEMENT) ? line.substring(0, line.length() - STATEMENT.length()) : line;
        return message.length() > LONGEST_MESSAGE ? message.substring(0, LONGEST_MESSAGE) + "..." : message;
    }

    private static Optional<SQLException> nested(Throwable failure) {
        return failure.getCause() instanceof SQLException cause ? Optional.of(cause) : Optional.empty();
    }

    private static boolean timedOut(Throwable failure) {
        return Reasons.cause(failure, SocketTimeoutException.class).isPresent();
    }

    /**
     * Whether the database refused a statement before it did anything: the table or a privilege is missing. Other
     * refusals are not certain: MariaDB's driver reports 42000 even for a connection that was lost after the statement.
     *
     * @param failure what was thrown
     * @return whether it is certain that nothing was done
     */
    public static boolean isRefusal(LockStoreException failure) {
        return failure.getCause() instanceof SQLException refused
                && (Reasons.tableIsMissing(refused) || "42501".equals(refused.getSQLState()));
    }

    /**
     * Whether the table, or the source of the tokens, is missing.
     *
     * @param failure what the driver said
     * @return whether it is missing
     */
    public static boolean tableIsMissing(SQLException failure) {
        return Reasons.tableIsMissing(failure);
    }

    /**
     * Whether an open connection was lost at once, and not by a time-out: the database may be up. The outcome of what
     * was sent is unknown.
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
     * Whether a connection could not be opened for a lasting reason, so that an immediate retry is useless.
     *
     * @param failure what the driver said
     * @return whether the next connection would fail in the same way
     */
    public static boolean isDefinite(SQLException failure) {
        return Reasons.isDefinite(failure);
    }

    /**
     * Whether an interrupt ended the wait for a connection, so that the pool may have cleared the flag.
     *
     * @param failure what the pool said
     * @return whether it was an interrupt
     */
    public static boolean interrupted(SQLException failure) {
        return failure.getCause() instanceof InterruptedException;
    }

    /**
     * Whether the message of a failure, of a cause or of a suppressed one contains a secret.
     *
     * @param failure what was thrown
     * @return whether it must not be shown
     */
    public boolean containsSecrets(Throwable failure) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            String message = String.valueOf(each.getMessage());
            if (secrets.stream().anyMatch(message::contains)) {
                return true;
            }
            for (Throwable suppressed : each.getSuppressed()) {
                if (containsSecrets(suppressed)) {
                    return true;
                }
            }
        }
        return false;
    }
}
