package io.holdfast.lock.redisson;

import static io.holdfast.parts.RedisFaults.assertLockIsLostDuringAPause;
import static io.holdfast.parts.StoreAssertions.assertFails;
import static io.holdfast.parts.StoreAssertions.assertWorks;
import static io.holdfast.parts.Waits.answered;
import static io.holdfast.parts.Waits.letPass;
import static io.holdfast.parts.Waits.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.redisson.RedissonLockProvider.Layout;
import io.holdfast.lock.tck.faults.TcpProxy.Direction;
import io.holdfast.parts.Proves;
import io.holdfast.parts.RedisProxyScene;
import io.holdfast.parts.TestClaim;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;
import org.redisson.config.ConstantDelay;

/** Calls without an answer, through a client that would repeat them by default. */
class RedissonUnknownOutcomeTest extends RedisProxyScene {

    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private RedissonClient redisson;

    @BeforeEach
    void connect() {
        Config config = Redissons.config(proxy.port());
        config.useSingleServer()
                .setTimeout(Math.toIntExact(TIMEOUT.toMillis()))
                .setRetryAttempts(4)
                .setRetryDelay(new ConstantDelay(Duration.ofMillis(100)));
        redisson = Redisson.create(config);
    }

    @AfterEach
    void disconnect() {
        redisson.shutdown();
    }

    private RedissonLockProvider provider(Layout layout) {
        RedissonLockProvider provider = RedissonLockProvider.over(redisson)
                .layout(layout)
                .timeout(TIMEOUT)
                .build();
        assertWorks(provider);
        return provider;
    }

    private long scripts() {
        return server.calls("evalsha") + server.calls("eval");
    }

    /** A connection of which the network has swallowed a part cannot go on. */
    private void connectAgain(Direction swallowed) {
        proxy.reset();
        proxy.pass(swallowed);
    }

    private void attemptWithoutAnswer(TestClaim claim, Direction swallowed) {
        proxy.swallow(swallowed);
        assertFails(claim::granted, "acquire of lock 'a'", "timed out");
        connectAgain(swallowed);
    }

    @Proves("5.6")
    @ParameterizedTest
    @EnumSource
    void unansweredAttemptIsSentOnceAndUndoneByRelease(Layout layout) {
        try (RedissonLockProvider provider = provider(layout)) {
            TestClaim claim = TestClaim.once(provider, "a");
            long before = scripts();
            proxy.swallow(Direction.REPLIES);

            assertFails(claim::granted, "acquire of lock 'a'", "timed out");

            // Longer than the client would take until its first repetition.
            letPass(Duration.ofMillis(600));
            assertThat(scripts()).isEqualTo(before + 1);
            assertThat(server.command("HGET", "a", redisson.getId() + ":holdfast-" + claim.id))
                    .isEqualTo("1");
            connectAgain(Direction.REPLIES);
            answered().until(claim::released);
            assertThat(server.command("EXISTS", "a")).isEqualTo(0L);
            assertThat(redisson.getLock("a").tryLock()).isTrue();
        }
    }

    @Proves("5.6")
    @ParameterizedTest
    @EnumSource
    void attemptArrivingAfterItsReleaseIsNotGranted(Layout layout) {
        try (RedissonLockProvider provider = provider(layout)) {
            TestClaim late = TestClaim.once(provider, "a");
            attemptWithoutAnswer(late, Direction.REQUESTS);
            answered().until(() -> !late.released());

            // The request that the network had delayed.
            assertThatThrownBy(late.claim::attempt)
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContaining("released before");

            assertThat(server.command("EXISTS", "a")).isEqualTo(0L);
            assertThat((Long) server.command("PTTL", "holdfast_redisson:withdrawn:" + late.id))
                    .isPositive();
            assertThat(TestClaim.once(provider, "a").granted()).isTrue();
        }
    }

    @Proves("5.6")
    @Test
    void attemptArrivingAfterALaterOneWasReleasedIsNotGranted() {
        try (RedissonLockProvider provider = provider(Layout.LOCK)) {
            TestClaim claim = TestClaim.once(provider, "a");
            attemptWithoutAnswer(claim, Direction.REQUESTS);
            answered().until(claim::granted);
            assertThat(claim.released()).isTrue();

            assertFails(claim::granted, "released before");

            assertThat(server.command("EXISTS", "a")).isEqualTo(0L);
        }
    }

