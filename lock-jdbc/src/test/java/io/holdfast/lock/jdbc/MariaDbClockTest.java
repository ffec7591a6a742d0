package io.holdfast.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.parts.Proves;
import io.holdfast.parts.TestClaim;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The last microsecond of a lease, in a database whose clock a session can stop. */
@NeedsMariaDb
@Tag("server")
class MariaDbClockTest {

    private static final String NOW = "2033-05-18 03:33:20.000000";
    private static final String STOPPED = "&sessionVariables=timestamp=2000000000";

    private final String name = "name-" + UUID.randomUUID();

    private static void endAt(String url, String end) {
        Databases.run(url, "UPDATE holdfast_lock SET expires_at = '" + end + "' WHERE name_hash NOT LIKE '#%'");
    }

    /** The rest is reported in whole milliseconds, of which zero must not mean that the lock is free. */
    @Proves("1.1")
    @Test
    void leaseWithAMicrosecondLeftIsInForce() {
        String url = Databases.newMariaDb();
        try (JdbcLockProvider provider = Databases.at(url + STOPPED)) {
            TestClaim holder = TestClaim.once(provider, name);
            assertThat(holder.granted()).isTrue();
            endAt(url, "2033-05-18 03:33:20.000001");
            assertThat(TestClaim.once(provider, name).refused().retryAfter()).contains(Duration.ofMillis(1));
            assertThat(provider.holder(name)).isPresent();
            assertThat(holder.held()).isTrue();
            endAt(url, "2033-05-18 03:33:20.000001");
            assertThat(holder.released()).isTrue();
        }
    }

    /** Ended for all clients: nobody holds the lock, and the next attempt is granted. */
    @Proves({"2.1", "3.2"})
    @Test
    void leaseThatEndsNowHasEnded() {
        String url = Databases.newMariaDb();
        try (JdbcLockProvider provider = Databases.at(url + STOPPED)) {
            TestClaim holder = TestClaim.once(provider, name);
            long token = holder.token();
            endAt(url, NOW);
            assertThat(provider.holder(name)).isEmpty();
            assertThat(holder.held()).isFalse();
            assertThat(holder.released()).isFalse();
            TestClaim next = TestClaim.once(provider, name);
            assertThat(next.token()).isGreaterThan(token);
            assertThat(next.released()).isTrue();
        }
    }
}
