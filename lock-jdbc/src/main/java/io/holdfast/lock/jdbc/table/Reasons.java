package io.holdfast.lock.jdbc.table;

import java.net.ConnectException;
import java.net.UnknownHostException;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Translates the codes of databases and drivers. */
final class Reasons {

    private static final String DEADLOCK = "the database ended it to resolve a deadlock";
    private static final String ENDED = "the database or an administrator ended the connection";
    private static final String PRIVILEGE = "a privilege is missing";
    private static final String READ_ONLY = "the database is read-only";
    private static final String TOO_LONG = "it took too long and was cancelled";
    private static final String NO_TABLE = "the table is missing";
    private static final String NO_DATABASE = "there is no database of this name";
    private static final String LOST = "the connection was lost or could not be made";
    private static final String CLOSED = "the database, or the connection to it, was closed";
    private static final String NOT_UNDERSTOOD =
            "the database does not understand the statement: its version is too old, or 'database' names another one";
    private static final String URL = "the driver does not understand the URL";
    private static final String LOG_IN = "the log-in was refused: check the user and the password";
    private static final String NO_LOG_IN =
            "the log-in failed: check the user, the password and the parameters of the URL";
    private static final String NO_HOST = "the host is unknown";
    private static final String NO_MORE = "the database has no connection left";
    private static final String POOLED =
            "a prepared statement belongs to another connection, as behind a pooler that changes"
                    + " connections: set prepareThreshold=0 in the URL, or max_prepared_statements in PgBouncer";
    /** The JDK's message, whose SQLSTATE is that of a connection that could not be opened. */
    private static final String NO_DRIVER = "No suitable driver";

    /** Messages of drivers and pools for a closed connection, where they have no SQLSTATE for it. */
    private static final Pattern ON_A_CLOSED_CONNECTION =
            Pattern.compile("(?i)connection is closed|closed connection|connection was closed");

    private static final Set<String> LOSSES = Set.of(LOST, ENDED, CLOSED);

    /** The SQLSTATE of a connection that could not be opened. */
    private static final String NOT_OPENED = "08001";

    /** Reasons that last, however often a client tries to connect. */
    private static final Set<String> DEFINITE = Set.of(LOG_IN, NO_LOG_IN, NO_DATABASE, PRIVILEGE, URL, NO_HOST);

    /** By SQLSTATE, or its first two characters. */
    private static final Map<String, String> BY_STATE = Map.ofEntries(
            Map.entry("08", LOST),
            // PostgreSQL's driver: the password is missing, or one side demands encryption.
            Map.entry("08004", NO_LOG_IN),
            Map.entry("90067", LOST),
            Map.entry("90007", ENDED),
            Map.entry("90096", PRIVILEGE),
            Map.entry("90097", READ_ONLY),
            Map.entry("90098", CLOSED),
            Map.entry("90121", CLOSED),
            Map.entry("28", LOG_IN),
            Map.entry("3D000", NO_DATABASE),
            Map.entry("90146", NO_DATABASE),
            Map.entry("90149", NO_DATABASE),
            Map.entry("22023", URL),
            Map.entry("S1009", URL),
            Map.entry("90011", URL),
            Map.entry("90046", URL),
            Map.entry("90113", URL),
            Map.entry("40001", "the database could not serialize it with what ran at the same time"),
            Map.entry("40P01", DEADLOCK),
            Map.entry("42P01", "the table or its sequence is missing"),
            Map.entry("42S02", NO_TABLE),
            Map.entry("42S03", NO_TABLE),
            Map.entry("42S04", NO_TABLE),
            Map.entry("42601", NOT_UNDERSTOOD),
            Map.entry("42883", NOT_UNDERSTOOD),
            Map.entry("42001", NOT_UNDERSTOOD),
            Map.entry("90022", NOT_UNDERSTOOD),
            Map.entry("42501", PRIVILEGE),
            Map.entry("25006", READ_ONLY),
            Map.entry("26000", POOLED),
            Map.entry("42P05", POOLED),
            Map.entry("25P03", "its transaction did nothing for too long, and the database ended the connection"),
            Map.entry("53300", NO_MORE),
            Map.entry("53", "the database lacks resources"),
            Map.entry("55P03", "a row was locked for too long"),
            Map.entry("HYT00", "a row was locked for too long, or it took too long"),
            Map.entry("57014", TOO_LONG),
            Map.entry("57P01", ENDED),
            Map.entry("57P02", "the database crashed"),
            Map.entry("57P03", "the database is starting or stopping"));

    /** The SQLSTATEs for a missing table that only the database itself reports. */
    private static final Set<String> MISSING = Set.of("42P01", "42S02", "42S03", "42S04");

    /** By the error number of MariaDB and MySQL, where the SQLSTATE is too general. */
    private static final Map<Integer, String> BY_NUMBER = Map.ofEntries(
            Map.entry(1040, NO_MORE),
            Map.entry(1044, PRIVILEGE),
            Map.entry(1049, NO_DATABASE),
            Map.entry(1064, NOT_UNDERSTOOD),
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

    private Reasons() {}

    /** The reason of a failure, in our words. */
    static String of(SQLException failure) {
        if (message(failure).startsWith(NO_DRIVER)) {
            return "there is no driver for its URL: add the artifact of the database's driver, and check the URL";
        }
        if (cause(failure, UnknownHostException.class).isPresent()) {
            return NO_HOST;
        }
        if (cause(failure, IllegalArgumentException.class).isPresent()) {
            // Such as a parameter that is not a number.
            return URL;
        }
        String byNumber = BY_NUMBER.get(failure.getErrorCode());
        if (byNumber != null) {
            return byNumber;
        }
        String state = String.valueOf(failure.getSQLState());
        return BY_STATE.getOrDefault(
                state, BY_STATE.getOrDefault(state.substring(0, Math.min(2, state.length())), unknown(failure)));
    }

    private static String unknown(SQLException failure) {
        if (failure instanceof SQLTimeoutException) {
            return TOO_LONG;
        }
        if (ON_A_CLOSED_CONNECTION.matcher(message(failure)).find()) {
            return LOST;
        }
        // A failure of the database always has a code.
        boolean coded = failure.getSQLState() != null || failure.getErrorCode() != 0;
        return coded ? "the database refused it" : "the driver or the pool refused it";
    }

    /** Whether a connection could not be opened for a lasting reason. */
    static boolean isDefinite(SQLException failure) {
        return cause(failure, ConnectException.class).isPresent() || DEFINITE.contains(of(failure));
    }

    /** The first of a failure and its causes that has a type. */
    static <T extends Throwable> Optional<T> cause(Throwable failure, Class<T> type) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
                .filter(type::isInstance)
                .map(type::cast)
                .findFirst();
    }

    /** Whether the database itself reports a missing table. */
    static boolean tableIsMissing(SQLException failure) {
        return MISSING.contains(String.valueOf(failure.getSQLState()));
    }

    /** Whether an open connection was lost; false for one that could not be opened. */
    static boolean isLostConnection(SQLException failure) {
        return !NOT_OPENED.equals(failure.getSQLState()) && !isDefinite(failure) && LOSSES.contains(of(failure));
    }

    /** The driver's message, or that of a cause that says more: drivers do not always name an unknown host. */
    static String message(SQLException failure) {
        return String.valueOf(cause(failure, UnknownHostException.class)
                .<Throwable>map(host -> host)
                .orElse(failure)
                .getMessage());
    }
}
