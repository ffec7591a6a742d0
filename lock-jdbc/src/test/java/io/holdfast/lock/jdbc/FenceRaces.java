package io.holdfast.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.parts.Waits;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;

/** Two transactions that meet in a guard. */
final class FenceRaces {

    private FenceRaces() {}

    /** Work on a connection. */
    interface Work {
        void run() throws SQLException;
    }

    /** Work of another transaction, which a lock of the database may stop. */
    record Waiting(String url, String session, CompletableFuture<Void> work) {

        /** Waits until the database says that the session waits for a lock. */
        void requireBlocked() {
            awaitBlocked(url, " = " + session, work);
        }

        void requireDone() {
            work.join();
        }
    }

    /** Waits until some session of a database waits for a lock, which it must for work not to end. */
    static void awaitBlocked(String url, CompletableFuture<?> work) {
        awaitBlocked(url, " > 0", work);
    }

    private static void awaitBlocked(String url, String sessions, CompletableFuture<?> work) {
        String query = switch (Databases.named(url)) {
            case POSTGRESQL ->
                "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
                        + " AND pid" + sessions;
            case MARIADB ->
                "SELECT 1 FROM information_schema.innodb_trx JOIN information_schema.processlist"
                        + " ON id = trx_mysql_thread_id WHERE trx_state = 'LOCK WAIT' AND db = DATABASE() AND id"
                        + sessions;
            case H2 ->
                "SELECT 1 FROM information_schema.sessions WHERE blocker_id IS NOT NULL AND session_id" + sessions;
            default -> throw new IllegalArgumentException(url);
        };
        Waits.soon().until(() -> work.isDone() || !Databases.ask(url, query).isEmpty());
        assertThat(work).isNotDone();
    }

    /** Starts work that is expected to wait for another transaction. */
    static Waiting waiting(String url, Connection connection, Work work) throws SQLException {
        String product = connection.getMetaData().getDatabaseProductName().toLowerCase(Locale.ROOT);
        String id = switch (product) {
            case "postgresql" -> "SELECT pg_backend_pid()";
            case "h2" -> "SELECT session_id()";
            default -> "SELECT connection_id()";
        };
        String session;
        try (var statement = connection.createStatement();
                var row = statement.executeQuery(id)) {
            assertThat(row.next()).isTrue();
            session = row.getString(1);
        }
        if (!connection.getAutoCommit()) {
            connection.commit();
        }
        return new Waiting(url, session, CompletableFuture.runAsync(() -> {
            try {
                work.run();
            } catch (SQLException failure) {
                throw new AssertionError(failure);
            }
        }));
    }
}
