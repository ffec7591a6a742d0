package io.holdfast.lock.core.client;

import static io.holdfast.lock.core.client.EngineWorld.take;
import static io.holdfast.lock.core.client.TroubledProvider.Call.RELEASE;
import static io.holdfast.lock.core.client.TroubledProvider.Call.RENEW;
import static io.holdfast.lock.core.client.TroubledProvider.Call.RENEW_ALL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.core.client.TroubledProvider.Trouble;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.lock.spi.StoreTime;
import io.holdfast.parts.Proves;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class LeaseKeeperTest {

    private static final Duration TEN_SECONDS = Duration.ofSeconds(10);
    private static final Duration PERIOD = EngineWorld.LEASE.dividedBy(3);

    @AutoClose
    private final EngineWorld world = new EngineWorld().renewingInBatchesOf(500);

    private final RecordedEvents events = new RecordedEvents();
    private final LockClient client = world.client(events);
    private final DistributedLock lock = client.lock("stock");

    private List<LockHandle> acquireMany(int count, Duration apart) {
        List<LockHandle> handles = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            handles.add(client.lock("stock-" + i).tryAcquire().orElseThrow());
            world.time.advance(apart);
        }
        return handles;
    }

    private void assertThatEachPeriodCostsAtMostTenCalls() {
        for (int period = 0; period < 10; period++) {
            world.provider.forgetCalls();
            world.time.advance(PERIOD);
            assertThat(world.provider.count(RENEW_ALL)).isBetween(1L, 10L);
        }
    }

    @Test
    @Proves("3.4")
    void aLockIsHeldForAsLongAsItsHolderKeepsItWithOneRenewalPerPeriod() {
        LockHandle handle = lock.tryAcquire().orElseThrow();
        world.time.advance(Duration.ofHours(1));

        assertThat(handle.isHeld()).isTrue();
        assertThat(world.isTaken("stock")).isTrue();
        assertThat(world.provider.count(RENEW_ALL)).isEqualTo(360);
        assertThat(events.count("renewed")).isEqualTo(360);
        assertThat(handle.release()).isTrue();
    }

    @Test
    @Proves("3.5")
    void noRenewalIsSentAfterTheRelease() {
        LockHandle handle = lock.tryAcquire().orElseThrow();
        world.time.advance(PERIOD.minusMillis(1));
        handle.release();
        world.time.advance(Duration.ofMinutes(5));
        assertThat(world.provider.count(RENEW_ALL)).isZero();
        assertThat(world.time.timers()).isZero();
    }

    @Test
    void aThousandHoldsOfOneSecondCostAtMostTenCallsPerPeriod() {
        List<LockHandle> handles = acquireMany(1_000, Duration.ofMillis(1));
        assertThatEachPeriodCostsAtMostTenCalls();
        assertThat(handles).allMatch(LockHandle::isHeld);
    }

    @Test
    void aThousandHoldsAreRenewedInBatches() {
        List<LockHandle> handles = acquireMany(1_000, PERIOD.dividedBy(1_000));
        world.time.advance(PERIOD);
        assertThatEachPeriodCostsAtMostTenCalls();
        assertThat(handles).allMatch(LockHandle::isHeld);
    }

    /** As the Redis provider renews 500 by a request: that many requests at most in each second. */
    @Test
    void tenThousandHoldsOfTenSecondsCostTenCallsASecondAtMost() {
        // Without a listener, which would record all of it.
        try (LockClient unheard = world.client()) {
            DistributedLock[] locks = IntStream.range(0, 10_000)
                    .mapToObj(i -> unheard.lock("stock-" + i, LockOptions.DEFAULTS.withLeaseTime(TEN_SECONDS)))
                    .toArray(DistributedLock[]::new);
            List<LockHandle> handles = new ArrayList<>();
            for (DistributedLock each : locks) {
                handles.add(take(each));
                world.time.advance(Duration.ofNanos(400_000));
            }
            for (int turn = 0; turn < 3; turn++) {
                world.provider.forgetCalls();
                world.time.advance(TEN_SECONDS);
                assertThat(world.provider.count(RENEW_ALL)).isLessThanOrEqualTo(100);
                assertThat(handles).allMatch(LockHandle::isHeld);
            }
        }
    }

    @Test
    void batchesOfOneMomentAreRenewedByOneThreadUnlessOneHangs() {
        TaskQueue renewals = new TaskQueue();
        world.renewalsOn(renewals);
        world.renewingInBatchesOf(7);
        try (LockClient modest = world.client()) {
            List<LockHandle> handles = IntStream.range(0, 20)
                    .mapToObj(i -> take(modest.lock("stock-" + i)))
                    .toList();
            world.time.advance(PERIOD);
            assertThat(renewals.size()).isEqualTo(1);

            renewals.open();
            assertThat(world.provider.names(RENEW_ALL)).hasSize(20).doesNotHaveDuplicates();
            assertThat(handles).allMatch(handle -> handle.remaining().equals(EngineWorld.LEASE));
        }
    }

    @Test
    @Proves("3.6")
    void batchesBehindOneThatHangsGetThreadsBeforeATenthOfThePeriodHasPassed() {
        TaskQueue hanging = new TaskQueue();
        List<Runnable> started = new ArrayList<>();
        world.renewalsOn(task -> {
            started.add(task);
            if (started.size() == 1) {
                hanging.execute(task);
            } else {
                task.run();
            }
        });
        world.renewingInBatchesOf(1);
        try (LockClient modest = world.client()) {
            List<LockHandle> handles = IntStream.range(0, 3)
                    .mapToObj(i -> take(modest.lock("stock-" + i)))
                    .toList();
            world.time.advance(PERIOD.plus(PERIOD.dividedBy(10)).minusNanos(1));
            assertThat(started).hasSize(1);
            world.time.advance(Duration.ofNanos(1));

            assertThat(started).hasSize(3);
            assertThat(handles.subList(1, 3))
                    .allMatch(handle -> handle.remaining().equals(EngineWorld.LEASE));
            hanging.open();
            assertThat(handles.get(0).remaining()).isEqualTo(EngineWorld.LEASE);
        }
    }

    @Test
    @Proves("3.6")
    void aBatchOfAShortLeaseGoesBeforeThoseThatMayWaitLonger() {
        TaskQueue renewals = new TaskQueue();
        world.renewalsOn(renewals);
        world.renewingInBatchesOf(1);
        try (LockClient modest = world.client()) {
            take(modest.lock("stock-1", LockOptions.DEFAULTS.withLeaseTime(Duration.ofSeconds(30))));
            take(modest.lock("stock-2", LockOptions.DEFAULTS.withLeaseTime(Duration.ofSeconds(30))));
            world.time.advance(Duration.ofMillis(9_500));
            take(modest.lock("short", LockOptions.DEFAULTS.withLeaseTime(Duration.ofSeconds(3))));
            world.time.advance(Duration.ofSeconds(1));
            assertThat(renewals.size()).isEqualTo(1);

            renewals.open();
            assertThat(world.provider.names(RENEW_ALL)).containsExactly("stock-1", "short", "stock-2");
        }
    }

    @Test
    void aBatchIsNoLargerThanTheStoreDeclares() {
        world.renewingInBatchesOf(7);
        try (LockClient modest = world.client()) {
            IntStream.range(0, 20).forEach(i -> take(modest.lock("stock-" + i)));
            world.time.advance(PERIOD);
            assertThat(world.provider.count(RENEW_ALL)).isEqualTo(3);
            assertThat(world.provider.names(RENEW_ALL)).hasSize(20).doesNotHaveDuplicates();
        }
    }

    @Test
    @Proves("3.3")
    void aFailedRenewalLeavesTheDeadlineAndIsRepeatedSooner() {
        LockHandle handle = lock.tryAcquire().orElseThrow();
        world.provider.trouble(RENEW_ALL, Trouble.REQUEST_LOST);
        world.time.advance(PERIOD);
        assertThat(handle.remaining()).isEqualTo(Duration.ofSeconds(20));
        assertThat(events.kinds()).containsExactly("acquired", "renewalFailed");

        world.time.advance(Duration.ofSeconds(4));
        assertThat(world.provider.count(RENEW_ALL)).isEqualTo(3);

        world.provider.trouble(RENEW_ALL, Trouble.NONE);
        world.time.advance(Duration.ofSeconds(2));
        assertThat(handle.remaining()).isEqualTo(Duration.ofSeconds(30));
        world.time.advance(Duration.ofMinutes(1));
        assertThat(handle.isHeld()).isTrue();
        assertThat(events.kinds()).doesNotContain("atRisk");
    }

    @Test
    void aHangingRenewalIsReportedBeforeTheLeaseEnds() {
        TaskQueue renewals = new TaskQueue();
        world.renewalsOn(renewals);
        try (LockClient hanging = world.client(events)) {
            LockHandle handle = take(hanging.lock("hanging"));
            world.time.advance(PERIOD.multipliedBy(2));
            assertThat(events.kinds()).containsExactly("acquired", "renewalFailed", "atRisk");
            assertThat(handle.remaining()).isEqualTo(PERIOD);

            renewals.open();
            assertThat(events.kinds()).containsExactly("acquired", "renewalFailed", "atRisk", "renewed");
            assertThat(handle.isHeld()).isTrue();
        }
    }

    @Test
    void aHangingRenewalAfterAFailureIsNotReportedTwice() {
        LockHandle handle = lock.tryAcquire().orElseThrow();
        TaskQueue renewals = new TaskQueue();
        world.provider.trouble(RENEW_ALL, Trouble.REQUEST_LOST);
        world.time.advance(PERIOD);
        world.provider.trouble(RENEW_ALL, Trouble.NONE);
        world.renewalsOn(renewals);
        world.time.advance(PERIOD);
        assertThat(events.kinds()).containsExactly("acquired", "renewalFailed", "atRisk");
        renewals.open();
        assertThat(handle.remaining()).isEqualTo(EngineWorld.LEASE);
    }

    @Test
    void aRenewalThatBeginsAfterAPauseIsNotReportedAsLate() {
        TaskQueue renewals = new TaskQueue();
        world.renewalsOn(renewals);
        try (LockClient paused = world.client(events)) {
            LockHandle handle = take(paused.lock("paused"));
            world.time.jump(EngineWorld.LEASE.minusSeconds(1));
            world.time.advance(Duration.ZERO);
            assertThat(events.kinds()).containsExactly("acquired", "atRisk");

            renewals.open();
            assertThat(events.kinds()).containsExactly("acquired", "atRisk", "renewed");
            assertThat(handle.isHeld()).isTrue();
        }
    }

    @Test
    void eachLeaseInItsLastThirdIsReportedAtRiskOnce() {
        LockHandle handle = lock.tryAcquire().orElseThrow();
        world.provider.trouble(RENEW_ALL, Trouble.REQUEST_LOST);
        world.time.advance(Duration.ofSeconds(19));
        assertThat(events.count("atRisk")).isZero();
        world.time.advance(Duration.ofSeconds(8));
        assertThat(events.count("atRisk")).isEqualTo(1);

        world.provider.trouble(RENEW_ALL, Trouble.NONE);
        world.time.advance(Duration.ofSeconds(1));
        assertThat(handle.remaining()).isGreaterThan(Duration.ofSeconds(28));
        world.provider.trouble(RENEW_ALL, Trouble.REQUEST_LOST);
        world.time.advance(Duration.ofSeconds(28));
        assertThat(events.count("atRisk")).isEqualTo(2);
    }

    @Test
    void aLeaseThatIsNotRenewedIsNotReportedAtRisk() {
        LockHandle handle = take(client.lock("once", LockOptions.DEFAULTS.withoutRenewal()));
        world.time.advance(Duration.ofSeconds(6));
        take(lock);
        world.time.advance(Duration.ofSeconds(20));

        assertThat(world.provider.names(RENEW_ALL)).as("while a renewal is due").hasSize(2);
        assertThat(handle.remaining()).isEqualTo(Duration.ofSeconds(4));
        assertThat(events.kinds()).doesNotContain("atRisk");
    }

    @Test
    void aConcurrentlyRenewedLockIsNotReportedAtRisk() {
        LockHandle handle = take(lock);
        world.provider.trouble(RENEW_ALL, Trouble.REQUEST_LOST);
        world.time.advance(PERIOD.multipliedBy(2).minusNanos(1));
        world.provider.trouble(RENEW_ALL, Trouble.NONE);
        world.time.advance(Duration.ofNanos(1));

        assertThat(handle.remaining()).isEqualTo(EngineWorld.LEASE);
        assertThat(events.kinds()).contains("renewalFailed").doesNotContain("atRisk");
    }

    @Test
    @Proves("3.6")
    void anUnknownOutcomeDelaysNoOtherClaimOfTheBatch() {
        List<LockHandle> handles = acquireMany(3, Duration.ZERO);
        world.provider.answerBatches(answers -> {
            List<Renewal> changed = new ArrayList<>(answers);
            changed.set(1, new Renewal.Unknown(new LockStoreException("one of them")));
            return changed;
        });
        world.time.advance(PERIOD);

        assertThat(handles.get(0).remaining()).isEqualTo(Duration.ofSeconds(30));
        assertThat(handles.get(1).remaining()).isEqualTo(Duration.ofSeconds(20));
        assertThat(handles.get(2).remaining()).isEqualTo(Duration.ofSeconds(30));
        assertThat(events.count("renewalFailed")).isEqualTo(1);
    }

    @Test
    @Proves("3.6")
    void failureOfOneGroupDelaysNoRenewalOfAnother() {
        world.provider.renewalGroups(name -> name.equals("stock-1") ? "healthy" : "paused");
        List<LockHandle> handles = acquireMany(3, Duration.ZERO);
        world.provider.beforeNext(RENEW_ALL, () -> {
            throw new LockStoreException("the paused server does not answer");
        });
        world.time.advance(PERIOD);

        assertThat(handles.get(0).remaining()).isEqualTo(Duration.ofSeconds(20));
        assertThat(handles.get(1).remaining()).isEqualTo(Duration.ofSeconds(30));
        assertThat(handles.get(2).remaining()).isEqualTo(Duration.ofSeconds(20));
        assertThat(world.provider.count(RENEW_ALL)).isEqualTo(2);
    }

    @Test
    @Proves("3.6")
    void aDefectInTheGroupOfOneClaimDelaysNoRenewalOfAnother() {
        world.provider.renewalGroups(name -> {
            if (name.equals("stock-1")) {
                throw new IllegalStateException("planted in the group of a claim");
            }
            return "";
        });
        List<LockHandle> handles = acquireMany(3, Duration.ZERO);
        world.time.advance(PERIOD);
        assertThat(handles.get(0).remaining()).isEqualTo(Duration.ofSeconds(30));
        assertThat(handles.get(1).remaining()).isEqualTo(Duration.ofSeconds(20));
        assertThat(handles.get(2).remaining()).isEqualTo(Duration.ofSeconds(30));
        assertThat(events.count("renewalFailed")).isEqualTo(1);

        world.provider.renewalGroups(name -> "");
        world.time.advance(Duration.ofSeconds(2));
        assertThat(handles.get(1).remaining()).isEqualTo(Duration.ofSeconds(30));
    }

    @Test
    @Proves("3.6")
    void anAnswerThatTheEngineCannotProcessDelaysNoOtherClaimOfTheBatch() {
        List<LockHandle> handles = acquireMany(3, Duration.ZERO);
        world.provider.tellTime(
                name -> new StoreTime(name.equals("stock-1") ? new WithoutIdentity() : "clock", Instant.EPOCH));
        world.time.advance(PERIOD);
        assertThat(handles.get(0).remaining()).isEqualTo(Duration.ofSeconds(30));
        assertThat(handles.get(1).remaining()).isEqualTo(Duration.ofSeconds(20));
        assertThat(handles.get(2).remaining()).isEqualTo(Duration.ofSeconds(30));
        assertThatThrownBy(handles.get(1)::renew).isInstanceOf(LockStoreException.class);
    }

    @Test
    @Proves("3.6")
    void aLossThatCannotBeReportedDelaysNoRenewal() {
        LockHandle ending = client.lock(
                        "ending", LockOptions.DEFAULTS.withLeaseTime(PERIOD).withoutRenewal())
                .tryAcquire()
                .orElseThrow();
        LockHandle handle = lock.tryAcquire().orElseThrow();
        List<Throwable> planted = new ArrayList<>(List.of(new StackOverflowError("planted")));
        world.callbacksOn(task -> {
            if (!planted.isEmpty()) {
                throw (StackOverflowError) planted.remove(0);
            }
            task.run();
        });
        world.time.advance(PERIOD);

        assertThat(planted).isEmpty();
        assertThat(ending.isHeld()).isFalse();
        assertThat(handle.remaining()).isEqualTo(Duration.ofSeconds(30));
    }

    @Test
    @Proves("3.3")
    void aWrongBatchAnswerFailsThatRenewalOnly() {
        List<LockHandle> handles = acquireMany(3, Duration.ZERO);
        world.provider.answerBatches(answers -> answers.subList(0, 2));
        world.time.advance(PERIOD);
        assertThat(handles).allMatch(handle -> handle.remaining().equals(Duration.ofSeconds(20)));
        assertThat(events.count("renewalFailed")).isEqualTo(3);

        world.provider.answerBatches(answers -> new ArrayList<>(Collections.nCopies(answers.size(), null)));
        world.time.advance(Duration.ofSeconds(2));
        assertThat(events.count("renewalFailed")).isEqualTo(6);

        world.provider.answerBatches(answers -> answers);
        world.time.advance(Duration.ofSeconds(2));
        assertThat(handles).allMatch(handle -> handle.remaining().equals(Duration.ofSeconds(30)));
    }

    @Test
    @Proves("3.3")
    void aDefectOfTheProviderFailsThatRenewalOnly() {
        LockHandle handle = lock.tryAcquire().orElseThrow();
        world.provider.beforeNext(RENEW_ALL, () -> {
            throw new IllegalStateException("a defect");
        });
        world.time.advance(PERIOD);
        assertThat(events.count("renewalFailed")).isEqualTo(1);
        world.time.advance(Duration.ofMinutes(1));
        assertThat(handle.isHeld()).isTrue();
    }

    @Test
    void anExplicitRenewalPostponesTheNextOne() {
        LockHandle handle = lock.tryAcquire().orElseThrow();
        world.time.advance(PERIOD.minusSeconds(1));
        assertThat(handle.renew()).isTrue();
        assertThat(handle.remaining()).isEqualTo(Duration.ofSeconds(30));
        world.time.advance(PERIOD.minusSeconds(1));
        assertThat(world.provider.count(RENEW_ALL)).isZero();
        world.time.advance(Duration.ofSeconds(1));
        assertThat(world.provider.count(RENEW_ALL)).isEqualTo(1);
    }

    @Test
    @Proves("3.3")
    void aFailedExplicitRenewalThrowsAndKeepsTheDeadline() {
        LockHandle handle = lock.tryAcquire().orElseThrow();
        world.time.advance(Duration.ofSeconds(5));
        world.provider.trouble(RENEW, Trouble.REQUEST_LOST);
        assertThatThrownBy(handle::renew).isInstanceOf(LockStoreException.class);
        assertThat(handle.remaining()).isEqualTo(Duration.ofSeconds(25));
        world.time.advance(Duration.ofSeconds(2));
        assertThat(world.provider.count(RENEW_ALL)).as("repeated sooner").isEqualTo(1);
    }

    @Test
    @Proves("3.6")
    void anExplicitRenewalDuringABatchWaitsForItAndBothCount() throws Exception {
        TaskQueue renewals = new TaskQueue();
        world.renewalsOn(renewals);
        try (LockClient queued = world.client()) {
            LockHandle handle = queued.lock("held").tryAcquire().orElseThrow();
            world.time.advance(PERIOD);
            Caller<Boolean> explicit = Caller.of(handle::renew);
            assertThat(explicit.result()).isTrue();
            renewals.open();
            assertThat(handle.isHeld()).isTrue();
            assertThat(world.provider.count(RENEW)).isEqualTo(1);
            assertThat(handle.release()).isTrue();
        }
    }

    @Test
    @Proves("3.6")
    void aReleaseThatIsUnderWayDelaysNoOtherRenewalOfTheBatch() throws Exception {
        TaskQueue renewals = new TaskQueue();
        world.renewalsOn(renewals);
        LockHandle released = take(client.lock("released"));
        LockHandle kept = take(client.lock("kept"));
        world.time.advance(PERIOD);
        CompletableFuture<Void> answer = new CompletableFuture<>();
        world.provider.beforeNext(RELEASE, answer::join);
        Caller<Boolean> releasing = Caller.of(released::release).awaitBlocked();

        try {
            renewals.open();
        } finally {
            answer.complete(null);
        }
        assertThat(releasing.result()).isTrue();
        assertThat(world.provider.names(RENEW_ALL)).containsExactly("kept");
        assertThat(kept.remaining()).isEqualTo(EngineWorld.LEASE);
    }

    @Test
    @Proves("3.3")
    void anExplicitRenewalOfUnknownOutcomeThrowsAndKeepsTheDeadline() {
        LockHandle handle = take(lock);
        world.time.advance(Duration.ofSeconds(5));
        world.provider.answerRenewals(answer -> new Renewal.Unknown(new LockStoreException("one of several servers")));
        assertThatThrownBy(handle::renew).isInstanceOf(LockStoreException.class);
        assertThat(handle.remaining()).isEqualTo(Duration.ofSeconds(25));
        assertThat(events.kinds()).containsExactly("acquired", "renewalFailed");
    }

    @Test
    @Proves("3.3")
    void aRenewalForLessThanIsLeftKeepsTheDeadline() {
        LockHandle handle = take(lock);
        world.provider.validity(lease -> Duration.ofSeconds(3));
        assertThat(handle.renew()).isTrue();
        assertThat(handle.remaining()).isEqualTo(EngineWorld.LEASE);
    }

    @Test
    @Proves("3.5")
    void aHoldThatIsReleasedWhileItsRenewalWaitsIsNotRenewed() {
        TaskQueue renewals = new TaskQueue();
        world.renewalsOn(renewals);
        LockHandle handle = take(lock);
        world.time.advance(PERIOD);
        assertThat(renewals.size()).isEqualTo(1);
        handle.release();

        renewals.open();
        assertThat(world.provider.count(RENEW_ALL)).isZero();
    }

    @Test
    void aSessionShorterThanTheLeaseIsRenewedInTime() {
        world.provider.validity(lease -> Duration.ofSeconds(9));
        LockHandle handle = lock.tryAcquire().orElseThrow();
        assertThat(handle.remaining()).isEqualTo(Duration.ofSeconds(9));
        world.time.advance(Duration.ofSeconds(90));
        assertThat(handle.isHeld()).isTrue();
        assertThat(world.provider.count(RENEW_ALL)).isEqualTo(30);
    }

    @Test
    void holdsOfDifferentLeasesAreRenewedIndependently() {
        LockHandle slow = client.lock("slow", LockOptions.DEFAULTS.withLeaseTime(Duration.ofHours(1)))
                .tryAcquire()
                .orElseThrow();
        LockHandle fast = client.lock("fast", LockOptions.DEFAULTS.withLeaseTime(Duration.ofSeconds(3)))
                .tryAcquire()
                .orElseThrow();
        world.time.advance(Duration.ofMinutes(19));
        assertThat(List.of(slow, fast)).allMatch(LockHandle::isHeld);
        assertThat(world.provider.count(RENEW_ALL, "slow")).isLessThanOrEqualTo(1);
        assertThat(world.provider.count(RENEW_ALL, "fast")).isEqualTo(19 * 60);
    }
}
