package io.holdfast.lock.core.client;

import static io.holdfast.lock.core.client.EngineWorld.take;
import static io.holdfast.lock.core.client.TroubledProvider.Call.ATTEMPT;
import static io.holdfast.lock.core.client.TroubledProvider.Call.RELEASE;
import static io.holdfast.lock.core.client.TroubledProvider.Call.RENEW;
import static io.holdfast.lock.core.client.TroubledProvider.Call.RENEW_ALL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.LockCapabilities.Reentrancy;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockOwner;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.core.client.TroubledProvider.Trouble;
import io.holdfast.lock.core.local.RetryPauses;
import io.holdfast.parts.Proves;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class ReentryTest {

    private static final LockOptions NOT_RENEWED = LockOptions.DEFAULTS.withoutRenewal();

    @AutoClose
    private final EngineWorld world = new EngineWorld();

    private final LockClient client = world.client();
    private final DistributedLock lock = client.lock("stock", NOT_RENEWED);

    @Test
    @Proves("4.6")
    void anOwnerThatHoldsTheLockInAnotherClientDoesNotWaitBehindStrangers() {
        LockOptions workflow = LockOptions.DEFAULTS.withOwner(LockOwner.of("workflow-17"));
        try (LockClient other = world.otherClient()) {
            LockHandle elsewhere = other.lock("stock", workflow).tryAcquire().orElseThrow();
            CompletableFuture<LockHandle> stranger = client.lock("stock").acquireAsync();

            LockHandle here = client.lock("stock", workflow).acquireAsync().join();
            assertThat(here.fencingToken()).isEqualTo(elsewhere.fencingToken());
            assertThat(stranger).isNotDone();
        }
    }

    @Test
    @Proves({"4.1", "4.2", "4.3"})
    void nestedHoldsCostNothingAndTheLastReleaseFreesTheLock() {
        LockHandle outer = lock.tryAcquire().orElseThrow();
        LockHandle inner = lock.tryAcquire().orElseThrow();
        assertThat(inner.fencingToken()).isEqualTo(outer.fencingToken());
        assertThat(world.provider.count(ATTEMPT)).isEqualTo(1);

        assertThat(outer.release()).isTrue();
        assertThat(outer.isHeld()).isFalse();
        assertThat(inner.isHeld()).isTrue();
        assertThat(world.provider.count(RELEASE)).isZero();
        assertThat(inner.release()).isTrue();
        assertThat(world.isTaken("stock")).isFalse();
        assertThat(world.provider.count(RELEASE)).isEqualTo(1);
        assertThat(world.provider.count(RENEW)).isZero();
    }

    @Test
    @Proves("4.3")
    void aNestedHoldRenewsFirstWhenLessThanAThirdOfTheLeaseIsLeft() {
        LockHandle outer = lock.tryAcquire().orElseThrow();
        world.time.advance(Duration.ofSeconds(20));
        take(lock);
        assertThat(world.provider.count(RENEW)).isZero();

        world.time.advance(Duration.ofMillis(1));
        LockHandle inner = lock.tryAcquire().orElseThrow();
        assertThat(world.provider.count(RENEW)).isEqualTo(1);
        assertThat(inner.remaining()).isEqualTo(Duration.ofSeconds(30));
        assertThat(inner.fencingToken()).isEqualTo(outer.fencingToken());
    }

    @Test
    @Proves("7.1")
    void aNestedAcquireDoesNotWaitForARenewalThatHangs() throws Exception {
        DistributedLock shared = client.lock("stock", NOT_RENEWED.withOwner(LockOwner.of("workflow-17")));
        LockHandle outer = shared.tryAcquire().orElseThrow();
        world.time.advance(Duration.ofSeconds(25));
        Hang hang = Hang.ofNext(RENEW, world.provider);
        Caller<Boolean> renewing = Caller.of(outer::renew);
        hang.awaitBegun();

        try {
            LockHandle inner = Caller.of(shared::acquire).result();
            assertThat(inner.remaining()).isEqualTo(Duration.ofSeconds(5));
        } finally {
            hang.end();
        }
        assertThat(renewing.result()).isTrue();
        assertThat(outer.remaining()).isEqualTo(Duration.ofSeconds(30));
    }

    @Test
    @Proves("4.1")
    void anAcquireWhoseNestedHoldEndedSharesTheNextHoldOfItsOwner() throws Exception {
        world.declaring(store -> store.withReentrancy(Reentrancy.CLIENT));
        try (LockClient counting = world.client()) {
            DistributedLock shared = counting.lock("stock", NOT_RENEWED.withOwner(LockOwner.of("workflow-17")));
            take(shared);
            world.time.advance(Duration.ofSeconds(25));
            Hang hang = Hang.ofNext(RENEW, world.provider);
            Caller<LockHandle> nested = Caller.of(shared::acquire);
            hang.awaitBegun();
            world.time.advance(Duration.ofSeconds(5));
            LockHandle next = shared.acquireAsync().join();
            CompletableFuture<LockHandle> stranger = counting.lock("stock").acquireAsync();

            hang.end();
            assertThat(nested.result().fencingToken()).isEqualTo(next.fencingToken());
            assertThat(stranger).isNotDone();
        }
    }

    @Test
    @Proves("7.5")
    void anAcquireWhoseNestedHoldEndedWaitsBehindThoseThatWait() throws Exception {
        world.declaring(store -> store.withReentrancy(Reentrancy.CLIENT));
        try (LockClient counting = world.client()) {
            DistributedLock shared = counting.lock("stock", NOT_RENEWED.withOwner(LockOwner.of("workflow-17")));
            take(shared);
            CompletableFuture<LockHandle> first = counting.lock("stock").acquireAsync();
            CompletableFuture<LockHandle> second = counting.lock("stock").acquireAsync();
            world.time.advance(Duration.ofSeconds(25));
            Hang hang = Hang.ofNext(RENEW, world.provider);
            Caller<LockHandle> nested = Caller.of(shared::acquire);
            hang.awaitBegun();
            world.time.advance(Duration.ofSeconds(6));
            assertThat(first).isCompletedWithValueMatching(LockHandle::isHeld);
            world.provider.forgetCalls();

            hang.end();
            nested.awaitBlocked();
            assertThat(world.provider.count(ATTEMPT)).isZero();
            first.join().release();
            second.join().release();
            assertThat(nested.result().release()).isTrue();
        }
    }

    @Test
    @Proves("4.1")
    void anAcquireThatIsRefusedBecauseOfItsOwnersOtherAcquireSharesItsHold() {
        List<LockHandle> meanwhile = new ArrayList<>();
        world.provider.beforeNext(ATTEMPT, () -> meanwhile.add(take(lock)));

        LockHandle second = lock.tryAcquire().orElseThrow();
        assertThat(second.fencingToken()).isEqualTo(meanwhile.get(0).fencingToken());
        assertThat(meanwhile.get(0).release()).isTrue();
        assertThat(second.release()).isTrue();
        assertThat(world.isTaken("stock")).isFalse();
    }

    @Test
    void aNestedHoldCostsNothingIfTheStoreGrantsLessThanTheLease() {
        world.provider.validity(lease -> Duration.ofSeconds(9));
        take(lock);
        take(lock);
        assertThat(world.provider.count(RENEW)).isZero();

        world.time.advance(Duration.ofMillis(6_001));
        take(lock);
        assertThat(world.provider.count(RENEW)).isEqualTo(1);
    }

    @Test
    void aFailedRenewalFailsTheNestedAcquireAndKeepsTheOuterHold() {
        LockHandle outer = lock.tryAcquire().orElseThrow();
        world.time.advance(Duration.ofSeconds(25));
        world.provider.trouble(RENEW, Trouble.REQUEST_LOST);

        assertThatThrownBy(lock::tryAcquire).isInstanceOf(LockStoreException.class);
        assertThat(outer.isHeld()).isTrue();
        assertThat(outer.release()).isTrue();
        assertThat(world.isTaken("stock")).isFalse();
    }

    @Test
    @Proves("4.5")
    void aNestedAcquireThatFindsTheLossMakesAFreshClaim() {
        world.provider.loseSignals();
        LockHandle outer = lock.tryAcquire().orElseThrow();
        world.time.advance(Duration.ofSeconds(25));
        world.removeRecord("stock");

        LockHandle fresh = lock.tryAcquire().orElseThrow();
        assertThat(outer.isHeld()).isFalse();
        assertThat(fresh.fencingToken()).isGreaterThan(outer.fencingToken());
        assertThat(outer.release()).isFalse();
        assertThat(fresh.isHeld()).isTrue();
    }

    @Test
    @Proves("4.5")
    void afterALossTheNextAcquireIsAFreshClaimWithAFreshToken() {
        LockHandle outer = lock.tryAcquire().orElseThrow();
        LockHandle inner = lock.tryAcquire().orElseThrow();
        world.time.advance(EngineWorld.LEASE);

        LockHandle fresh = lock.tryAcquire().orElseThrow();
        assertThat(fresh.fencingToken()).isGreaterThan(outer.fencingToken());
        assertThat(inner.release()).isFalse();
        assertThat(outer.release()).isFalse();
        assertThat(fresh.isHeld()).isTrue();
        assertThat(fresh.release()).isTrue();
    }

    @Test
    @Proves("9.1")
    void aHandleMayBeClosedByAnotherThread() throws Exception {
        LockHandle outer = lock.tryAcquire().orElseThrow();
        LockHandle inner = lock.tryAcquire().orElseThrow();
        assertThat(Caller.of(inner::release).result()).isTrue();
        assertThat(outer.isHeld()).isTrue();
        assertThat(Caller.of(outer::release).result()).isTrue();
        assertThat(world.isTaken("stock")).isFalse();
    }

    @Test
    @Proves({"1.1", "4.4"})
    void anotherThreadDoesNotReenter() throws Exception {
        take(lock);
        assertThat(Caller.of(lock::tryAcquire).result()).isEmpty();
    }

    @Test
    @Proves({"4.2", "4.5"})
    void anAcquireDuringTheSameOwnersLastReleaseIsAFreshClaim() throws Exception {
        LockOptions workflow = LockOptions.DEFAULTS.withOwner(LockOwner.of("workflow-17"));
        LockHandle last = client.lock("stock", workflow).tryAcquire().orElseThrow();
        CompletableFuture<Void> answer = new CompletableFuture<>();
        world.provider.beforeNext(RELEASE, answer::join);
        Caller<Boolean> releasing = Caller.of(last::release).awaitBlocked();

        Optional<LockHandle> next = client.lock("stock", workflow).tryAcquire();
        assertThat(world.provider.count(ATTEMPT)).isEqualTo(2);
        answer.complete(null);
        assertThat(releasing.result()).isTrue();
        assertThat(next).isPresent();
        assertThat(next.get().isHeld()).isTrue();
        assertThat(world.isTaken("stock")).isTrue();
    }

    @Test
    @Proves("3.7")
    void nestedHoldsCauseNoExtraRenewals() {
        DistributedLock renewed = client.lock("stock");
        LockHandle outer = renewed.tryAcquire().orElseThrow();
        LockHandle inner = renewed.tryAcquire().orElseThrow();
        renewed.tryAcquire().orElseThrow().release();
        world.time.advance(Duration.ofSeconds(10));
        assertThat(world.provider.count(RENEW_ALL)).isEqualTo(1);
        assertThat(world.provider.names(RENEW_ALL)).containsExactly("stock");

        inner.release();
        world.time.advance(Duration.ofSeconds(10));
        assertThat(world.provider.count(RENEW_ALL)).isEqualTo(2);
        outer.release();
        world.time.advance(Duration.ofMinutes(1));
        assertThat(world.provider.count(RENEW_ALL)).isEqualTo(2);
    }

    @Test
    @Proves("4.3")
    void aNestedHoldNeedsAThirdOfTheLatestValidity() {
        LockHandle outer = take(lock);
        world.time.advance(Duration.ofSeconds(29));
        world.provider.validity(lease -> Duration.ofSeconds(3));
        assertThat(outer.renew()).isTrue();
        world.time.advance(Duration.ofSeconds(1));
        world.provider.forgetCalls();

        assertThat(lock.tryAcquire()).isPresent();
        assertThat(world.provider.count(RENEW)).isZero();
        world.time.advance(Duration.ofMillis(1_500));
        assertThat(lock.tryAcquire()).isPresent();
        assertThat(world.provider.count(RENEW)).isEqualTo(1);
    }

    @Test
    @Proves("4.5")
    void aGrantProvesThatAnOlderHoldOfTheSameThreadWasLost() {
        OneLockStore store = new OneLockStore();
        TroubledProvider provider = new TroubledProvider(store);
        provider.loseSignals();
        try (LockClient deaf = world.client(provider)) {
            DistributedLock mine = deaf.lock("stock", LockOptions.DEFAULTS.withOwner(LockOwner.thread()));
            store.strangerTakes();
            CompletableFuture<LockHandle> waiting = mine.acquireAsync();
            LockHandle[] older = new LockHandle[1];
            provider.beforeNext(ATTEMPT, () -> {
                store.strangerLeaves();
                older[0] = take(mine);
                store.operatorRemoves();
            });
            world.time.advance(RetryPauses.SAFETY_NET);

            assertThat(older[0].lost()).isCompletedWithValue(LossCause.TAKEN_OVER);
            assertThat(waiting.join().isHeld()).isTrue();
            assertThat(store.isTaken()).isTrue();
        }
    }

    @Test
    @Proves({"4.2", "4.3"})
    void acquiresOfOneOwnerThatTheStoreGrantedTogetherShareOneHold() {
        assertThatTwoGrantsShareOneHold();
    }

    @Test
    @Proves({"4.2", "4.3"})
    void acquiresThatWereGrantedTogetherShareOneHoldWithoutTokens() {
        world.provider.withoutTokens();
        assertThatTwoGrantsShareOneHold();
    }

    private void assertThatTwoGrantsShareOneHold() {
        LockOptions workflow = LockOptions.DEFAULTS.withOwner(LockOwner.of("workflow-17"));
        List<LockHandle> meanwhile = new ArrayList<>();
        world.provider.beforeNext(ATTEMPT, () -> meanwhile.add(take(client.lock("stock", workflow))));
        LockHandle second = take(client.lock("stock", workflow));
        LockHandle first = meanwhile.get(0);
        assertThat(world.provider.count(ATTEMPT)).isEqualTo(2);
        assertThat(world.provider.count(RELEASE)).as("of the claim too many").isEqualTo(1);

        assertThat(second.release()).isTrue();
        assertThat(first.isHeld()).isTrue();
        assertThat(first.lost()).isNotDone();
        assertThat(world.isTaken("stock")).isTrue();
        assertThat(first.release()).isTrue();
        assertThat(world.isTaken("stock")).isFalse();
    }

    /** Claims that are granted together have one token, so a greater token proves that the older grant has ended. */
    @Test
    @Proves({"4.5", "8.1"})
    void aGrantWithAGreaterTokenProvesThatAnOlderHoldOfTheSameOwnerWasLost() {
        LockOptions workflow = LockOptions.DEFAULTS.withOwner(LockOwner.of("workflow-17"));
        world.provider.loseSignals();
        List<LockHandle> older = new ArrayList<>();
        world.provider.beforeNext(ATTEMPT, () -> {
            older.add(take(client.lock("stock", workflow)));
            world.removeRecord("stock");
        });
        LockHandle fresh = take(client.lock("stock", workflow));

        assertThat(fresh.fencingToken()).isGreaterThan(older.get(0).fencingToken());
        assertThat(older.get(0).isHeld()).isFalse();
        assertThat(older.get(0).lost()).isCompletedWithValue(LossCause.TAKEN_OVER);
        assertThat(fresh.isHeld()).isTrue();
        assertThat(world.isTaken("stock")).isTrue();
    }
}
