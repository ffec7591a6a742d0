package io.holdfast.lock.core.client;

import static io.holdfast.lock.core.client.TroubledProvider.Call.ATTEMPT;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.parts.Proves;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Waiters whose time is over while an attempt of the first in the queue is under way. */
class OverdueWaiterTest {

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

    private CompletableFuture<Optional<LockHandle>> waiter(int maxWaitMillis) {
        return client.lock("stock").tryAcquireAsync(Duration.ofMillis(maxWaitMillis));
    }

    private void advance(int millis) {
        world.time.advance(Duration.ofMillis(millis));
    }

    @Test
    @Proves("7.1")
    void requestSinceTheCallAnswersAnOverdueWaiter() {
        store.strangerTakes();
        CompletableFuture<LockHandle> first = patient();
        advance(100);
        CompletableFuture<Optional<LockHandle>> overdue = waiter(200);
        advance(100);
        provider.forgetCalls();
        provider.beforeNext(ATTEMPT, () -> advance(500));
        store.wakeWaiters();

        assertThat(overdue).isCompletedWithValue(Optional.empty());
        assertThat(provider.count(ATTEMPT)).isEqualTo(1);
        assertThat(first).isNotDone();
        first.cancel(false);
    }

    @Test
    @Proves({"1.6", "7.1"})
    void eachOverdueWaiterIsAnsweredByARequestSinceItsOwnCall() {
        store.strangerTakes();
        CompletableFuture<LockHandle> first = patient();
        advance(100);
        List<CompletableFuture<Optional<LockHandle>>> overdue = new ArrayList<>();
        CompletableFuture<Optional<LockHandle>> early = waiter(1_000);
        advance(100);
        provider.beforeNext(ATTEMPT, () -> {
            advance(100);
            overdue.add(waiter(200));
            advance(900);
            // The time of both is over, that of the one that called first last.
            assertThat(early).isNotDone();
            assertThat(overdue.get(0)).isNotDone();
            provider.beforeNext(
                    ATTEMPT,
                    () -> assertThat(overdue.get(0))
                            .as("the first request was sent before its call")
                            .isNotDone());
        });
        provider.forgetCalls();
        store.wakeWaiters();

        assertThat(early).isCompletedWithValue(Optional.empty());
        assertThat(overdue.get(0)).isCompletedWithValue(Optional.empty());
        assertThat(provider.count(ATTEMPT)).isEqualTo(2);
        assertThat(first).isNotDone();
        first.cancel(false);
    }

    @Test
    @Proves("7.1")
    void nextWaiterAsksForOverdueWaitersIfTheFirstEndsWithoutAnAnswer() {
        FeedStore feed = new FeedStore();
        TroubledProvider late = new TroubledProvider(feed);
        LockClient waiting = world.client(late);
        TaskQueue releases = new TaskQueue();
        world.releasesOn(releases);
        feed.lock().strangerTakes();
        CompletableFuture<LockHandle> first = waiting.lock("stock").acquireAsync();
        CompletableFuture<LockHandle> second = waiting.lock("stock").acquireAsync();
        feed.listener().listening("stock");
        advance(100);
        CompletableFuture<Optional<LockHandle>> overdue = waiting.lock("stock").tryAcquireAsync(Duration.ofMillis(200));
        // The grant arrives too late to be used: it is undone, and says nothing to the others.
        late.validity(validity -> Duration.ofMillis(100));
        late.afterNext(ATTEMPT, () -> advance(300));
        feed.lock().strangerLeaves();
        feed.listener().released("stock");

        assertThat(first).isCompletedExceptionally();
        assertThat(overdue).isCompletedWithValue(Optional.empty());
        assertThat(second).isNotDone();
        late.validity(validity -> validity);
        releases.open();
        assertThat(second).isCompletedWithValueMatching(LockHandle::isHeld);
        waiting.close();
        assertThat(feed.lock().wrongs()).isEmpty();
    }
}
