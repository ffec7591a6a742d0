package io.holdfast.lock.core.client;

import static io.holdfast.lock.core.client.EngineWorld.take;
import static io.holdfast.lock.core.client.TroubledProvider.Call.ATTEMPT;
import static io.holdfast.lock.core.client.TroubledProvider.Call.RELEASE;
import static io.holdfast.lock.core.client.TroubledProvider.Call.RENEW_ALL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.LockCapabilities.LeaseControl;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.core.client.TroubledProvider.Trouble;
import io.holdfast.lock.spi.StoreTime;
import io.holdfast.parts.Proves;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Attempts that fail, get lost, or are answered too late or by nonsense. */
class UnknownOutcomeTest {

    @AutoClose
    private final EngineWorld world = new EngineWorld();

    private final LockClient client = world.client();
    private final LockClient other = world.otherClient();
    private final DistributedLock lock = client.lock("stock");

    @Test
    @Proves({"1.6", "5.6"})
    void aGrantWithALostAnswerIsReleased() {
        world.provider.trouble(ATTEMPT, Trouble.ANSWER_LOST);

        assertThatThrownBy(lock::tryAcquire).isInstanceOf(LockStoreException.class);
        assertThat(world.isTaken("stock")).isFalse();
    }

    @Test
    @Proves("5.6")
    void aGrantThatTheEngineCannotProcessIsReleased() {
        world.provider.tellTime(name -> new StoreTime(new WithoutIdentity(), Instant.EPOCH));

        assertThatThrownBy(lock::tryAcquire).isInstanceOf(LockStoreException.class);
        assertThat(world.isTaken("stock")).isFalse();
    }

    @Test
    @Proves("5.6")
    void aGrantWithALostAnswerIsReleasedAfterAnOutage() {
        world.provider.trouble(ATTEMPT, Trouble.ANSWER_LOST);
        world.provider.trouble(RELEASE, Trouble.REQUEST_LOST);
        assertThatThrownBy(lock::tryAcquire).isInstanceOf(LockStoreException.class);
        world.time.advance(Duration.ofSeconds(5));
        assertThat(world.isTaken("stock")).isTrue();

        world.provider.trouble(RELEASE, Trouble.NONE);
        world.time.advance(Duration.ofSeconds(2));
        assertThat(world.isTaken("stock")).isFalse();
    }

    @Test
    @Proves("5.6")
    void aGrantOfALongLeaseWithALostAnswerIsReleasedAfterALongOutage() {
        LockOptions tenMinutes = LockOptions.DEFAULTS.withLeaseTime(Duration.ofMinutes(10));
        world.provider.trouble(ATTEMPT, Trouble.ANSWER_LOST);
        world.provider.trouble(RELEASE, Trouble.REQUEST_LOST);
        assertThatThrownBy(() -> client.lock("stock", tenMinutes).tryAcquire()).isInstanceOf(LockStoreException.class);
        world.time.advance(Duration.ofMinutes(8));
        assertThat(world.isTaken("stock")).isTrue();

        world.provider.trouble(RELEASE, Trouble.NONE);
        world.time.advance(Duration.ofSeconds(10));
        assertThat(world.isTaken("stock")).isFalse();
    }

    @Test
    @Proves("5.6")
    void anAttemptThatReachesTheStoreAfterItsReleaseIsReleased() {
        world.provider.trouble(ATTEMPT, Trouble.REQUEST_LOST);
        assertThatThrownBy(lock::tryAcquire).isInstanceOf(LockStoreException.class);
        assertThat(world.provider.count(RELEASE)).isEqualTo(1);

        world.provider.latestClaim().attempt();
        assertThat(world.isTaken("stock")).isTrue();
        world.time.advance(Duration.ofMillis(100));
        assertThat(world.isTaken("stock")).isFalse();
    }

    @Test
    @Proves("5.6")
    void anAttemptThatAPausedStoreGrantsLongAfterTheLeaseIsReleased() {
        world.provider.troubleAll(Trouble.REQUEST_LOST);
        assertThatThrownBy(lock::tryAcquire).isInstanceOf(LockStoreException.class);
        world.time.advance(EngineWorld.LEASE.multipliedBy(3));
        world.provider.troubleAll(Trouble.NONE);
        world.provider.latestClaim().attempt();
        assertThat(world.isTaken("stock")).isTrue();

        world.time.advance(Duration.ofSeconds(10));
        assertThat(world.isTaken("stock")).isFalse();
    }

    @Test
    @Proves("5.6")
    void anAttemptThatAPausedStoreGrantsAfterItsFirstAnswerIsReleased() {
        world.provider.troubleAll(Trouble.REQUEST_LOST);
        assertThatThrownBy(lock::tryAcquire).isInstanceOf(LockStoreException.class);
        world.time.advance(EngineWorld.LEASE.multipliedBy(3));
        world.provider.forgetCalls();
        world.provider.troubleAll(Trouble.NONE);
        while (world.provider.count(RELEASE) == 0) {
            world.time.advance(Duration.ofMillis(10));
        }
        world.provider.latestClaim().attempt();
        assertThat(world.isTaken("stock")).isTrue();

        world.time.advance(Duration.ofMillis(100));
        assertThat(world.isTaken("stock")).isFalse();
    }

