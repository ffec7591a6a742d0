package io.holdfast.lock.jdbc;

import static io.holdfast.parts.Waits.soon;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.jdbc.jpa.JpaLockProvider;
import io.holdfast.lock.jdbc.jpa.JpaLockProvider.Strategy;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.parts.Proves;
import io.holdfast.parts.TestClaim;
import jakarta.persistence.EntityManagerFactory;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The database's clock is set while locks are held. */
@Tag("server")
class DatabaseClockTest {

    /** Long enough that no usual renewal comes in a test, and renewed at once after a step by more than a third. */
    private static final LockOptions LONG = LockOptions.DEFAULTS.withLeaseTime(Duration.ofMinutes(2));

    /** Shorter than a step, and long enough as well. */
    private static final LockOptions SHORT = LockOptions.DEFAULTS.withLeaseTime(Duration.ofSeconds(50));

    private static final SettableClock CLOCK = new SettableClock();

    private static String url;
    private static HikariDataSource pool;
    private static EntityManagerFactory factory;

    @BeforeAll
    static void makeClock() {
        url = CLOCK.url();
        pool = JpaUnits.pool(url);
        factory = JpaUnits.opened("locks", pool);
    }

    @AfterAll
    static void close() {
        factory.close();
        pool.close();
    }

    @AfterEach
    void setRight() {
        CLOCK.set(Duration.ZERO);
        Databases.run(url, "DELETE FROM holdfast_lock");
    }

    private static LockClient connect(String way) {
        LockProvider provider = way.equals("jdbc")
                ? Databases.at(url)
                : JpaLockProvider.over(factory).strategy(Strategy.PESSIMISTIC).build();
        return LockClient.builder(provider).build();
    }

    /** The rest of the lease by the database's clock. */
    private static Duration left(LockProvider rival) {
        return TestClaim.once(rival, "stock").refused().retryAfter().orElseThrow();
    }

    private static LossCause loss(LockHandle handle) throws Exception {
        return handle.lost().toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"jdbc", "jpa"})
    @Proves("8.1")
    void grantOfAnyLockShowsThatAHeldOneIsLost(String way) throws Exception {
        try (LockClient client = connect(way);
                JdbcLockProvider rival = Databases.at(url)) {
            LockHandle handle = client.lock("stock", SHORT).acquire();
            CLOCK.set(Duration.ofMinutes(1));
            TestClaim taken = TestClaim.once(rival, "stock");
            assertThat(taken.granted()).isTrue();
            assertThat(handle.isHeld()).as("nothing has told it").isTrue();

            LockHandle other = client.lock("other", SHORT).acquire();
            assertThat(handle.isHeld()).isFalse();
            assertThat(loss(handle)).isEqualTo(LossCause.CLOCK_STEPPED);
            assertThat(other.isHeld()).isTrue();
            assertThat(taken.held()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"jdbc", "jpa"})
    void renewalOfAnyLockShowsIt(String way) throws Exception {
        try (LockClient client = connect(way)) {
            LockHandle handle = client.lock("stock", SHORT).acquire();
            LockHandle other = client.lock("other", LONG).acquire();
            CLOCK.set(Duration.ofMinutes(1));
            assertThat(other.renew()).isTrue();

            assertThat(loss(handle)).isEqualTo(LossCause.CLOCK_STEPPED);
            assertThat(other.isHeld()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"jdbc", "jpa"})
    void shorterStepRenewsHeldLocksAtOnce(String way) throws Exception {
        try (LockClient client = connect(way);
                JdbcLockProvider rival = Databases.at(url)) {
            LockHandle handle = client.lock("stock", LONG).acquire();
            CLOCK.set(Duration.ofMinutes(1));
            assertThat(left(rival)).isLessThan(Duration.ofSeconds(61));
            client.lock("other", SHORT).acquire();

            soon().until(() -> left(rival).compareTo(Duration.ofSeconds(90)) > 0);
            assertThat(handle.isHeld()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"jdbc", "jpa"})
    void stepBackLosesNothing(String way) throws Exception {
        try (LockClient client = connect(way)) {
            LockHandle handle = client.lock("stock", SHORT).acquire();
            CLOCK.set(Duration.ofMinutes(-1));
            client.lock("other", SHORT).acquire();

            assertThat(handle.isHeld()).isTrue();
            assertThat(handle.renew()).isTrue();
        }
    }
}
