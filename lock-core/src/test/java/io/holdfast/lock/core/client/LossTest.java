package io.holdfast.lock.core.client;

import static io.holdfast.lock.core.client.EngineWorld.take;
import static io.holdfast.lock.core.client.TroubledProvider.Call.ATTEMPT;
import static io.holdfast.lock.core.client.TroubledProvider.Call.RELEASE;
import static io.holdfast.lock.core.client.TroubledProvider.Call.RENEW;
import static io.holdfast.lock.core.client.TroubledProvider.Call.RENEW_ALL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.core.claim.OwnerId;
import io.holdfast.lock.core.client.TroubledProvider.Trouble;
import io.holdfast.lock.core.hold.Hold;
import io.holdfast.lock.core.hold.HoldHandle;
import io.holdfast.parts.Proves;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class LossTest {

    @AutoClose
    private final EngineWorld world = new EngineWorld();

    private final RecordedEvents events = new RecordedEvents();
    private final TaskQueue renewals = new TaskQueue();
    private final LockClient client = world.client(events);
    private final DistributedLock lock = client.lock("stock");

    @Test
    @Proves({"2.1", "8.1"})
    void aHoldThatIsNotRenewedEndsWithItsLease() {
        LockHandle handle = client.lock("stock", LockOptions.DEFAULTS.withoutRenewal())
                .tryAcquire()
                .orElseThrow();
        world.time.advance(Duration.ofSeconds(29));
        assertThat(handle.renew()).isTrue();
        world.time.advance(Duration.ofSeconds(30).minusNanos(1));
        assertThat(handle.isHeld()).isTrue();
        assertThat(handle.lost()).isNotDone();

        world.time.advance(Duration.ofNanos(1));
        assertThat(handle.lost()).isCompletedWithValue(LossCause.EXPIRED);
        assertThat(handle.isHeld()).isFalse();
        assertThat(world.provider.count(RENEW_ALL)).isZero();
        assertThat(events.kinds()).containsExactly("acquired", "renewed", "lost EXPIRED");
    }

    @Test
    @Proves({"8.1", "8.4"})
    void aHoldWhoseExplicitRenewalsFailIsLostAsStoreLost() {
        LockHandle handle = client.lock("stock", LockOptions.DEFAULTS.withoutRenewal())
                .tryAcquire()
                .orElseThrow();
        world.provider.trouble(RENEW, Trouble.REQUEST_LOST);
        world.time.advance(Duration.ofSeconds(29));
        assertThatThrownBy(handle::renew).isInstanceOf(LockStoreException.class);

        world.time.advance(Duration.ofSeconds(1));
        assertThat(handle.lost()).isCompletedWithValue(LossCause.STORE_LOST);
    }

    @Test
    @Proves({"8.1", "8.4"})
    void anOutageLosesTheHoldAtItsDeadlineAndReleasesItLater() {
        LockHandle handle = lock.tryAcquire().orElseThrow();
        world.time.advance(Duration.ofSeconds(10));
        world.provider.troubleAll(Trouble.REQUEST_LOST);
        world.time.advance(Duration.ofSeconds(30).minusNanos(1));
        assertThat(handle.isHeld()).isTrue();
        assertThat(handle.lost()).isNotDone();

        world.time.advance(Duration.ofNanos(1));
        assertThat(handle.lost()).isCompletedWithValue(LossCause.STORE_LOST);
        assertThat(events.count("lost STORE_LOST")).isEqualTo(1);
    }

    @Test
    @Proves("4.5")
    void afterALossTheSameThreadGetsAFreshClaimEvenIfTheStoreHasTheLostOne() {
        LockHandle lost = lock.tryAcquire().orElseThrow();
        world.provider.trouble(RENEW_ALL, Trouble.ANSWER_LOST);
        world.provider.trouble(RELEASE, Trouble.REQUEST_LOST);
        world.time.advance(Duration.ofSeconds(30));
        assertThat(lost.lost()).isCompletedWithValue(LossCause.STORE_LOST);
        assertThat(world.isTaken("stock")).isTrue();

        assertThat(lock.tryAcquire()).as("never a count on the dead claim").isEmpty();

        world.provider.troubleAll(Trouble.NONE);
        world.time.advance(Duration.ofSeconds(10));
        LockHandle fresh = lock.tryAcquire().orElseThrow();
        assertThat(fresh.fencingToken()).isGreaterThan(lost.fencingToken());
    }

    @Test
    @Proves("8.1")
    void callersShareOneLossFutureAndCannotCompleteIt() {
        LockHandle handle = lock.tryAcquire().orElseThrow();
        CompletionStage<LossCause> lost = handle.lost();
        assertThat((Object) handle.lost()).isSameAs(lost);

        assertThat(lost.toCompletableFuture().cancel(false)).isTrue();
        assertThat(lost.toCompletableFuture().complete(LossCause.EXPIRED)).isTrue();
        assertThat(lost).isNotDone();
        assertThat(handle.isHeld()).isTrue();
        world.removeRecord("stock");
        assertThat(lost).isCompletedWithValue(LossCause.TAKEN_OVER);
    }

    @Test
    @Proves({"3.6", "8.4"})
    void aHangingRenewalLosesItsHoldAtTheDeadlineAndItsLateAnswerDoesNotReviveIt() {
        world.renewalsOn(renewals);
        try (LockClient hanging = world.client(events)) {
            LockHandle handle = hanging.lock("stock").tryAcquire().orElseThrow();
            world.time.advance(Duration.ofSeconds(30).minusNanos(1));
            assertThat(handle.isHeld()).isTrue();
            assertThat(events.count("atRisk")).isEqualTo(1);
            world.time.advance(Duration.ofNanos(1));
            assertThat(handle.isHeld()).isFalse();
            assertThat(handle.lost()).isCompletedWithValue(LossCause.STORE_LOST);

            renewals.open();
            assertThat(handle.isHeld()).isFalse();
            assertThat(events.kinds()).containsExactly("acquired", "renewalFailed", "atRisk", "lost STORE_LOST");
            assertThat(world.isTaken("stock")).isFalse();
        }
    }

    @Test
    @Proves({"8.2", "8.4"})
    void anAnswerThatComesAfterTheDeadlineDoesNotReviveTheHold() {
        LockHandle handle = lock.tryAcquire().orElseThrow();
        world.provider.afterNext(RENEW_ALL, () -> world.time.jump(Duration.ofSeconds(20)));
        world.time.advance(Duration.ofSeconds(10));

        assertThat(handle.isHeld()).isFalse();
        assertThat(handle.lost()).isCompletedWithValue(LossCause.STORE_LOST);
        assertThat(events.count("renewed")).isZero();
        assertThat(world.isTaken("stock")).as("the renewed claim is released").isFalse();
    }

    @Test
    @Proves("8.4")
    void aLateRenewalThatFindsNoRecordReportsExpired() {
        LockHandle handle = lock.tryAcquire().orElseThrow();
        world.provider.beforeNext(RENEW_ALL, () -> world.time.jump(Duration.ofSeconds(20)));
        world.time.advance(Duration.ofSeconds(10));
        assertThat(handle.lost()).isCompletedWithValue(LossCause.STORE_LOST);
    }

    @Test
    @Proves("3.6")
    void aHangingRenewalDelaysNoOtherHolds() {
        AtomicBoolean first = new AtomicBoolean(true);
        world.renewalsOn(task -> {
            if (first.getAndSet(false)) {
                renewals.execute(task);
            } else {
                task.run();
            }
        });
        try (LockClient hanging = world.client()) {
            LockHandle stuck = hanging.lock("stuck").tryAcquire().orElseThrow();
            LockHandle free = hanging.lock("free").tryAcquire().orElseThrow();
            world.time.advance(Duration.ofSeconds(31));
            assertThat(stuck.isHeld()).isFalse();
            assertThat(stuck.lost()).isCompletedWithValue(LossCause.STORE_LOST);
            assertThat(free.remaining()).isGreaterThanOrEqualTo(Duration.ofSeconds(20));
            renewals.open();
        }
    }

    @Test
    @Proves({"8.1", "8.2"})
    void aPausedProcessFindsTheLockLostAtItsFirstCheck() {
        LockHandle handle = lock.tryAcquire().orElseThrow();
        world.time.jump(Duration.ofMinutes(1));
        assertThat(handle.isHeld()).isFalse();
        world.time.advance(Duration.ZERO);
        assertThat(handle.lost()).isCompletedWithValue(LossCause.EXPIRED);

        world.time.advance(Duration.ofMinutes(1));
        assertThat(handle.isHeld()).isFalse();
        assertThat(events.kinds()).containsExactly("acquired", "lost EXPIRED");
        assertThat(world.provider.count(RENEW_ALL)).isZero();
        assertThat(world.isTaken("stock")).isFalse();
    }

    @Test
    @Proves("8.2")
    void theTimerReportsTheLossToAPausedProcess() {
        LockHandle handle = lock.tryAcquire().orElseThrow();
        world.time.jump(Duration.ofMinutes(1));
        world.time.advance(Duration.ZERO);
        assertThat(handle.lost()).isCompletedWithValue(LossCause.EXPIRED);
        assertThat(world.provider.count(RENEW_ALL)).isZero();
    }

    @Test
    @Proves("8.5")
    void theNextRenewalReportsARemovedRecord() {
        world.provider.loseSignals();
        LockHandle handle = lock.tryAcquire().orElseThrow();
        world.removeRecord("stock");
        world.strangerTakes("stock", Duration.ofHours(1));
        world.time.advance(Duration.ofSeconds(10).minusNanos(1));
        assertThat(handle.isHeld()).isTrue();

        world.time.advance(Duration.ofNanos(1));
        assertThat(handle.lost()).isCompletedWithValue(LossCause.TAKEN_OVER);
        assertThat(handle.isHeld()).isFalse();
        assertThat(world.isTaken("stock")).isTrue();
        assertThat(world.provider.count(RELEASE))
                .as("for what a store of several parts may still have")
                .isEqualTo(1);
    }

    @Test
    @Proves("8.5")
    void aLossSignalOfTheStoreIsReportedAtOnce() {
        LockHandle handle = lock.tryAcquire().orElseThrow();
        world.removeRecord("stock");
        assertThat(handle.isHeld()).isFalse();
        assertThat(handle.lost()).isCompletedWithValue(LossCause.TAKEN_OVER);
        assertThatThrownBy(() -> handle.requireRemaining(Duration.ZERO)).isInstanceOf(LockLostException.class);
    }

    @Test
    @Proves("8.5")
    void aLossSignalBeforeTheGrantCounts() {
        world.provider.afterNext(ATTEMPT, () -> world.provider.latestSignals().lost(LossCause.SESSION_ENDED));
        LockHandle handle = lock.tryAcquire().orElseThrow();
        assertThat(handle.isHeld()).isFalse();
        assertThat(handle.lost()).isCompletedWithValue(LossCause.SESSION_ENDED);
    }

    @Test
    @Proves("8.3")
    void aReleasedHandleIsNeverLost() {
        LockHandle handle = lock.tryAcquire().orElseThrow();
        CompletableFuture<LossCause> lost = handle.lost().toCompletableFuture();
        handle.release();
        world.provider.latestSignals().lost(LossCause.TAKEN_OVER);
        world.time.advance(Duration.ofMinutes(5));
        client.close();
        assertThat(lost).isNotDone();
        assertThat(events.kinds()).containsExactly("acquired", "released");
    }

    @Test
    @Proves("3.5")
    void noRenewalIsSentForALostHold() {
        LockHandle handle = lock.tryAcquire().orElseThrow();
        world.removeRecord("stock");
        world.time.advance(Duration.ofMinutes(5));
        assertThat(handle.renew()).isFalse();
        assertThat(world.provider.count(RENEW)).isZero();
        assertThat(world.provider.count(RENEW_ALL)).isZero();
        assertThat(world.time.timers()).isZero();
    }

    @Test
    @Proves({"8.1", "8.2"})
    void aRenewalThatIsAskedForAfterTheDeadlineIsNotSentAndReportsTheLoss() {
        LockHandle handle = lock.tryAcquire().orElseThrow();
        world.time.jump(EngineWorld.LEASE);

        assertThat(handle.renew()).isFalse();
        assertThat(handle.lost()).isCompletedWithValue(LossCause.EXPIRED);
        assertThat(world.provider.count(RENEW)).isZero();
    }

    @Test
    @Proves({"8.1", "8.2"})
    void aCheckAfterTheDeadlineReportsTheLoss() {
        LockHandle handle = lock.tryAcquire().orElseThrow();
        world.time.jump(EngineWorld.LEASE);

        assertThatThrownBy(() -> handle.requireRemaining(Duration.ZERO)).isInstanceOf(LockLostException.class);
        assertThat(handle.lost()).isCompletedWithValue(LossCause.EXPIRED);
    }

    @Test
    @Proves({"3.2", "8.5"})
    void aRenewalThatFindsNoRecordReturnsFalse() {
        world.provider.loseSignals();
        LockHandle handle = lock.tryAcquire().orElseThrow();
        world.removeRecord("stock");

        assertThat(handle.renew()).isFalse();
        assertThat(handle.lost()).isCompletedWithValue(LossCause.TAKEN_OVER);
        assertThat(world.isTaken("stock")).isFalse();
    }

    @Test
    void aRenewalThatFailsAfterTheLossIsNotReported() {
        LockHandle handle = client.lock("stock", LockOptions.DEFAULTS.withoutRenewal())
                .tryAcquire()
                .orElseThrow();
        world.provider.beforeNext(RENEW, () -> {
            world.time.advance(EngineWorld.LEASE);
            throw new LockStoreException("The store does not answer");
        });
        assertThatThrownBy(handle::renew).isInstanceOf(LockStoreException.class);
        assertThat(events.kinds()).containsExactly("acquired", "lost STORE_LOST");
    }

    @Test
    @Proves("3.4")
    void aTimerThatRingsForAnEarlierDeadlineLosesNothing() {
        ModelledEngine engine = new ModelledEngine();
        Hold hold = engine.granted(OwnerId.thread(1), engine.store, OneLockStore.LEASE);
        LockHandle handle = HoldHandle.another(hold, "a thread").orElseThrow();
        hold.begin();
        engine.time.pass(OneLockStore.LEASE.minusNanos(1));

        hold.expire();
        assertThat(handle.isHeld()).isTrue();
        assertThat(engine.store.isTaken()).isTrue();
    }

    @Test
    void tooLittleTimeLeftIsNotALoss() {
        LockHandle handle = lock.tryAcquire().orElseThrow();
        world.time.jump(Duration.ofSeconds(6));
        handle.requireRemaining(Duration.ofSeconds(24));
        assertThatThrownBy(() -> handle.requireRemaining(Duration.ofSeconds(24).plusNanos(1)))
                .isInstanceOf(LockException.class)
                .isNotInstanceOf(LockLostException.class)
                .hasMessageContaining("stock");
        assertThat(handle.isHeld()).isTrue();
    }

    @Test
    @Proves({"7.2", "8.1"})
    void aLossWakesTheNextWaiterOfTheClient() {
        world.provider.loseSignals();
        LockHandle handle = lock.tryAcquire().orElseThrow();
        CompletableFuture<LockHandle> waiting = lock.acquireAsync();
        world.removeRecord("stock");
        world.time.advance(Duration.ofSeconds(10));
        assertThat(handle.isHeld()).isFalse();
        assertThat(waiting).isDone();
    }

    @Test
    @Proves("7.2")
    void aLossWakesTheNextWaiterAlsoWhileTheLostClaimCannotBeReleased() {
        world.provider.loseSignals();
        LockHandle handle = lock.tryAcquire().orElseThrow();
        CompletableFuture<LockHandle> waiting = lock.acquireAsync();
        TaskQueue releases = new TaskQueue();
        world.releasesOn(releases);
        world.time.advance(Duration.ofSeconds(9));
        world.removeRecord("stock");
        boolean renewed = handle.renew();
        boolean granted = waiting.isDone();
        releases.open();

        assertThat(renewed).isFalse();
        assertThat(granted).isTrue();
    }

    @Test
    @Proves("8.1")
    void aReleaseAfterTheLeaseReportsExpired() {
        LockHandle handle = lock.tryAcquire().orElseThrow();
        world.provider.beforeNext(RELEASE, () -> world.time.jump(Duration.ofSeconds(31)));
        assertThat(handle.release()).isFalse();
        assertThat(handle.lost()).isCompletedWithValue(LossCause.EXPIRED);
    }

    @Test
    @Proves({"8.1", "9.4"})
    void aFailureWhileOneLossIsReportedDoesNotHideOtherLosses() {
        LockHandle first = lock.tryAcquire().orElseThrow();
        LockHandle second = client.lock("second").tryAcquire().orElseThrow();
        List<Throwable> planted = new ArrayList<>(List.of(new StackOverflowError("planted")));
        world.callbacksOn(task -> {
            if (!planted.isEmpty()) {
                throw (StackOverflowError) planted.remove(0);
            }
            task.run();
        });
        world.time.jump(Duration.ofMinutes(1));
        world.time.advance(Duration.ZERO);
        assertThat(List.of(first, second))
                .filteredOn(handle -> handle.lost().toCompletableFuture().isDone())
                .hasSize(1);
    }

    @Test
    void aLossThatWasSignalledBeforeAnAttemptIsNotThatOfItsGrant() {
        LockHandle foreign = take(world.otherClient().lock("stock"));
        world.provider.afterNext(ATTEMPT, () -> world.provider.latestSignals().lost(LossCause.SESSION_ENDED));
        CompletableFuture<LockHandle> acquired = lock.acquireAsync();
        foreign.release();

        assertThat(acquired).isCompletedWithValueMatching(LockHandle::isHeld);
    }

    @Test
    void aLossBeforeTheGrantIsReportedComesAfterIt() {
        assertThatTheEndIsReported(engine -> {}, hold -> hold.lose(LossCause.CLIENT_CLOSED), LossCause.CLIENT_CLOSED);
    }

    @Test
    @Proves("8.1")
    void aLeaseThatEndsBeforeItsWatchBeginsIsReported() {
        assertThatTheEndIsReported(engine -> engine.time.pass(OneLockStore.LEASE), hold -> {}, LossCause.EXPIRED);
    }

    private static void assertThatTheEndIsReported(
            Consumer<ModelledEngine> pause, Consumer<Hold> end, LossCause cause) {
        RecordedEvents heard = new RecordedEvents();
        ModelledEngine engine = new ModelledEngine(heard);
        OwnerId owner = OwnerId.thread(1);
        Hold hold = engine.granted(owner, engine.store, OneLockStore.LEASE);
        LockHandle handle = HoldHandle.another(hold, "a thread").orElseThrow();
        pause.accept(engine);
        end.accept(hold);
        assertThat(heard.kinds()).isEmpty();

        hold.begin();
        assertThat(heard.kinds()).containsExactly("acquired", "lost " + cause);
        assertThat(handle.lost()).isCompletedWithValue(cause);
        assertThat(engine.time.timers()).as("of a lease that nobody has").isZero();
    }

    @Test
    void theLongestDurationMayBeRequired() {
        LockHandle handle = lock.tryAcquire().orElseThrow();
        assertThatThrownBy(() -> handle.requireRemaining(Duration.ofSeconds(Long.MAX_VALUE)))
                .isInstanceOf(LockException.class)
                .hasMessageContaining("30000 ms only");
    }
}
