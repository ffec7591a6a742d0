package io.holdfast.lock.core.client;

import static io.holdfast.lock.core.client.TroubledProvider.Call.ATTEMPT;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.core.local.RetryPauses;
import io.holdfast.parts.Proves;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Waiters of a provider with a release feed: which names are subscribed to, and which messages wake which waiters. */
class FeedTest {

    private final FeedStore store = new FeedStore();
    private final EngineWorld world = new EngineWorld(store);
    private final TroubledProvider provider = world.provider;
    private final LockClient client = world.client();

    /** Each hand-over is the store's. */
    private static final LockOptions BY_THE_STORE = LockOptions.DEFAULTS.withHandOver(0);

    @AfterEach
    void closeWorld() {
        world.close();
        assertThat(store.lock().wrongs()).isEmpty();
    }

    private CompletableFuture<Optional<LockHandle>> waiter(String name, Duration maxWait) {
        return client.lock(name, BY_THE_STORE).tryAcquireAsync(maxWait);
    }

    private CompletableFuture<Optional<LockHandle>> waiter() {
        return waiter("stock", Duration.ofHours(1));
    }

    private void subscribed() {
        store.listener().listening("stock");
        provider.forgetCalls();
    }

    @Test
    @Proves("7.2")
    void aNameIsSubscribedToWhenItsFirstWaiterIsRefused() {
        assertThat(client.lock("stock").tryAcquire()).hasValueSatisfying(LockHandle::close);
        store.lock().strangerTakes();
        assertThat(client.lock("stock").tryAcquire()).isEmpty();
        assertThat(store.calls()).isEmpty();

        List<CompletableFuture<?>> waiting = List.of(waiter(), waiter());
        assertThat(store.calls()).containsExactly("+stock");
        assertThat(waiting).noneMatch(CompletableFuture::isDone);
    }

    @Test
    @Proves("7.2")
    void aReleaseWakesTheFirstWaiter() {
        store.lock().strangerTakes();
        CompletableFuture<Optional<LockHandle>> first = waiter();
        CompletableFuture<Optional<LockHandle>> second = waiter();
        subscribed();
        store.lock().strangerLeaves();
        assertThat(first).isNotDone();

        store.listener().released("stock");
        assertThat(first).isCompletedWithValueMatching(Optional::isPresent);
        assertThat(second).isNotDone();
        assertThat(provider.count(ATTEMPT)).isEqualTo(1);
    }

    /** The message may be late: the grant came after that release. */
    @Test
    void aReleaseMessageWhileThisClientHoldsTheLockWakesNobody() {
        store.lock().strangerTakes();
        CompletableFuture<Optional<LockHandle>> first = waiter();
        CompletableFuture<Optional<LockHandle>> second = waiter();
        subscribed();
        store.lock().strangerLeaves();
        store.listener().released("stock");
        provider.forgetCalls();

        store.listener().released("stock");
        assertThat(provider.count(ATTEMPT)).isZero();
        first.join().orElseThrow().close();
        assertThat(second).isCompletedWithValueMatching(Optional::isPresent);
        assertThat(provider.count(ATTEMPT)).isEqualTo(1);
    }

    @Test
    @Proves("7.2")
    void aReleaseBeforeTheSubscriptionIsNotMissed() {
        store.lock().strangerTakes();
        CompletableFuture<Optional<LockHandle>> waiting = waiter();
        store.lock().strangerLeaves();
        store.listener().listening("stock");
        assertThat(waiting).isCompletedWithValueMatching(Optional::isPresent);
    }

    @Test
    @Proves("7.2")
    void waitersPollWhileTheFeedIsInterrupted() {
        store.lock().strangerTakes();
        CompletableFuture<Optional<LockHandle>> waiting = waiter();
        subscribed();
        store.listener().interrupted("stock");
        assertThat(provider.count(ATTEMPT)).as("woken once").isEqualTo(1);
        store.listener().interrupted("stock");
        assertThat(provider.count(ATTEMPT)).isEqualTo(1);

        store.lock().strangerLeaves();
        world.time.advance(RetryPauses.LONGEST_POLL);
        assertThat(waiting).isCompletedWithValueMatching(Optional::isPresent);
    }

    @Test
    void aSleepingWaiterDoesNotPollWithAFeed() {
        store.lock().strangerTakes();
        CompletableFuture<Optional<LockHandle>> waiting = waiter();
        subscribed();
        world.time.advance(RetryPauses.SAFETY_NET.minusNanos(1));
        assertThat(provider.count(ATTEMPT)).isZero();
        assertThat(waiting).isNotDone();
    }

    @Test
    @Proves("7.2")
    void aWaiterWithAnInheritedAnswerIsWoken() {
        store.lock().strangerTakes();
        CompletableFuture<Optional<LockHandle>> first = waiter("stock", Duration.ofSeconds(4));
        CompletableFuture<Optional<LockHandle>> second = waiter();
        subscribed();
        world.time.advance(Duration.ofSeconds(4));
        assertThat(first).isCompletedWithValue(Optional.empty());
        provider.forgetCalls();

        store.lock().strangerLeaves();
        store.listener().released("stock");
        assertThat(second).isCompletedWithValueMatching(Optional::isPresent);
        assertThat(provider.count(ATTEMPT)).isEqualTo(1);
    }

    @Test
    void sixtyFourIdleNamesStaySubscribed() {
        store.lock().strangerTakes();
        for (int i = 0; i < 65; i++) {
            CompletableFuture<Optional<LockHandle>> waiting = waiter("lock " + i, Duration.ofSeconds(1));
            store.listener().listening("lock " + i);
            waiting.cancel(false);
        }
        assertThat(store.calls()).hasSize(66).endsWith("+lock 64", "-lock 0");
        store.calls().clear();

        assertThat(waiter("lock 64", Duration.ofSeconds(1))).isNotDone();
        assertThat(store.calls()).isEmpty();
        assertThat(waiter("lock 0", Duration.ofSeconds(1))).isNotDone();
        assertThat(store.calls()).containsExactly("+lock 0");
    }

    @Test
    void anIdleNameIsUnsubscribedAfterHalfAMinute() {
        store.lock().strangerTakes();
        waiter().cancel(false);
        world.time.advance(Duration.ofSeconds(30).minusNanos(1));
        assertThat(store.calls()).containsExactly("+stock");

        world.time.advance(Duration.ofNanos(1));
        assertThat(store.calls()).containsExactly("+stock", "-stock");
    }
}
