package io.holdfast.lock.core.client;

import static io.holdfast.lock.core.client.EngineWorld.take;
import static io.holdfast.lock.core.client.TroubledProvider.Call.ATTEMPT;
import static io.holdfast.lock.core.client.TroubledProvider.Call.RELEASE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockCapabilities.WakeUp;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.core.claim.OwnerId;
import io.holdfast.lock.core.client.TroubledProvider.Trouble;
import io.holdfast.lock.core.hold.HoldHandle;
import io.holdfast.lock.core.local.RetryPauses;
import io.holdfast.parts.Proves;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the first waiter leaves to the next one, with a store that has no queue. */
class SuccessionTest {

    private final OneLockStore store = new OneLockStore();
    private final EngineWorld world = new EngineWorld(store);
    private final TroubledProvider provider = world.provider;
    private final RecordedEvents events = new RecordedEvents();
    private final LockClient client = world.client(events);

    @AfterEach
    void nothingIsLeft() {
        world.close();
        store.assertThatNothingIsLeft();
    }

    /** Each hand-over is the store's. */
    private static final LockOptions BY_THE_STORE = LockOptions.DEFAULTS.withHandOver(0);

    private List<CompletableFuture<LockHandle>> waiters(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> client.lock("stock", BY_THE_STORE).acquireAsync())
                .toList();
    }

    private CompletableFuture<Optional<LockHandle>> waiter(Duration maxWait) {
        return client.lock("stock").tryAcquireAsync(maxWait);
    }

    @Test
    @Proves("7.5")
    void aHandOverInsideOneClientCostsOneReleaseAndOneAttempt() {
        LockHandle held = take(client.lock("stock"));
        List<CompletableFuture<LockHandle>> waiting = waiters(100);
        provider.forgetCalls();

        held.release();
        for (CompletableFuture<LockHandle> next : waiting) {
            next.join().release();
        }
        assertThat(provider.count(RELEASE)).isEqualTo(101);
        assertThat(provider.count(ATTEMPT)).isEqualTo(100);
    }

    @Test
    void theNextWaiterDoesNotAskWhileItsClientHoldsTheLock() {
        LockHandle held = take(client.lock("stock"));
        List<CompletableFuture<LockHandle>> waiting = waiters(1);
        CompletableFuture<Optional<LockHandle>> next = waiter(Duration.ofSeconds(4));
        held.release();
        assertThat(waiting.get(0)).isDone();
        provider.forgetCalls();

        world.time.advance(Duration.ofSeconds(4));
        assertThat(next).isCompletedWithValue(Optional.empty());
        assertThat(provider.count(ATTEMPT)).isZero();
    }

    @Test
    @Proves("1.8")
    void aRemovedLockIsGrantedEvenIfTheClientBelievesThatItHoldsIt() {
        provider.loseSignals();
        LockHandle held = take(client.lock("stock"));
        CompletableFuture<LockHandle> unaware =
                client.lock("stock", LockOptions.DEFAULTS.withoutRenewal()).acquireAsync();
        List<CompletableFuture<LockHandle>> waiting = waiters(1);
        held.release();
        assertThat(unaware.join().isHeld()).isTrue();

        store.operatorRemoves();
        world.time.advance(RetryPauses.SAFETY_NET);
        assertThat(waiting.get(0)).isCompletedWithValueMatching(LockHandle::isHeld);
    }

    @Test
    @Proves({"7.2", "8.1"})
    void theLossOfTheClientsHoldWakesItsNextWaiter() {
        store.strangerTakes();
        List<CompletableFuture<LockHandle>> waiting = waiters(2);
        store.strangerLeaves();
        provider.loseSignals();
        LockHandle held = waiting.get(0).join();
        store.operatorRemoves();
        assertThat(waiting.get(1)).isNotDone();

        world.time.advance(OneLockStore.LEASE.dividedBy(3));
        assertThat(held.isHeld()).isFalse();
        assertThat(waiting.get(1)).isCompletedWithValueMatching(LockHandle::isHeld);
    }

    @Test
    @Proves("7.2")
    void afterAnUnansweredReleaseTheNextWaiterAsksWhenTheLeaseMustHaveEnded() {
        LockHandle held = take(client.lock("stock"));
        List<CompletableFuture<LockHandle>> waiting = waiters(2);
        held.release();
        LockHandle second = waiting.get(0).join();
        provider.trouble(RELEASE, Trouble.REQUEST_LOST);
        provider.forgetCalls();
        assertThatThrownBy(second::release).isInstanceOf(LockStoreException.class);
        assertThat(provider.count(ATTEMPT)).isZero();

        world.time.advance(OneLockStore.LEASE);
        assertThat(provider.count(ATTEMPT)).isPositive();
    }

    @Test
    void waitersThatGiveUpTogetherCostTheStoreWhatOneCosts() {
        store.strangerTakes();
        List<CompletableFuture<Optional<LockHandle>>> waiting = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            waiting.add(waiter(Duration.ofSeconds(4)));
            world.time.advance(Duration.ofNanos(500_000));
        }
        world.time.advance(Duration.ofSeconds(5));

        assertThat(waiting).allMatch(wait -> wait.join().isEmpty());
        assertThat(provider.count(ATTEMPT))
                .as("the first one's, at its start and at its end")
                .isEqualTo(2);
        assertThat(provider.count(RELEASE)).as("the one claim").isEqualTo(1);
    }

    @Test
    @Proves("7.2")
    void aSignalDuringTheFirstWaitersEndReachesTheNext() {
        store.strangerTakes();
        CompletableFuture<LockHandle> first = client.lock("stock").acquireAsync();
        CompletableFuture<LockHandle> second = client.lock("stock").acquireAsync();
        // The first attempts again because of the signal, and gives up during that attempt.
        provider.beforeNext(ATTEMPT, () -> first.cancel(false));
        store.strangerLeaves();
        assertThat(second).isCompletedWithValueMatching(LockHandle::isHeld);
    }

    @Test
    @Proves({"1.5", "7.6"})
    void aWaitThatIsGivenUpDuringAnAttemptEndsWithItsRefusal() {
        store.strangerTakes();
        CompletableFuture<LockHandle> waiting = client.lock("stock").acquireAsync();
        provider.beforeNext(ATTEMPT, () -> waiting.cancel(false));
        world.time.advance(RetryPauses.SAFETY_NET);
        assertThat(provider.count(RELEASE)).as("of its claim").isEqualTo(1);

        provider.forgetCalls();
        world.time.advance(Duration.ofMinutes(1));
        assertThat(provider.count(ATTEMPT)).isZero();
    }

    @Test
    @Proves({"1.5", "7.6"})
    void aClaimThatCannotBeWithdrawnIsReleasedWhenTheStoreIsBack() {
        store.strangerTakes();
        CompletableFuture<Optional<LockHandle>> waiting = waiter(Duration.ofSeconds(4));
        provider.trouble(RELEASE, Trouble.REQUEST_LOST);
        world.time.advance(Duration.ofSeconds(4));
        assertThat(waiting).isCompletedWithValue(Optional.empty());
        assertThat(store.claimsWaiting()).isEqualTo(1);

        provider.trouble(RELEASE, Trouble.NONE);
        world.time.advance(Duration.ofSeconds(1));
        assertThat(store.claimsWaiting()).isZero();
    }

    @Test
    @Proves("7.6")
    void aWaitThatIsGivenUpBeforeItsFirstAttemptSendsNone() {
        TaskQueue calls = new TaskQueue();
        world.storeCallsOn(calls);
        try (LockClient busy = world.client()) {
            CompletableFuture<LockHandle> waiting = busy.lock("stock").acquireAsync();
            waiting.cancel(false);
            calls.open();
            assertThat(provider.count(ATTEMPT)).isZero();
        }
    }

    @Test
    void aTryBesideAWaiterCostsOneAttempt() {
        store.strangerTakes();
        waiters(1);
        provider.forgetCalls();

        assertThat(client.lock("stock").tryAcquire()).isEmpty();
        assertThat(provider.count(ATTEMPT)).isEqualTo(1);
    }

    @Test
    @Proves("7.1")
    void aWaiterWhoseTimeIsOverEndsWhenTheAttemptThatItWaitsForIsGranted() {
        store.strangerTakes();
        List<CompletableFuture<LockHandle>> waiting = waiters(2);
        world.time.advance(Duration.ofMillis(1));
        CompletableFuture<Optional<LockHandle>> last = waiter(Duration.ofSeconds(3));
        provider.beforeNext(ATTEMPT, store::strangerLeaves);
        provider.loseSignals();
        world.time.advance(Duration.ofSeconds(3));

        assertThat(waiting.get(0)).isCompletedWithValueMatching(LockHandle::isHeld);
        assertThat(waiting.get(1)).isNotDone();
        assertThat(last).isCompletedWithValue(Optional.empty());
    }

    @Test
    void aLockThatNobodyUsesIsForgotten() {
        ModelledEngine engine = new ModelledEngine();
        HoldHandle handle = engine.acquire(OwnerId.thread(1)).result().join().orElseThrow();
        assertThat(engine.locks.isIdle()).isFalse();

        handle.release();
        assertThat(engine.locks.isIdle()).isTrue();
    }

    @Test
    void aLockWhoseHoldWasLostIsForgotten() {
        ModelledEngine engine = new ModelledEngine();
        HoldHandle handle = engine.acquire(OwnerId.thread(1)).result().join().orElseThrow();

        engine.store.operatorRemoves();
        assertThat(handle.isHeld()).isFalse();
        assertThat(engine.locks.isIdle()).isTrue();
    }

    @Test
    void theNextWaiterPollsAsOften() {
        provider.declare(declared -> declared.withWakeUp(WakeUp.POLL));
        provider.loseSignals();
        store.strangerTakes();
        CompletableFuture<LockHandle> first = client.lock("stock").acquireAsync();
        CompletableFuture<LockHandle> second = client.lock("stock").acquireAsync();
        first.cancel(false);
        store.strangerLeaves();
        world.time.advance(RetryPauses.LONGEST_POLL);
        assertThat(second).isCompletedWithValueMatching(LockHandle::isHeld);
    }

    @Test
    void contentionIsReportedOnceToEachWaiter() {
        store.strangerTakes();
        waiters(3);
        world.time.advance(Duration.ofSeconds(11));
        assertThat(events.count("contended")).isEqualTo(3);
    }

    @Test
    @Proves("7.1")
    void afterTheDeadlineThereIsOneAttemptDespiteSignals() {
        store.strangerTakes();
        CompletableFuture<Optional<LockHandle>> waiting = waiter(Duration.ofSeconds(4));
        provider.forgetCalls();
        AtomicInteger signals = new AtomicInteger(20);
        provider.before(ATTEMPT, () -> {
            if (signals.getAndDecrement() > 0) {
                provider.latestSignals().mayBeFree();
            }
        });
        world.time.advance(Duration.ofSeconds(4));

        assertThat(waiting).isCompletedWithValue(Optional.empty());
        assertThat(provider.count(ATTEMPT)).isEqualTo(1);
    }

    @Test
    @Proves({"1.8", "7.2"})
    void aPollingClientPollsBehindItsOwnHold() {
        provider.declare(declared -> declared.withWakeUp(WakeUp.POLL));
        LockHandle held = take(client.lock("stock"));
        List<CompletableFuture<LockHandle>> waiting = waiters(2);
        held.release();
        assertThat(waiting.get(0)).isDone();
        provider.loseSignals();
        store.operatorRemoves();
        world.time.advance(RetryPauses.LONGEST_POLL);
        assertThat(waiting.get(1)).isCompletedWithValueMatching(LockHandle::isHeld);
    }
}
