package io.holdfast.lock.core.client;

import static io.holdfast.lock.core.client.EngineWorld.take;
import static io.holdfast.lock.core.client.TroubledProvider.Call.ATTEMPT;
import static io.holdfast.lock.core.client.TroubledProvider.Call.RELEASE;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockCapabilities.WakeUp;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockOwner;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.core.client.TroubledProvider.Trouble;
import io.holdfast.parts.Proves;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.logging.Level;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class WaitingTest {

    @AutoClose
    private final EngineWorld world = new EngineWorld();

    private final LockClient client = world.client();
    private final LockClient other = world.otherClient();

    /** The acquire that asks the store. */
    private CompletableFuture<LockHandle> first = new CompletableFuture<>();

    @Test
    @Proves("7.5")
    void aThousandWaitersCostTheStoreWhatOneCosts() {
        take(other.lock("stock"));
        List<CompletableFuture<LockHandle>> waiting = IntStream.range(0, 1_000)
                .mapToObj(i -> client.lock("stock").acquireAsync())
                .toList();
        world.time.advance(Duration.ofSeconds(10));

        assertThat(waiting).noneMatch(CompletableFuture::isDone);
        assertThat(world.provider.count(ATTEMPT))
                .as("one attempt, and one for each safety poll")
                .isEqualTo(3);
        assertThat(world.provider.requests()).hasSize(1);
        // From the last to the first: the end of the first starts the next one, here on the same stack.
        for (int i = waiting.size() - 1; i >= 0; i--) {
            waiting.get(i).cancel(true);
        }
    }

    @Test
    void waitersThatGiveUpTogetherCostTheStoreWhatOneCosts() {
        take(other.lock("stock"));
        List<CompletableFuture<Optional<LockHandle>>> waiting = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            waiting.add(client.lock("stock").tryAcquireAsync(Duration.ofSeconds(4)));
            world.time.advance(Duration.ofNanos(500_000));
        }
        world.time.advance(Duration.ofSeconds(5));

        assertThat(waiting).allMatch(wait -> wait.join().isEmpty());
        assertThat(world.provider.count(ATTEMPT))
                .as("the first one's, at its start and at its end")
                .isEqualTo(2);
    }

    @Test
    void aWaiterWithTimeLeftAsksWhenTheOneBeforeItGivesUp() {
        LockHandle held = other.lock("stock").tryAcquire().orElseThrow();
        CompletableFuture<Optional<LockHandle>> first = client.lock("stock").tryAcquireAsync(Duration.ofSeconds(4));
        CompletableFuture<Optional<LockHandle>> second = client.lock("stock").tryAcquireAsync(Duration.ofMillis(4_200));
        world.time.advance(Duration.ofSeconds(4));
        assertThat(first).isCompletedWithValue(Optional.empty());
        assertThat(world.provider.count(ATTEMPT)).isEqualTo(3);

        held.release();
        assertThat(second.join()).isPresent();
    }

    @Test
    @Proves({"5.4", "7.5"})
    void waitersOfOneClientGetTheLockInTheOrderTheyCame() {
        LockHandle held = other.lock("stock").tryAcquire().orElseThrow();
        List<Integer> order = new ArrayList<>();
        List<CompletableFuture<LockHandle>> waiting = IntStream.range(0, 20)
                .mapToObj(i -> client.lock("stock").acquireAsync().whenComplete((handle, failure) -> order.add(i)))
                .toList();

        held.release();
        for (CompletableFuture<LockHandle> next : waiting) {
            next.join().release();
        }
        assertThat(order)
                .containsExactlyElementsOf(IntStream.range(0, 20).boxed().toList());
        assertThat(world.isTaken("stock")).isFalse();
    }

    @Test
    void manyHandOversAreOneClaim() {
        int most = 24;
        LockOptions options = LockOptions.DEFAULTS.withHandOver(most);
        LockHandle held = client.lock("stock", options).tryAcquire().orElseThrow();
        List<CompletableFuture<LockHandle>> waiting = IntStream.range(0, 4 * (most + 1))
                .mapToObj(i -> client.lock("stock", options).acquireAsync())
                .toList();
        world.provider.forgetCalls();

        held.release();
        for (CompletableFuture<LockHandle> next : waiting) {
            next.join().release();
        }
        assertThat(world.provider.count(RELEASE))
                .as("of the holder and of four claims")
                .isEqualTo(5);
        assertThat(world.provider.count(ATTEMPT))
                .as("for each claim one that is refused, and one that is granted")
                .isLessThanOrEqualTo(8);
    }

    @Test
    void aHandOverFromOneWaiterToTheNextCostsFewCalls() {
        LockOptions options = LockOptions.DEFAULTS.withHandOver(0);
        LockHandle held = client.lock("stock", options).tryAcquire().orElseThrow();
        List<CompletableFuture<LockHandle>> waiting = IntStream.range(0, 100)
                .mapToObj(i -> client.lock("stock", options).acquireAsync())
                .toList();
        world.provider.forgetCalls();

        held.release();
        for (CompletableFuture<LockHandle> next : waiting) {
            next.join().release();
        }
        assertThat(world.provider.count(RELEASE)).isEqualTo(101);
        assertThat(world.provider.count(ATTEMPT))
                .as("for each waiter an attempt that is refused, and one that is granted")
                .isLessThanOrEqualTo(200);
    }

    @Test
    @Proves("7.2")
    void aReleaseInTheSameClientWakesTheNextWithoutASignalOfTheStore() {
        world.provider.loseSignals();
        LockHandle held = client.lock("stock").tryAcquire().orElseThrow();
        CompletableFuture<LockHandle> waiting = client.lock("stock").acquireAsync();

        held.release();
        assertThat(waiting).isCompletedWithValueMatching(LockHandle::isHeld);
    }

    @Test
    @Proves("7.2")
    void aLostWakeUpCostsAtMostTheSafetyPoll() {
        world.provider.loseSignals();
        LockHandle held = other.lock("stock").tryAcquire().orElseThrow();
        CompletableFuture<LockHandle> waiting = client.lock("stock").acquireAsync();

        held.release();
        world.time.advance(Duration.ofSeconds(5).minusNanos(1));
        assertThat(waiting).isNotDone();
        world.time.advance(Duration.ofNanos(1));
        assertThat(waiting).isDone();
    }

    @Test
    @Proves("7.2")
    void aStoreWithoutMessagesIsAskedEveryHalfSecondAtLeast() {
        world.provider.loseSignals();
        world.provider.declare(store -> store.withWakeUp(WakeUp.POLL));
        LockHandle held = other.lock("stock").tryAcquire().orElseThrow();
        CompletableFuture<LockHandle> waiting = client.lock("stock").acquireAsync();
        for (int second = 0; second < 8; second++) {
            long before = world.provider.count(ATTEMPT);
            world.time.advance(Duration.ofSeconds(1));
            assertThat(world.provider.count(ATTEMPT) - before).isBetween(2L, 20L);
        }

        held.release();
        world.time.advance(Duration.ofMillis(500));
        assertThat(waiting).isDone();
    }

    @Test
    @Proves("7.3")
    void aWaiterGetsTheLockWhenTheLeaseOfADeadHolderEnds() {
        world.provider.loseSignals();
        world.strangerTakes("stock", Duration.ofMillis(7_300));
        CompletableFuture<LockHandle> waiting = client.lock("stock").acquireAsync();

        world.time.advance(Duration.ofMillis(7_299));
        assertThat(waiting).isNotDone();
        world.time.advance(Duration.ofMillis(2));
        assertThat(waiting).isDone();
    }

    @Test
    @Proves({"1.2", "1.5"})
    void aContendedTryAcquireAsksOnceAndLeavesNothing() {
        LockHandle held = other.lock("stock").tryAcquire().orElseThrow();

        assertThat(client.lock("stock").tryAcquire()).isEmpty();
        assertThat(world.provider.count(ATTEMPT)).isEqualTo(1);
        assertThat(world.time.timers()).as("only the holder's").isEqualTo(1);

        held.release();
        assertThat(world.isTaken("stock")).isFalse();
    }

    @Test
    @Proves("7.1")
    void zeroAndNegativeWaitsMeanOneAttempt() throws InterruptedException {
        take(other.lock("stock"));
        for (Duration wait : List.of(Duration.ZERO, Duration.ofMillis(-1), Duration.ofSeconds(Long.MIN_VALUE))) {
            world.provider.forgetCalls();
            assertThat(client.lock("stock").tryAcquire(wait)).isEmpty();
            assertThat(client.lock("stock").tryAcquireAsync(wait)).isCompletedWithValue(Optional.empty());
            assertThat(world.provider.count(ATTEMPT)).isEqualTo(2);
        }
    }

    @Test
    @Proves("7.1")
    void theLongestWaitNeverEnds() {
        LockHandle held = other.lock("stock").tryAcquire().orElseThrow();
        CompletableFuture<Optional<LockHandle>> waiting =
                client.lock("stock").tryAcquireAsync(Duration.ofSeconds(Long.MAX_VALUE));
        world.time.advance(Duration.ofDays(1));
        assertThat(waiting).isNotDone();

        held.release();
        assertThat(waiting).isCompletedWithValueMatching(Optional::isPresent);
    }

    @Test
    @Proves("7.1")
    void aWaiterBehindAnotherGivesUpAtItsOwnDeadline() {
        take(other.lock("stock"));
        CompletableFuture<LockHandle> first = client.lock("stock").acquireAsync();
        CompletableFuture<Optional<LockHandle>> second = client.lock("stock").tryAcquireAsync(Duration.ofMillis(40));

        world.time.advance(Duration.ofMillis(40));
        assertThat(second).isCompletedWithValue(Optional.empty());
        assertThat(first).isNotDone();
    }

    @Test
    @Proves("7.5")
    void theNextWaiterAsksWhenTheFirstGivesUp() {
        LockHandle held = other.lock("stock").tryAcquire().orElseThrow();
        CompletableFuture<Optional<LockHandle>> first = client.lock("stock").tryAcquireAsync(Duration.ofMillis(40));
        CompletableFuture<LockHandle> second = client.lock("stock").acquireAsync();

        world.time.advance(Duration.ofMillis(40));
        assertThat(first).isCompletedWithValue(Optional.empty());
        held.release();
        assertThat(second).isDone();
    }

    @Test
    @Proves("4.1")
    void allCallersOfALogicalOwnerShareTheHoldThatOneOfThemGets() {
        LockOptions workflow = LockOptions.DEFAULTS.withOwner(LockOwner.of("workflow-17"));
        LockHandle held = other.lock("stock").tryAcquire().orElseThrow();
        CompletableFuture<LockHandle> first = client.lock("stock", workflow).acquireAsync();
        CompletableFuture<LockHandle> stranger = client.lock("stock").acquireAsync();
        CompletableFuture<LockHandle> second = client.lock("stock", workflow).acquireAsync();

        held.release();
        assertThat(first).isDone();
        assertThat(second).isDone();
        assertThat(second.join().fencingToken()).isEqualTo(first.join().fencingToken());
        assertThat(stranger).isNotDone();

        first.join().release();
        assertThat(stranger).isNotDone();
        second.join().release();
        assertThat(stranger).isDone();
    }

    @Test
    @Proves({"1.5", "4.1"})
    void aWaiterWhoseOwnerAcquiresTheLockWithdrawsItsClaim() {
        world.provider.loseSignals();
        LockOptions workflow = LockOptions.DEFAULTS.withOwner(LockOwner.of("workflow-17"));
        LockHandle held = other.lock("stock").tryAcquire().orElseThrow();
        CompletableFuture<LockHandle> waiting = client.lock("stock", workflow).acquireAsync();
        held.release();
        world.time.advance(Duration.ofMillis(1_001));
        world.provider.forgetCalls();

        LockHandle direct = client.lock("stock", workflow).tryAcquire().orElseThrow();
        assertThat(waiting)
                .isCompletedWithValueMatching(handle -> handle.fencingToken().equals(direct.fencingToken()));
        assertThat(world.provider.count(RELEASE)).as("the claim of the waiter").isEqualTo(1);
        assertThat(direct.isHeld()).isTrue();
    }

    @Test
    @Proves("4.4")
    void uniqueOwnersNeverReenter() {
        LockOptions unique = LockOptions.DEFAULTS.withOwner(LockOwner.unique());
        take(client.lock("stock", unique));
        assertThat(client.lock("stock", unique).tryAcquire()).isEmpty();
        assertThat(client.lock("stock").acquireAsync()).isNotDone();
    }

    @Test
    @Proves("7.1")
    void theFirstWaiterAsksOnceMoreAtItsDeadline() {
        world.provider.loseSignals();
        LockHandle held = other.lock("stock").tryAcquire().orElseThrow();
        CompletableFuture<Optional<LockHandle>> waiting = client.lock("stock").tryAcquireAsync(Duration.ofMillis(40));
        world.time.advance(Duration.ofMillis(20));
        held.release();
        assertThat(waiting).isNotDone();

        world.time.advance(Duration.ofMillis(20));
        assertThat(waiting).isCompletedWithValueMatching(Optional::isPresent);
    }

    @Test
    void oneRequestServesAllWaitersThatTimeOutTogether() {
        take(other.lock("stock"));
        List<CompletableFuture<Optional<LockHandle>>> waiting = IntStream.range(0, 20_000)
                .mapToObj(i -> client.lock("stock").tryAcquireAsync(Duration.ofMillis(40)))
                .toList();
        world.provider.forgetCalls();

        LogCapture log = LogCapture.begin(Level.SEVERE);
        try {
            world.time.advance(Duration.ofMillis(40));
        } finally {
            log.close();
        }
        assertThat(log.records()).as("stack overflows").isEmpty();
        assertThat(waiting).allSatisfy(one -> assertThat(one).isCompletedWithValue(Optional.empty()));
        assertThat(world.provider.count(ATTEMPT)).isEqualTo(1);
    }

    @Test
    @Proves("9.2")
    void aCloseEndsAnyNumberOfWaitersForALockOfTheClient() {
        take(client.lock("stock"));
        List<CompletableFuture<LockHandle>> waiting = IntStream.range(0, 20_000)
                .mapToObj(i -> client.lock("stock").acquireAsync())
                .toList();

        client.close();
        assertThat(waiting).allMatch(CompletableFuture::isCompletedExceptionally);
    }

    /** An attempt takes longer than the waiter behind it wants to wait. Returns that waiter. */
    private CompletableFuture<Optional<LockHandle>> behindASlowAttempt() {
        List<CompletableFuture<Optional<LockHandle>>> behind = new ArrayList<>();
        world.provider.beforeNext(ATTEMPT, () -> {
            behind.add(client.lock("stock").tryAcquireAsync(Duration.ofMillis(500)));
            world.time.advance(Duration.ofSeconds(1));
            assertThat(behind.get(0)).isNotDone();
        });
        first = client.lock("stock").acquireAsync();
        return behind.get(0);
    }

    @Test
    @Proves({"1.6", "7.1"})
    void anOverdueWaiterFailsIfTheAttemptBeforeItFails() {
        world.provider.trouble(ATTEMPT, Trouble.REQUEST_LOST);
        assertThat(behindASlowAttempt())
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withCauseInstanceOf(LockStoreException.class);
        assertThat(first).isCompletedExceptionally();
    }

    @Test
    @Proves("7.1")
    void anOverdueWaiterEndsWhenTheAttemptBeforeItIsRefused() {
        take(other.lock("stock"));
        assertThat(behindASlowAttempt()).isCompletedWithValue(Optional.empty());
        assertThat(first).isNotDone();
    }

    @Test
    @Proves("7.1")
    void anOverdueWaiterEndsWhenTheAttemptBeforeItIsGranted() {
        assertThat(behindASlowAttempt()).isCompletedWithValue(Optional.empty());
        assertThat(first).isCompletedWithValueMatching(LockHandle::isHeld);
    }

    @Test
    @Proves("9.5")
    void aGrantThatCameTooLateDoesNotFailTheWaitersBehind() {
        LockHandle held = take(other.lock("stock"));
        CompletableFuture<LockHandle> late = client.lock("stock").acquireAsync();
        CompletableFuture<LockHandle> behind = client.lock("stock").acquireAsync();
        world.provider.afterNext(ATTEMPT, () -> world.time.jump(EngineWorld.LEASE));
        held.release();

        assertThat(late).isCompletedExceptionally();
        assertThat(behind).isCompletedWithValueMatching(LockHandle::isHeld);
    }
}