    @Proves("5.6")
    @ParameterizedTest
    @EnumSource
    void fullServerReleasesAnUnansweredAttemptAndRefusesItLater(Layout layout) {
        try (RedissonLockProvider provider = provider(layout)) {
            TestClaim claim = TestClaim.once(provider, "a");
            attemptWithoutAnswer(claim, Direction.REPLIES);
            // A connection from before the fault may fail once, but not in the tested release.
            answered().until(() -> provider.holder("a").isPresent());
            fill();

            assertFails(TestClaim.once(provider, "b")::granted, "maxmemory");
            assertThat(claim.held()).isTrue();
            assertThat(claim.released()).isTrue();

            empty();
            assertThat(server.command("EXISTS", "a")).isEqualTo(0L);
            assertFails(claim::granted, "released before");
        }
    }

    @Proves("5.6")
    @Test
    void fullServerRefusesAnAttemptArrivingAfterItsRelease() {
        try (RedissonLockProvider provider = provider(Layout.LOCK)) {
            TestClaim late = TestClaim.once(provider, "a");
            attemptWithoutAnswer(late, Direction.REQUESTS);
            answered().until(() -> provider.holder("a").isEmpty());
            fill();

            assertThat(late.released()).isFalse();

            empty();
            assertFails(late::granted, "released before");
        }
    }

    /** Leaves no memory for writes. */
    private void fill() {
        server.command("CONFIG", "SET", "maxmemory", "1");
    }

    private void empty() {
        server.command("CONFIG", "SET", "maxmemory", "0");
    }

    @Test
    void releaseOfAnAnsweredClaimLeavesNoMark() {
        try (RedissonLockProvider provider = provider(Layout.LOCK)) {
            TestClaim claim = TestClaim.once(provider, "a");
            assertThat(claim.granted()).isTrue();
            assertThat(claim.released()).isTrue();
            assertThat(server.command("KEYS", "holdfast_redisson:withdrawn*")).isEqualTo(List.of());
        }
    }

    /** A server that is full takes the mark, and would fill up further with it. */
    @ParameterizedTest
    @EnumSource
    void attemptThatIsAnsweredByAnErrorLeavesNothing(Layout layout) {
        try (RedissonLockProvider provider = provider(layout)) {
            server.command("CONFIG", "SET", "maxmemory", "1");
            TestClaim claim = TestClaim.once(provider, "a");
            assertFails(claim::granted, "maxmemory");
            assertThat(claim.released()).isFalse();
            server.command("CONFIG", "SET", "maxmemory", "0");
            assertThat(server.command("KEYS", "holdfast_redisson:withdrawn*")).isEqualTo(List.of());
        }
    }

    @ParameterizedTest
    @EnumSource
    void releaseAfterALostReplyFindsNothing(Layout layout) {
        try (RedissonLockProvider provider = provider(layout)) {
            TestClaim claim = TestClaim.once(provider, "a");
            assertThat(claim.granted()).isTrue();
            proxy.swallow(Direction.REPLIES);
            assertFails(claim::released, "release of lock 'a'");
            connectAgain(Direction.REPLIES);

            TestClaim next = TestClaim.once(provider, "a");
            answered().until(next::granted);
            assertThat(claim.released()).isFalse();
            assertThat(next.held()).isTrue();
        }
    }

    @Proves("9.5")
    @ParameterizedTest
    @EnumSource
    void lockIsLostOnAServerPausedPastTheLease(Layout layout) {
        try (RedissonLockProvider provider = provider(layout)) {
            assertLockIsLostDuringAPause(server, provider, Duration.ofSeconds(1));
        }
    }

    @Proves("5.6")
    @Test
    void clientOfAPausedServerLeavesNoLockBehind() {
        String uri = "redisson://127.0.0.1:" + server.port() + "?timeout=400ms&lease=1m";
        try (LockClient client = LockClient.connect(uri)) {
            // The first call of a client may be slow.
            answered()
                    .until(() -> client.lock("other").tryAcquire(), Optional::isPresent)
                    .orElseThrow()
                    .close();
            server.pause();
            for (int i = 0; i < 8; i++) {
                String name = "lock-" + i;
                assertThatThrownBy(() -> client.lock(name).tryAcquire()).isInstanceOf(LockStoreException.class);
            }
            server.resume();

            // Far less than the lease: the server executes the attempts and releases of the pause in any order.
            soon().untilAsserted(
                            () -> assertThat(server.command("KEYS", "lock-*")).isEqualTo(List.of()));
            letPass(Duration.ofMillis(500));
            assertThat(server.command("KEYS", "lock-*")).isEqualTo(List.of());
        }
    }
}
