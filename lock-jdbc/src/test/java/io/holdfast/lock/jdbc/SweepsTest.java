package io.holdfast.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.jdbc.table.Sweeper;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

/** What is told of a sweep that fails: the release that it came with has not. */
class SweepsTest {

    /** Keeps what is logged. */
    private static final class Log extends Handler {
        private final List<String> messages = new CopyOnWriteArrayList<>();

        @Override
        public void publish(LogRecord message) {
            messages.add(message.getMessage());
        }

        @Override
        public void flush() {
            // Nothing is held back.
        }

        @Override
        public void close() {
            // Nothing is open.
        }
    }

    @Test
    void theLogSaysWhereASweepFailedAndWhyAndNoSecret() {
        String url = Databases.h2();
        Logger logger = Logger.getLogger("io.holdfast.lock.jdbc");
        Log log = new Log();
        logger.addHandler(log);
        // The database has no table, and names it.
        try (JdbcLockProvider provider = Databases.at(url, "user", "me", "password", "HOLDFAST_LOCK")) {
            new Sweeper(1).afterRelease(provider.records());
        } finally {
            logger.removeHandler(log);
        }
        assertThat(log.messages.stream()
                        .filter(each -> each.contains(JdbcUrl.of(url).place())))
                .singleElement()
                .asString()
                .contains("removal of old records failed: the table is missing")
                .doesNotContain("HOLDFAST_LOCK");
    }
}
