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
            Waits.soon().until(() -> work.isDone() || isBlocked());
            assertThat(work).isNotDone();
        }

        void requireDone() {
            work.join();
        }

        private boolean isBlocked() {
            String query = switch (Databases.named(url)) {
                case POSTGRESQL -> "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND pid = " + session;
                case MARIADB ->
                    "SELECT 1 FROM information_schema.innodb_trx WHERE trx_state = 'LOCK WAIT'"
                            + " AND trx_mysql_thread_id = " + session;
                case H2 ->
                    "SELECT 1 FROM information_schema.sessions WHERE blocker_id IS NOT NULL" + " AND session_id = "
                            + session;
                default -> throw new IllegalArgumentException(url);
            };
            return !Databases.ask(url, query).isEmpty();
        }
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
        connection.commit();
        return new Waiting(url, session, CompletableFuture.runAsync(() -> {
            try {
                work.run();
            } catch (SQLException failure) {
                throw new AssertionError(failure);
            }
        }));
    }
}
