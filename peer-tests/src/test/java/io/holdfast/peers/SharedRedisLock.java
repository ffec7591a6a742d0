package io.holdfast.peers;

import static io.holdfast.parts.Waits.letPass;
import static io.holdfast.parts.Waits.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.redis.RedisLockProvider;
import io.holdfast.lock.redis.RedisLockProviderFactory;
import io.holdfast.parts.Providers;
import io.holdfast.parts.RedisServerScene;
import io.holdfast.parts.TestClaim;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What has to be true of a lock that users of another library and ours share. */
abstract class SharedRedisLock extends RedisServerScene {

    static final String NAME = "stock:42";
    static final Duration LONG = Duration.ofSeconds(30);
    static final Duration SHORT = Duration.ofSeconds(3);
    private static final Duration BOUND = Duration.ofSeconds(20);

    RedisLockProvider ours;

    /** What the URI has to say, such as {@code layout=string&prefix=}. */
    abstract String parameters();

    /** A user with the given lease. */
    abstract Peer peer(Duration lease);

    /** How the library tells its user that the lock was lost before; empty if it does not. */
    Optional<Class<? extends Throwable>> failureOfALateRelease() {
        return Optional.empty();
    }

    String uri() {
        return "redis://" + server.host() + ":" + server.port() + "?" + parameters();
    }

    @BeforeEach
    void open() {
        ours = (RedisLockProvider) Providers.open(new RedisLockProviderFactory(), uri(), Map.of());
    }

    @AfterEach
    void close() {
        ours.close();
    }

    @Test
    void theyExcludeUsUntilTheyRelease() {
        try (Peer theirs = peer(LONG)) {
            assertThat(theirs.take()).isTrue();
            TestClaim claim = TestClaim.once(ours, NAME);
            Duration poll = claim.refused().retryAfter().orElseThrow();
            assertThat(poll).as("they publish nothing that we hear").isLessThanOrEqualTo(Duration.ofMillis(500));
            assertThat(claim.released()).isFalse();
            assertThat(TestClaim.once(ours, NAME).granted()).isFalse();

            theirs.release();

            assertThat(claim.granted()).isTrue();
        }
    }

    @Test
    void weExcludeThemUntilWeRelease() {
        try (Peer theirs = peer(LONG)) {
            TestClaim claim = TestClaim.once(ours, NAME);
            assertThat(claim.granted()).isTrue();
            assertThat(theirs.take()).isFalse();
            assertThat(claim.held()).isTrue();

            assertThat(claim.released()).isTrue();

            assertThat(theirs.take()).isTrue();
            theirs.release();
        }
    }

    @Test
    void endOfTheirLeaseLetsUsInAndTheirLateReleaseLeavesOursHeld() {
        try (Peer theirs = peer(SHORT)) {
            assertThat(theirs.take()).isTrue();
            TestClaim claim = TestClaim.once(ours, NAME);
            assertThat(claim.granted()).isFalse();
            soon().until(claim::granted);

            assertThat(Optional.ofNullable(catchThrowable(theirs::release)).map(Throwable::getClass))
                    .isEqualTo(failureOfALateRelease());

            assertThat(claim.held()).isTrue();
            assertThat(claim.released()).isTrue();
        }
    }

    @Test
    void endOfOurLeaseLetsThemInAndOurLateReleaseLeavesTheirsHeld() throws InterruptedException {
        try (Peer theirs = peer(LONG)) {
            TestClaim claim = TestClaim.once(ours, NAME, SHORT);
            assertThat(claim.granted()).isTrue();
            assertThat(theirs.take()).isFalse();
            assertThat(theirs.take(BOUND)).as("on this thread, which owns it").isTrue();

            assertThat(claim.held()).isFalse();
            assertThat(claim.released()).isFalse();
            assertThat(TestClaim.once(ours, NAME).granted()).isFalse();
            theirs.release();
            assertThat(TestClaim.once(ours, NAME).granted()).isTrue();
        }
    }

    @Test
    void ourWaiterGetsTheLockAfterTheirRelease() throws InterruptedException {
        try (Peer theirs = peer(LONG);
                LockClient client = LockClient.connect(uri())) {
            assertThat(theirs.take()).isTrue();
            CompletableFuture<LockHandle> waiter =
                    client.lock(NAME).acquireAsync().toCompletableFuture();
            letPass(Duration.ofMillis(300));
            assertThat(waiter).isNotDone();

            theirs.release();

            soon().until(waiter::isDone);
            assertThat(waiter.join().isHeld()).isTrue();
            waiter.join().close();
        }
    }

    @Test
    void theirWaiterGetsTheLockAfterOurRelease() {
        try (Peer theirs = peer(LONG)) {
            TestClaim claim = TestClaim.once(ours, NAME);
            assertThat(claim.granted()).isTrue();
            CompletableFuture<Boolean> waiter = CompletableFuture.supplyAsync(() -> waits(theirs));
            letPass(Duration.ofMillis(300));
            assertThat(waiter).isNotDone();

            assertThat(claim.released()).isTrue();

            assertThat(waiter.orTimeout(BOUND.toSeconds(), TimeUnit.SECONDS).join())
                    .isTrue();
        }
    }

    private static boolean waits(Peer theirs) {
        try {
            boolean taken = theirs.take(BOUND);
            if (taken) {
                theirs.release();
            }
            return taken;
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }
}
