package io.holdfast.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.parts.BrokenLog;
import io.holdfast.parts.Proves;
import io.holdfast.parts.TestClaim;
import io.holdfast.parts.Waits;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** The thread that listens for releases survives a log that fails. */
@Isolated("it changes the log")
@Tag("server")
class BrokenLogTest {

    private static final String URL = Databases.SharedPostgreSql.URL;

    private final String application = "w" + UUID.randomUUID().toString().substring(0, 8);

    @Proves({"7.2", "9.5"})
    @Test
    void wakeUpsComeBackAfterALostConnection() {
        BrokenLog log = BrokenLog.of("io.holdfast.lock.jdbc");
        try (JdbcLockProvider provider = Databases.at(URL + "&ApplicationName=" + application)) {
            TestClaim holder = TestClaim.once(provider, application);
            assertThat(holder.granted()).isTrue();
            TestClaim waiter = TestClaim.waiting(provider, application);
            waiter.refused();
            Waits.soon().until(() -> waiter.mayBeFree.get() >= 1);
            Databases.run(
                    URL,
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '" + application
                            + "' AND query LIKE 'LISTEN%'");
            Waits.soon().until(() -> log.records() >= 1 && waiter.mayBeFree.get() >= 3);
        } finally {
            log.close();
        }
    }
}
