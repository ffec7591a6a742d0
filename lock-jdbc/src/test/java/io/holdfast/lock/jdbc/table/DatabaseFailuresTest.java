package io.holdfast.lock.jdbc.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockStoreException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is shown of a failure, and what is not. */
class DatabaseFailuresTest {

    private final SQLException refused =
            new SQLException("password authentication failed for user \"locks\"", "28P01", 7);

    /** Passwords that occur in any sentence. */
    @ParameterizedTest
    @ValueSource(strings = {"a", "user", "password", "locks"})
    void passwordInTheDriversMessageLeavesAReason(String password) {
        LockStoreException shown = new DatabaseFailures("JDBC at here", List.of(password)).of("acquire", refused);

        assertThat(shown)
                .hasMessageStartingWith(
                        "JDBC at here: acquire failed: the log-in was refused: check the user and the password (SQLSTATE 28P01, error 7")
                .hasNoCause();
        assertThat(shown.getMessage()).doesNotContain("authentication failed for");
    }

    @Test
    void driversMessageAndCodesAreShownWithoutSecrets() {
        assertThat(new DatabaseFailures("JDBC at here", List.of("s3cr3t")).of("acquire", refused))
                .hasMessage(
                        "JDBC at here: acquire failed: the log-in was refused: check the user and the password (SQLSTATE 28P01, error 7:"
                                + " password authentication failed for user \"locks\")")
                .hasCause(refused);
    }

    @Test
    void secretInACauseOrSuppressedFailureIsNotShown() {
        SQLException nested = new SQLTransientConnectionException(
                "the pool waited in vain", "08001", 0, new SQLException("no log-in with s3cr3t", "28000", 5));
        SQLException suppressed = new SQLException("broken", "08006", 3);
        suppressed.addSuppressed(new IllegalStateException("jdbc:x?password=s3cr3t"));
        DatabaseFailures failures = new DatabaseFailures("JDBC at here", List.of("s3cr3t"));

        assertThat(trace(failures.of("acquire", nested)))
                .contains("the log-in was refused: check the user and the password (SQLSTATE 28000, error 5")
                .doesNotContain("s3cr3t");
        assertThat(trace(failures.of("acquire", suppressed)))
                .contains("the connection was lost or could not be made (SQLSTATE 08006, error 3")
                .doesNotContain("s3cr3t");
    }

    @Test
    void otherFailureWithASecretIsNamedByItsType() {
        IllegalStateException failure = new IllegalStateException("cannot close s3cr3t");

        assertThat(new DatabaseFailures("JDBC at here", List.of("s3cr3t"))
                        .because("close", "cannot close s3cr3t", failure))
                .hasMessageContaining("close failed: java.lang.IllegalStateException")
                .hasNoCause();
        assertThat(new DatabaseFailures("JDBC at here", List.of()).because("close", "cannot close", failure))
                .hasMessage("JDBC at here: close failed: cannot close")
                .hasCause(failure);
    }

    /** Found here, not by the database, which may have granted the lock. */
    @Test
    void ownReasonIsShownEvenIfItContainsThePassword() {
        SQLException failure = DatabaseFailures.ownFailure("whether the lock was granted is not known");

        assertThat(new DatabaseFailures("JDBC at here", List.of("lock")).of("acquire", failure))
                .hasMessage("JDBC at here: acquire failed: whether the lock was granted is not known");
    }

    @Test
    void transactionIdleForTooLongIsReported() {
        SQLException ended = new SQLException("terminating connection due to idle-in-transaction timeout", "25P03");

        assertThat(new DatabaseFailures("JDBC at here", List.of()).of("acquire", ended))
                .hasMessageContaining(
                        "its transaction did nothing for too long, and the database ended the connection");
    }

    @ParameterizedTest
    @ValueSource(strings = {"26000", "42P05"})
    void poolerThatChangesConnectionsIsReported(String state) {
        SQLException unknown = new SQLException("prepared statement \"S_1\" does not exist", state);

        assertThat(new DatabaseFailures("JDBC at here", List.of()).of("acquire", unknown))
                .hasMessageContainingAll("behind a pooler", "prepareThreshold=0");
    }

    private static String trace(LockStoreException shown) {
        StringWriter trace = new StringWriter();
        shown.printStackTrace(new PrintWriter(trace));
        return trace.toString();
    }

    /** MariaDB's driver reports 42000 for a connection that it finds closed, even after the statement. */
    @ParameterizedTest
    @CsvSource({"42P01, true", "42S02, true", "42501, true", "42000, false", "08006, false", ", false"})
    void missingTableOrPrivilegeCertainlyChangedNothing(String state, boolean certain) {
        LockStoreException shown =
                new DatabaseFailures("JDBC at here", List.of()).of("acquire", new SQLException("x", state));
        assertThat(DatabaseFailures.isRefusal(shown)).isEqualTo(certain);
    }

    @ParameterizedTest
    @CsvSource({
        "08006, true",
        "08000, true",
        "57P01, true",
        "90067, true",
        "90121, true",
        "08001, false",
        "08004, false",
        "57014, false",
        "40P01, false"
    })
    void openConnectionCanBeLost(String state, boolean lost) {
        assertThat(isLost(new SQLException("x", state))).isEqualTo(lost);
    }

    /** As MariaDB's driver reports it, with the state of a lost connection. */
    @Test
    void refusedConnectionIsNotALostOne() {
        assertThat(isLost(new SQLException("x", "08000", new ConnectException("Connection refused"))))
                .isFalse();
    }

    /** A retry would take as long again. */
    @Test
    void silentDatabaseOrExhaustedPoolIsNotALostConnection() {
        SQLException reason = new SQLException("x", "08006");
        assertThat(isLost(new SQLTransientConnectionException("waited", "08006", reason)))
                .isFalse();
        assertThat(isLost(new SQLException("x", "08006", new SocketTimeoutException())))
                .isFalse();
    }

    private static boolean isLost(SQLException failure) {
        return DatabaseFailures.isLostConnection(
                new DatabaseFailures("JDBC at here", List.of()).of("acquire", failure));
    }
}
