package io.holdfast.lock.core.client;

import static io.holdfast.lock.core.client.EngineWorld.take;
import static io.holdfast.lock.core.client.TroubledProvider.Call.ATTEMPT;
import static io.holdfast.lock.core.client.TroubledProvider.Call.RELEASE;
import static io.holdfast.lock.core.client.TroubledProvider.Call.RENEW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockOwner;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.core.client.TroubledProvider.Trouble;
import io.holdfast.parts.Proves;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** No waiter sleeps through the release of its lock, whatever happens at the same moment. */
class WokenWaiterTest {

    private static final LockOptions COUNTED = LockOptions.DEFAULTS.withOwner(LockOwner.of("workflow"));

    @AutoClose
    private final EngineWorld world = new EngineWorld();

    private final LockClient client = world.client();
    private final FeedStore store = new FeedStore();
    private final TroubledProvider feedProvider = new TroubledProvider(store);
    private final LockClient feedClient = world.client(feedProvider);

    @Test
    @Proves("7.2")
    void waiterPastTheQueueIsGrantedTheLockAfterAReleaseOfItsClient() {
        LockHandle held = take(client.lock("stock"));
        CompletableFuture<LockHandle> waiting = client.lock("stock", COUNTED).acquireAsync();
        assertThat(waiting).isNotDone();

        held.release();
        assertThat(waiting).isCompletedWithValueMatching(LockHandle::isHeld);
    }

    @Test
    @Proves("7.2")
    void waiterThatComesDuringAReleaseIsGrantedTheLockAfterIt() {
        LockHandle held = take(client.lock("stock"));
        List<CompletableFuture<LockHandle>> waiting = new ArrayList<>();
        world.provider.beforeNext(
                RELEASE, () -> waiting.add(client.lock("stock", COUNTED).acquireAsync()));

        held.release();
        assertThat(waiting.get(0)).isCompletedWithValueMatching(LockHandle::isHeld);
    }

    @Test
    @Proves("7.2")
    void wakeUpOfAnInterruptedAttemptServesTheNextWaiter() throws Exception {
        store.lock().strangerTakes();
        Caller<LockHandle> first =
                Caller.of(() -> feedClient.lock("stock").acquire()).awaitBlocked();
        CompletableFuture<LockHandle> second = feedClient.lock("stock").acquireAsync();
        store.listener().listening("stock");
        first.awaitBlocked();
        feedProvider.beforeNext(ATTEMPT, () -> {
            Thread.currentThread().interrupt();
            throw new LockStoreException("The pool gave up, because the thread was interrupted");
        });

        store.lock().strangerLeaves();
        store.listener().released("stock");
        assertThatThrownBy(first::result).isInstanceOf(InterruptedException.class);
        assertThat(second).succeedsWithin(Duration.ofSeconds(5));
    }

    @Test
    void newsOfALockThatNobodyWaitsForDoNoHarm() {
        assertThatCode(() -> {
                    store.listener().listening("nobody");
                    store.listener().released("nobody");
                    store.listener().interrupted("nobody");
                })
                .doesNotThrowAnyException();
    }

    @Test
    void waiterThatIsCancelledWhenItBecomesTheFirstDoesNotKeepTheSubscription() {
        store.lock().strangerTakes();
        CompletableFuture<Optional<LockHandle>> first = feedClient.lock("stock").tryAcquireAsync(Duration.ofSeconds(4));
        CompletableFuture<LockHandle> second = feedClient.lock("stock").acquireAsync();
        store.listener().listening("stock");
        CompletableFuture<Boolean> cancelled = first.thenApply(ended -> second.cancel(false));

        world.time.advance(Duration.ofSeconds(4));
        assertThat(cancelled).isCompletedWithValue(true);
        world.time.advance(Duration.ofSeconds(30));
        assertThat(store.calls()).endsWith("-stock");
    }

    @Test
    @Proves("4.6")
    void claimOfAnExpiredHoldIsReleasedWhenItsOwnerIsGrantedTheLockAgain() {
        LockOptions counted = COUNTED.withoutRenewal();
        List<LockHandle> older = new ArrayList<>();
        world.provider.beforeNext(ATTEMPT, () -> {
            older.add(take(client.lock("stock", counted)));
            world.time.jump(Duration.ofSeconds(20));
            world.provider.trouble(RENEW, Trouble.ANSWER_LOST);
            assertThatThrownBy(older.get(0)::renew).isInstanceOf(LockStoreException.class);
            world.time.jump(Duration.ofSeconds(15));
        });
        LockHandle held = take(client.lock("stock", counted.withLeaseTime(Duration.ofMinutes(1))));
        assertThat(older.get(0).isHeld()).isFalse();
        assertThat(older.get(0).lost()).isCompletedWithValue(LossCause.STORE_LOST);

        held.release();
        assertThat(world.isTaken("stock")).isFalse();
    }
}
