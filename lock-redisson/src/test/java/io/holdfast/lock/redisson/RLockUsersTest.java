package io.holdfast.lock.redisson;

import static io.holdfast.parts.Waits.letPass;
import static io.holdfast.parts.Waits.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LossCause;
import io.holdfast.lock.redisson.RedissonLockProvider.Layout;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.parts.Proves;
import io.holdfast.parts.TestClaim;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;

/** Redisson's own locks and ours of the same name exclude and wake each other. */
class RLockUsersTest extends RedissonScene {

    enum Kind {
        LOCK,
        FENCED_LOCK;

        RLock of(RedissonClient client, String name) {
            return this == LOCK ? client.getLock(name) : client.getFencedLock(name);
        }
    }

    private RedissonLockProvider with(Layout layout) {
        return RedissonLockProvider.over(redisson).layout(layout).build();
    }

    /** How many attempts were refused: each answer reads the time that is left. */
    private long refusals() {
        return server.calls("pttl");
    }

    private static void take(RLock lock, Duration lease) {
        lock.lock(lease.toMillis(), TimeUnit.MILLISECONDS);
    }

    @ParameterizedTest
    @CsvSource({"LOCK, LOCK", "LOCK, FENCED_LOCK", "FENCED, LOCK", "FENCED, FENCED_LOCK"})
    void lockAndRLockExcludeEachOther(Layout layout, Kind kind) {
        for (String name : List.of("a", "{tag}a", "a{b", "a}b", "ä 锁")) {
            try (RedissonLockProvider ours = with(layout)) {
                RLock rLock = kind.of(redisson, name);
                TestClaim claim = TestClaim.once(ours, name);
                assertThat(claim.granted()).as(name).isTrue();
                assertThat(rLock.tryLock()).as(name).isFalse();
                assertThat(rLock.isLocked()).isTrue();
                assertThat(rLock.isHeldByCurrentThread()).isFalse();
                assertThat(rLock.remainTimeToLive()).isBetween(1L, TestClaim.LEASE.toMillis());
                assertThat(claim.released()).isTrue();

                assertThat(rLock.tryLock()).as(name).isTrue();
                assertThat(TestClaim.once(ours, name).granted()).as(name).isFalse();
                rLock.unlock();
                assertThat(TestClaim.once(ours, name).granted()).as(name).isTrue();
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"LOCK, LOCK", "LOCK, FENCED_LOCK", "FENCED, LOCK", "FENCED, FENCED_LOCK"})
    void releaseWakesAnRLockWaiter(Layout layout, Kind kind) throws Exception {
        RedissonClient application = Redissons.on(server);
        try (RedissonLockProvider ours = with(layout)) {
            TestClaim holder = TestClaim.once(ours, "a");
            assertThat(holder.granted()).isTrue();
            long before = refusals();
            Future<Boolean> rLock =
                    threads.submit(() -> kind.of(application, "a").tryLock(BOUND.toMillis(), TimeUnit.MILLISECONDS));
            awaitSubscribers("a", 1);
            // The attempt that follows the subscription, after which only a message wakes it.
            soon().until(() -> refusals() >= before + 2);

            assertThat(holder.released()).isTrue();

            assertThat(rLock.get(PROMPT.toMillis(), TimeUnit.MILLISECONDS)).isTrue();
        } finally {
            application.shutdown();
        }
    }

    @ParameterizedTest
    @CsvSource({"LOCK, LOCK", "LOCK, FENCED_LOCK", "FENCED, LOCK", "FENCED, FENCED_LOCK"})
    void rLockReleaseWakesAWaiter(Layout layout, Kind kind) {
        for (String name : List.of("a", "{tag}a", "a{b")) {
            RedissonClient application = Redissons.on(server);
            try (RedissonLockProvider ours = with(layout)) {
                RLock rLock = kind.of(application, name);
                take(rLock, Duration.ofSeconds(20));
                TestClaim waiter = TestClaim.waiting(ours, name);
                Attempt.Contended refused = waiter.refused();
                assertThat(refused.retryAfter().orElseThrow())
                        .as("an expiry publishes nothing, so its time is returned")
                        .isBetween(Duration.ofSeconds(10), Duration.ofMillis(20_001));
                awaitSignals(waiter, 1);
                int before = waiter.mayBeFree.get();

                rLock.unlock();

                soon().atMost(PROMPT).until(() -> waiter.mayBeFree.get() > before);
                assertThat(waiter.granted()).isTrue();
                assertThat(waiter.released()).isTrue();
            } finally {
                application.shutdown();
            }
        }
    }

    @Test
    void subscriptionEndedByAnRLockWaiterIsOpenedAgain() throws Exception {
        RLock rLock = redisson.getLock("a");
        assertThat(rLock.tryLock()).isTrue();
        TestClaim waiter = waiter(provider, "a");
        int heard = waiter.mayBeFree.get();
        long subscribed = server.calls("subscribe");
        long unsubscribed = server.calls("unsubscribe");
        // Its time may be used up before it subscribes: then another has to. The pause lets one that did unsubscribe.
        soon().pollInterval(Duration.ofMillis(200)).until(() -> {
            if (server.calls("unsubscribe") > unsubscribed) {
                return true;
            }
            assertThat(threads.submit(() -> redisson.getLock("a").tryLock(100, TimeUnit.MILLISECONDS))
                            .get())
                    .isFalse();
            return false;
        });

        soon().until(() -> server.calls("subscribe") > subscribed);
        awaitSignals(waiter, heard + 1);
        int before = waiter.mayBeFree.get();
        rLock.unlock();

        soon().atMost(PROMPT).until(() -> waiter.mayBeFree.get() > before);
        assertThat(waiter.granted()).isTrue();
    }

    @Test
    void unsubscribeDoesNotDisturbAnRLockWaiter() throws Exception {
        TestClaim holder = TestClaim.once(provider, "a");
        assertThat(holder.granted()).isTrue();
        RedissonLockProvider other = RedissonLockProvider.over(redisson).build();
        waiter(other, "a");
        long before = refusals();
        Future<Boolean> rLock =
                threads.submit(() -> redisson.getLock("a").tryLock(BOUND.toMillis(), TimeUnit.MILLISECONDS));
        soon().until(() -> refusals() >= before + 2);

        other.close();
        assertThat(holder.released()).isTrue();

        assertThat(rLock.get(PROMPT.toMillis(), TimeUnit.MILLISECONDS)).isTrue();
    }

    @Proves({"3.1", "3.2", "5.2"})
    @ParameterizedTest
    @EnumSource
    void holderWhoseLockAnRLockTookCanNeitherRenewNorReleaseIt(Layout layout) {
        try (RedissonLockProvider ours = with(layout)) {
            TestClaim holder = TestClaim.once(ours, "a");
            assertThat(holder.granted()).isTrue();
            RLock rLock = redisson.getLock("a");
            assertThat(rLock.forceUnlock()).isTrue();
            take(rLock, Duration.ofSeconds(10));

            assertThat(holder.claim.renew()).isEqualTo(new Renewal.Lost(LossCause.TAKEN_OVER));
            assertThat(ours.renewAll(List.of(holder.claim))).containsExactly(new Renewal.Lost(LossCause.TAKEN_OVER));
            assertThat(holder.claim.release()).isEqualTo(Release.NOT_HELD);

            assertThat(rLock.isHeldByCurrentThread()).isTrue();
            assertThat(rLock.remainTimeToLive()).isLessThanOrEqualTo(10_000);
        }
    }

    @ParameterizedTest
    @CsvSource({"LOCK, LOCK", "FENCED, FENCED_LOCK"})
    void endOfAnRLocksLeaseLetsAClaimInWhichItsLateUnlockDoesNotFree(Layout layout, Kind kind) {
        try (RedissonLockProvider ours = with(layout)) {
            RLock rLock = kind.of(redisson, "a");
            take(rLock, Duration.ofSeconds(3));
            TestClaim claim = TestClaim.once(ours, "a");
            assertThat(claim.granted()).isFalse();
            soon().until(claim::granted);

            assertThatThrownBy(rLock::unlock).isInstanceOf(IllegalMonitorStateException.class);

            assertThat(claim.held()).isTrue();
            assertThat(claim.released()).isTrue();
        }
    }

    @ParameterizedTest
    @CsvSource({"LOCK, LOCK", "FENCED, FENCED_LOCK"})
    void endOfAClaimsLeaseLetsAnRLockInWhichItsLateReleaseDoesNotFree(Layout layout, Kind kind) throws Exception {
        try (RedissonLockProvider ours = with(layout)) {
            RLock rLock = kind.of(redisson, "a");
            TestClaim claim = TestClaim.once(ours, "a", Duration.ofSeconds(3));
            assertThat(claim.granted()).isTrue();
            assertThat(rLock.tryLock()).isFalse();
            assertThat(rLock.tryLock(BOUND.toMillis(), TimeUnit.MILLISECONDS)).isTrue();

            assertThat(claim.held()).isFalse();
            assertThat(claim.released()).isFalse();

            assertThat(rLock.isHeldByCurrentThread()).isTrue();
            assertThat(TestClaim.once(ours, "a").granted()).isFalse();
            rLock.unlock();
        }
    }

    @Test
    void rLockWatchdogKeepsClaimsOutAndItsHolderIsShown() {
        redisson.getConfig().setLockWatchdogTimeout(3_000);
        RedissonClient impatient = Redisson.create(redisson.getConfig());
        try {
            RLock rLock = impatient.getLock("a");
            assertThat(rLock.tryLock()).isTrue();
            assertThat(provider.holder("a").orElseThrow().owner())
                    .isEqualTo(impatient.getId() + ":" + Thread.currentThread().getId());
            letPass(Duration.ofMillis(3_500));

            assertThat(TestClaim.once(provider, "a").granted()).isFalse();
            rLock.unlock();
            assertThat(provider.holder("a")).isEmpty();
            assertThat(TestClaim.once(provider, "a").granted()).isTrue();
        } finally {
            impatient.shutdown();
        }
    }

    @ParameterizedTest
    @EnumSource
    void rLockWatchdogNeverRenewsAClaim(Layout layout) {
        redisson.getConfig().setLockWatchdogTimeout(300);
        RedissonClient impatient = Redisson.create(redisson.getConfig());
        try (RedissonLockProvider ours =
                RedissonLockProvider.over(impatient).layout(layout).build()) {
            TestClaim holder = TestClaim.once(ours, "a", Duration.ofMillis(800));
            assertThat(holder.granted()).isTrue();

            soon().until(() -> server.command("EXISTS", "a").equals(0L));

            assertThat(holder.held()).isFalse();
        } finally {
            impatient.shutdown();
        }
    }

    @Test
    void recordWithoutAnExpiryHasNoRetryTime() {
        server.command("HSET", "a", "somebody:1", "1");

        assertThat(TestClaim.once(provider, "a").refused().retryAfter()).isEmpty();
    }
}
