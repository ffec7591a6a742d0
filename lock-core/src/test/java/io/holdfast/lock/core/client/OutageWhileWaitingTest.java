package io.holdfast.lock.core.client;

import static io.holdfast.lock.core.client.EngineWorld.take;
import static io.holdfast.lock.core.client.TroubledProvider.Call.ATTEMPT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.core.client.TroubledProvider.Trouble;
import io.holdfast.lock.core.local.RetryPauses;
import io.holdfast.parts.Proves;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A waiter behind another gives up only on an answer to a request since its own call, so that it sees an outage. */
class OutageWhileWaitingTest {

    private static final Duration WAIT = Duration.ofMillis(500);

    private final OneLockStore store = new OneLockStore();
    private final EngineWorld world = new EngineWorld(store);
    private final TroubledProvider provider = world.provider;
    private final LockClient client = world.client();

    @AfterEach
    void nothingIsLeft() {
        world.close();
        store.assertThatNothingIsLeft();
    }

    private CompletableFuture<LockHandle> patient() {
        return client.lock("stock").acquireAsync();
    }

    private CompletableFuture<Optional<LockHandle>> waiter(Duration maxWait) {
        return client.lock("stock").tryAcquireAsync(maxWait);
    }

    private static void assertFailed(CompletableFuture<?> acquire) {
        assertThatThrownBy(acquire::join).hasCauseInstanceOf(LockStoreException.class);
    }

    @Test
    @Proves({"1.6", "7.1"})
    void anOutageIsNotReportedAsContentionToAWaiterBehind() {
        store.strangerTakes();
        CompletableFuture<LockHandle> first = patient();
        world.time.advance(Duration.ofSeconds(1));

        provider.trouble(ATTEMPT, Trouble.REQUEST_LOST);
        CompletableFuture<Optional<LockHandle>> second = waiter(WAIT);
        world.time.advance(WAIT);

        assertFailed(second);
        assertFailed(first);
    }

    @Test
    @Proves({"1.6", "7.1"})
    void theFirstWaiterAsksAgainForOneThatCameAfterItsAnswer() {
        store.strangerTakes();
        CompletableFuture<LockHandle> first = patient();
        world.time.advance(Duration.ofSeconds(1));

        CompletableFuture<Optional<LockHandle>> second = waiter(WAIT);
        world.time.advance(WAIT.minusNanos(1));
        assertThat(provider.count(ATTEMPT)).isEqualTo(1);
        world.time.advance(Duration.ofNanos(1));

        assertThat(second).isCompletedWithValue(Optional.empty());
        assertThat(first).isNotDone();
        assertThat(provider.count(ATTEMPT)).isEqualTo(2);
        first.cancel(false);
    }

    @Test
    @Proves("7.1")
    void oneRequestServesAllOverdueWaiters() {
        store.strangerTakes();
        CompletableFuture<LockHandle> first = patient();
        world.time.advance(Duration.ofSeconds(1));

        List<CompletableFuture<Optional<LockHandle>>> behind = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            behind.add(waiter(WAIT));
            world.time.advance(Duration.ofMillis(1));
        }
        world.time.advance(WAIT);

        assertThat(behind).allMatch(wait -> wait.join().isEmpty());
        assertThat(provider.count(ATTEMPT)).isEqualTo(2);
        first.cancel(false);
    }

    @Test
    @Proves({"1.6", "7.1"})
    void aLateAnswerToARequestFromBeforeTheCallIsNotEnough() {
        store.strangerTakes();
        List<CompletableFuture<Optional<LockHandle>>> behind = new ArrayList<>();
        provider.beforeNext(ATTEMPT, () -> {
            world.time.advance(Duration.ofNanos(1));
            behind.add(waiter(WAIT));
            world.time.advance(Duration.ofSeconds(1));
            provider.beforeNext(ATTEMPT, () -> assertThat(behind.get(0)).isNotDone());
        });
        CompletableFuture<LockHandle> first = patient();

        assertThat(behind.get(0)).isCompletedWithValue(Optional.empty());
        assertThat(provider.count(ATTEMPT)).isEqualTo(2);
        first.cancel(false);
    }

    @Test
    @Proves({"1.6", "7.1"})
    void anInheritedAnswerFromBeforeTheCallIsNotEnough() {
        store.strangerTakes();
        Duration untilPoll = RetryPauses.SAFETY_NET;
        CompletableFuture<Optional<LockHandle>> first = waiter(untilPoll.plusSeconds(10));
        world.time.advance(untilPoll.plusMillis(20));
        provider.trouble(ATTEMPT, Trouble.REQUEST_LOST);
        CompletableFuture<Optional<LockHandle>> second = waiter(Duration.ofMillis(50));
        world.time.advance(Duration.ofMillis(30));
        first.cancel(false);
        world.time.advance(Duration.ofMillis(20));
        assertFailed(second);
    }

    @Test
    @Proves({"1.6", "7.1"})
    void theNextFirstWaiterAsksForAnOverdueOne() {
        store.strangerTakes();
        CompletableFuture<LockHandle> first = patient();
        CompletableFuture<LockHandle> second = patient();
        world.time.advance(Duration.ofSeconds(1));
        CompletableFuture<Optional<LockHandle>> third = waiter(WAIT);
        // The first gives up while it asks for the third.
        provider.beforeNext(ATTEMPT, () -> {
            first.cancel(false);
            provider.trouble(ATTEMPT, Trouble.REQUEST_LOST);
            provider.beforeNext(ATTEMPT, () -> assertThat(third).isNotDone());
        });
        world.time.advance(WAIT);

        assertFailed(third);
        assertThat(second.isDone()).isTrue();
    }

    @Test
    @Proves("1.6")
    void theClientsOwnHoldProvesContentionUntilItsDeadline() {
        LockHandle held = take(client.lock("stock"));
        CompletableFuture<LockHandle> first = patient();
        CompletableFuture<LockHandle> second = patient();
        held.release();
        assertThat(first.join().isHeld()).isTrue();
        provider.troubleAll(Trouble.REQUEST_LOST);
        provider.forgetCalls();

        CompletableFuture<Optional<LockHandle>> third = waiter(WAIT);
        world.time.advance(WAIT);
        assertThat(third).isCompletedWithValue(Optional.empty());
        assertThat(provider.count(ATTEMPT)).isZero();

        CompletableFuture<Optional<LockHandle>> fourth = waiter(OneLockStore.LEASE);
        world.time.advance(OneLockStore.LEASE);
        assertFailed(fourth);
        assertFailed(second);
    }
}