    @Test
    void theReleaseOfAnAttemptEndsFiveMinutesAfterTheStoreWasLost() {
        world.provider.troubleAll(Trouble.REQUEST_LOST);
        assertThatThrownBy(lock::tryAcquire).isInstanceOf(LockStoreException.class);
        world.time.advance(Duration.ofMinutes(5));
        assertThat(world.time.timers()).isZero();
    }

    @Test
    void theReleaseOfAnUnknownAttemptEndsWithItsLease() {
        world.provider.trouble(ATTEMPT, Trouble.REQUEST_LOST);
        assertThatThrownBy(lock::tryAcquire).isInstanceOf(LockStoreException.class);
        world.time.advance(EngineWorld.LEASE);

        assertThat(world.provider.count(RELEASE)).isBetween(5L, 12L);
        assertThat(world.time.timers()).isZero();
    }

    @Test
    @Proves({"1.6", "9.5"})
    void aFailureFailsAllWaitersBehindAndTheNextAcquireWorks() {
        LockHandle held = other.lock("stock").tryAcquire().orElseThrow();
        List<CompletableFuture<LockHandle>> waiting =
                IntStream.range(0, 50).mapToObj(i -> lock.acquireAsync()).toList();
        world.provider.forgetCalls();
        world.provider.troubleAll(Trouble.REQUEST_LOST);
        world.time.advance(Duration.ofSeconds(5));

        assertThat(world.provider.count(ATTEMPT)).isEqualTo(1);
        assertThat(waiting)
                .allSatisfy(waiter -> assertThatThrownBy(waiter::join).hasCauseInstanceOf(LockStoreException.class));

        world.provider.troubleAll(Trouble.NONE);
        world.time.advance(Duration.ofMillis(100));
        held.release();
        assertThat(lock.acquireAsync()).isCompletedWithValueMatching(LockHandle::isHeld);
    }

    @Test
    @Proves("2.6")
    void aGrantThatExpiredOnItsWayIsReleased() {
        world.provider.validity(lease -> lease.minusSeconds(30));

        assertThatThrownBy(lock::tryAcquire)
                .isInstanceOf(LockLostException.class)
                .hasMessageContaining("stock")
                .hasMessageContaining("30000 ms");
        assertThat(world.isTaken("stock")).isFalse();
    }

    @Test
    @Proves({"2.5", "2.6"})
    void theValidityCountsFromBeforeTheCallWasSent() {
        world.provider.beforeNext(ATTEMPT, () -> world.time.jump(Duration.ofSeconds(10)));
        LockHandle handle = lock.tryAcquire().orElseThrow();
        assertThat(handle.remaining()).isEqualTo(Duration.ofSeconds(20));
    }

    @Test
    @Proves("1.6")
    void anyExceptionOfTheProviderIsAnUnknownOutcome() {
        LockHandle held = other.lock("stock").tryAcquire().orElseThrow();
        world.provider.before(ATTEMPT, () -> {
            throw new IllegalStateException("a defect");
        });
        assertThatThrownBy(lock::tryAcquire)
                .isInstanceOf(LockStoreException.class)
                .hasRootCauseMessage("a defect");
        assertThat(world.provider.count(RELEASE)).isEqualTo(1);
        assertThat(held.isHeld()).isTrue();
    }

    @Test
    @Proves({"5.5", "9.5"})
    void anErrorOfTheProviderIsAnUnknownOutcome() {
        Runnable broken = () -> {
            throw new StackOverflowError("planted");
        };
        world.provider.beforeNext(ATTEMPT, broken);
        assertThatThrownBy(lock::acquire)
                .isInstanceOf(LockStoreException.class)
                .hasMessageContaining("acquire the lock 'stock'")
                .hasRootCauseMessage("planted");

        LockHandle handle = lock.acquireAsync().join();
        world.provider.beforeNext(RELEASE, broken);
        assertThatThrownBy(handle::release)
                .isInstanceOf(LockStoreException.class)
                .hasRootCauseMessage("planted");
        assertThat(world.isTaken("stock")).as("released in the background").isFalse();
    }

    @Test
    @Proves("9.5")
    void anErrorOfTheJvmEndsAnAsynchronousAcquireAndThoseBehindIt() {
        TaskQueue store = new TaskQueue();
        world.storeCallsOn(store);
        world.provider.beforeNext(ATTEMPT, () -> {
            throw new StackOverflowError("planted");
        });
        try (LockClient queued = world.client()) {
            CompletableFuture<LockHandle> first = queued.lock("stock").acquireAsync();
            CompletableFuture<LockHandle> second = queued.lock("stock").acquireAsync();
            store.open();

            assertThatThrownBy(first::join).hasRootCauseMessage("planted");
            assertThatThrownBy(second::join).hasRootCauseMessage("planted");
        }
    }

