package io.holdfast.lock.redisson;

import static io.holdfast.parts.Waits.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.redisson.RedissonLockProvider.Layout;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.StoreTime;
import io.holdfast.parts.Proves;
import io.holdfast.parts.RedisProxyScene;
import io.holdfast.parts.TestClaim;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The server's clock is set while locks are held. */
class RedissonClockTest extends RedisProxyScene {

    private static final Duration STEP = Duration.ofSeconds(20);

    private static final LockOptions SHORT = LockOptions.DEFAULTS.withLeaseTime(Duration.ofSeconds(15));

    /** With leases that are long enough that no renewal comes before the step is noticed. */
    private LockClient connect(Layout layout) {
        return LockClient.connect("redisson://127.0.0.1:" + proxy.port() + "?lease=30s&layout=" + layout);
    }

    private static void assertLostByTheStep(LockHandle handle) throws Exception {
        assertThat(handle.lost().toCompletableFuture().get(10, TimeUnit.SECONDS))
                .isEqualTo(LossCause.CLOCK_STEPPED);
        assertThat(handle.isHeld()).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    @Proves("8.1")
    void grantOfAnyLockShowsThatTheOthersAreLost(Layout layout) throws Exception {
        RedissonTimeShift time = new RedissonTimeShift(proxy);
        try (LockClient client = connect(layout)) {
            LockHandle handle = client.lock("stock", SHORT).acquire();
            time.step(STEP);
            LockHandle other = client.lock("other").acquire();

            assertThat(handle.isHeld()).isFalse();
            assertLostByTheStep(handle);
            assertThat(other.isHeld()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void renewalOfAnyLockShowsIt(Layout layout) throws Exception {
        RedissonTimeShift time = new RedissonTimeShift(proxy);
        try (LockClient client = connect(layout)) {
            LockHandle handle = client.lock("stock", SHORT).acquire();
            LockHandle other = client.lock("other").acquire();
            time.step(STEP);
            assertThat(other.renew()).isTrue();

            assertLostByTheStep(handle);
            assertThat(other.isHeld()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void shorterStepRenewsTheOthersAtOnce(Layout layout) throws Exception {
        RedissonTimeShift time = new RedissonTimeShift(proxy);
        try (LockClient client = connect(layout)) {
            LockHandle handle = client.lock("stock").acquire();
            time.step(Duration.ofSeconds(15));
            client.lock("other").acquire();

            // Each of two grants has one. Without the step the first renewal comes after ten seconds.
            soon().atMost(Duration.ofSeconds(5)).until(() -> server.calls("pexpire") > 2);
            soon().until(() -> handle.remaining().compareTo(Duration.ofSeconds(20)) > 0);
            assertThat(handle.isHeld()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void stepBackLosesNothing(Layout layout) throws Exception {
        RedissonTimeShift time = new RedissonTimeShift(proxy);
        try (LockClient client = connect(layout)) {
            LockHandle handle = client.lock("stock").acquire();
            time.step(STEP.negated());
            client.lock("other").acquire();

            assertThat(handle.isHeld()).isTrue();
            assertThat(handle.renew()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void allAnswersTellTheTimeOfOneClock(Layout layout) {
        try (RedissonLockProvider provider = RedissonProviders.on(server, layout)) {
            List<Claim> claims = IntStream.range(0, 3)
                    .mapToObj(i -> TestClaim.once(provider, "lock-" + i).claim)
                    .toList();
            List<StoreTime> told = Stream.of(
                            ToldTime.of(claims.get(0).attempt()),
                            ToldTime.of(claims.get(1).attempt()),
                            ToldTime.of(claims.get(2).attempt()),
                            ToldTime.of(claims.get(0).attempt()),
                            ToldTime.of(claims.get(0).renew()),
                            ToldTime.of(provider.renewAll(claims).get(2)))
                    .flatMap(Optional::stream)
                    .toList();

            assertThat(told).hasSize(6);
            assertThat(told)
                    .extracting(StoreTime::clock)
                    .containsOnly(told.get(0).clock());
            assertThat(told).extracting(StoreTime::time).isSorted();
            assertThat(Duration.between(told.get(0).time(), Instant.now())).isBetween(Duration.ZERO, STEP);
        }
    }
}