    @Test
    void aGrantOfTheLongestValidityIsHeld() {
        world.provider.validity(lease -> Duration.ofSeconds(Long.MAX_VALUE));
        LockHandle handle = lock.tryAcquire().orElseThrow();
        assertThat(handle.remaining()).isGreaterThan(Duration.ofDays(300));
        assertThat(handle.renew()).isTrue();
        assertThat(handle.release()).isTrue();
    }

    @Test
    void theShortestLeaseIsGrantedAndEnds() {
        LockHandle handle = client.lock("stock", LockOptions.DEFAULTS.withLeaseTime(Duration.ofMillis(1)))
                .tryAcquire()
                .orElseThrow();
        assertThat(handle.isHeld()).isTrue();
        world.time.advance(Duration.ofMillis(1));
        assertThat(handle.isHeld()).isFalse();
        assertThat(world.time.timers()).isZero();
    }

    @Test
    @Proves("5.6")
    void aClaimOfASessionIsReleasedAfterALongOutage() {
        world.declaring(store -> store.withLeaseControl(LeaseControl.SESSION));
        try (LockClient session = world.client()) {
            world.provider.trouble(ATTEMPT, Trouble.ANSWER_LOST);
            world.provider.trouble(RELEASE, Trouble.REQUEST_LOST);
            assertThatThrownBy(session.lock("stock")::tryAcquire).isInstanceOf(LockStoreException.class);
            world.provider.forgetCalls();
            world.time.advance(Duration.ofHours(1));
            assertThat(world.provider.count(RELEASE)).as("every 10 seconds").isBetween(350L, 370L);

            world.provider.troubleAll(Trouble.NONE);
            world.time.advance(Duration.ofSeconds(10));
            assertThat(world.provider.count(RELEASE)).isBetween(351L, 390L);
            world.time.advance(Duration.ofSeconds(40));
            assertThat(world.time.timers()).isZero();
        }
    }

    @Test
    @Proves("5.6")
    void aLateAttemptOfASessionIsReleasedDespiteAShortLease() {
        OneLockStore store = new OneLockStore();
        TroubledProvider provider = new TroubledProvider(store);
        provider.declare(declared -> declared.withLeaseControl(LeaseControl.SESSION));
        try (LockClient session = world.client(provider)) {
            provider.trouble(ATTEMPT, Trouble.REQUEST_LOST);
            LockOptions brief = LockOptions.DEFAULTS.withLeaseTime(Duration.ofMillis(50));
            assertThatThrownBy(session.lock("stock", brief)::tryAcquire).isInstanceOf(LockStoreException.class);
            world.time.advance(Duration.ofMillis(50));
            provider.latestClaim().attempt();
            assertThat(store.isTaken()).isTrue();

            world.time.advance(Duration.ofSeconds(30));
            assertThat(store.isTaken()).isFalse();
        }
    }

    @Test
    @Proves({"3.6", "5.6"})
    void aBackgroundReleaseWaitsForNoOtherClaim() throws Exception {
        TaskQueue renewals = new TaskQueue();
        world.renewalsOn(renewals);
        try (LockClient hanging = world.client()) {
            take(hanging.lock("stock"));
            Hang hang = Hang.ofNext(RENEW_ALL, world.provider);
            world.time.advance(Duration.ofSeconds(10));
            Caller<Void> renewing = Caller.of(() -> {
                renewals.runNext();
                return null;
            });
            hang.awaitBegun();

            // The release of the expired hold comes on this thread, which must not wait for the renewal.
            Caller<Void> timer = Caller.of(() -> {
                world.time.advance(Duration.ofSeconds(25));
                return null;
            });
            timer.result();
            assertThat(world.provider.count(RELEASE)).isZero();

            hang.end();
            renewing.result();
            world.time.advance(Duration.ofSeconds(1));
            assertThat(world.isTaken("stock")).isFalse();
        }
    }

    /** While the store hangs, each repetition occupies a thread for the time of a call. */
    @Test
    void backgroundReleasesDoNotUseThreadsOfAcquires() {
        List<Runnable> releases = new ArrayList<>();
        world.releasesOn(releases::add);
        try (LockClient own = world.client()) {
            world.provider.trouble(ATTEMPT, Trouble.ANSWER_LOST);
            DistributedLock lock = own.lock("stock");
            assertThatThrownBy(lock::tryAcquire).isInstanceOf(LockStoreException.class);
            assertThat(releases).hasSize(1);
            assertThat(world.isTaken("stock")).isTrue();

            releases.get(0).run();
            assertThat(world.isTaken("stock")).isFalse();
        }
    }
}
