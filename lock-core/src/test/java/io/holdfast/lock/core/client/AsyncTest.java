package io.holdfast.lock.core.client;

import static io.holdfast.lock.core.client.EngineWorld.take;
import static io.holdfast.lock.core.client.TroubledProvider.Call.ATTEMPT;
import static io.holdfast.lock.core.client.TroubledProvider.Call.RELEASE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.MultiLockHandle;
import io.holdfast.parts.Proves;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Asynchronous acquires that their callers cancel before, during and after the grant. */
class AsyncTest {

    private final EngineWorld world = new EngineWorld();
    private final TaskQueue store = new TaskQueue();
    private final TaskQueue callbacks = new TaskQueue();
    private final TaskQueue releases = new TaskQueue();
    private final LockClient other = world.otherClient();
    private final LockClient client;
    private final DistributedLock lock;

    AsyncTest() {
        world.storeCallsOn(store);
        world.callbacksOn(callbacks);
        client = world.client();
        lock = client.lock("stock");
    }

    @AfterEach
    void closeWorld() {
        store.open();
        callbacks.open();
        releases.open();
        world.close();
    }

    @Test
    void theCallingThreadNeitherAsksTheStoreNorCompletesTheFuture() {
        CompletableFuture<LockHandle> acquired = lock.acquireAsync();
        assertThat(world.provider.requests()).isEmpty();

        store.runAll();
        assertThat(acquired).isNotDone();
        assertThat(callbacks.size()).isPositive();
        callbacks.runAll();
        assertThat(acquired).isCompletedWithValueMatching(LockHandle::isHeld);
    }

    @Test
    @Proves("5.6")
    void aGrantToACancelledAcquireIsReleasedWhileCallbacksAreBlocked() {
        CompletableFuture<LockHandle> duringTheAttempt = lock.acquireAsync();
        world.provider.beforeNext(ATTEMPT, () -> duringTheAttempt.cancel(false));
        store.runAll();
        assertThat(world.isTaken("stock")).isFalse();

        CompletableFuture<LockHandle> afterTheGrant = lock.acquireAsync();
        store.runAll();
        assertThat(world.isTaken("stock")).isTrue();
        assertThat(afterTheGrant.cancel(false)).isTrue();
        assertThat(world.isTaken("stock")).isFalse();
    }

    @Test
    @Proves("7.6")
    void aCancelledWaitLeavesNothing() {
        LockHandle held = other.lock("stock").tryAcquire().orElseThrow();
        CompletableFuture<LockHandle> waiting = lock.acquireAsync();
        CompletableFuture<LockHandle> next = lock.acquireAsync();
        runAll();

        assertThat(waiting.cancel(true)).isTrue();
        runAll();
        assertThat(world.provider.names(RELEASE)).as("its claim is withdrawn").containsExactly("stock");
        held.release();
        runAll();
        assertThat(next).isCompletedWithValueMatching(LockHandle::isHeld);
        next.join().release();
        assertThat(world.isTaken("stock")).isFalse();
    }

    @Test
    @Proves({"5.6", "7.6"})
    void aGrantAfterTheCancellationIsReleased() {
        CompletableFuture<LockHandle> acquired = lock.acquireAsync();
        acquired.cancel(false);
        runAll();
        assertThat(world.isTaken("stock")).isFalse();
    }

    @Test
    @Proves({"5.6", "7.6"})
    void anUndeliveredHoldIsReleasedWhenItsAcquireIsCancelled() {
        CompletableFuture<LockHandle> acquired = lock.acquireAsync();
        store.runAll();
        assertThat(world.isTaken("stock")).isTrue();

        acquired.cancel(false);
        runAll();
        assertThat(world.isTaken("stock")).isFalse();
    }

    @Test
    @Proves({"5.6", "7.6"})
    void aFutureThatTheCallerTimesOutEndsTheAcquire() {
        LockHandle held = other.lock("stock").tryAcquire().orElseThrow();
        CompletableFuture<Optional<LockHandle>> waiting = lock.tryAcquireAsync(Duration.ofHours(1));
        runAll();
        CompletableFuture<Optional<LockHandle>> timed = waiting.orTimeout(1, TimeUnit.MILLISECONDS);
        await().atMost(Duration.ofSeconds(20)).until(timed::isCompletedExceptionally);

        runAll();
        held.release();
        runAll();
        assertThat(world.isTaken("stock")).isFalse();
        world.time.advance(EngineWorld.LEASE);
        assertThat(world.time.timers()).isZero();
    }

    @Test
    @Proves({"5.6", "7.6"})
    void aFutureThatTheCallerCompletesEndsTheAcquire() {
        CompletableFuture<Optional<LockHandle>> acquired = lock.tryAcquireAsync(Duration.ofHours(1));
        acquired.complete(Optional.empty());
        runAll();
        assertThat(world.isTaken("stock")).isFalse();
    }

    @Test
    @Proves("5.6")
    void aFailedReleaseOfACancelledHoldIsRepeated() {
        CompletableFuture<LockHandle> acquired = lock.acquireAsync();
        store.runAll();
        world.provider.trouble(TroubledProvider.Call.RELEASE, TroubledProvider.Trouble.REQUEST_LOST);
        acquired.cancel(false);
        runAll();
        assertThat(world.isTaken("stock")).isTrue();

        world.provider.trouble(TroubledProvider.Call.RELEASE, TroubledProvider.Trouble.NONE);
        world.time.advance(Duration.ofSeconds(1));
        runAll();
        assertThat(world.isTaken("stock")).isFalse();
    }

    @Test
    void cancellingAfterTheGrantDoesNotReleaseIt() {
        CompletableFuture<LockHandle> acquired = lock.acquireAsync();
        runAll();
        assertThat(acquired.cancel(true)).isFalse();
        runAll();
        assertThat(acquired.join().isHeld()).isTrue();
    }

    @Test
    @Proves("4.4")
    void twoAsynchronousAcquiresOfOneThreadExcludeEachOther() {
        CompletableFuture<LockHandle> first = lock.acquireAsync();
        CompletableFuture<LockHandle> second = lock.acquireAsync();
        runAll();
        assertThat(first).isDone();
        assertThat(second).isNotDone();
    }

    @Test
    @Proves("1.6")
    void aFailureReachesTheCallerWithoutAWrapper() {
        world.provider.trouble(TroubledProvider.Call.ATTEMPT, TroubledProvider.Trouble.REQUEST_LOST);
        CompletableFuture<LockHandle> acquired = lock.acquireAsync();
        runAll();
        assertThatThrownBy(acquired::join)
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(LockStoreException.class);
        assertThatThrownBy(acquired::get).hasCauseInstanceOf(LockStoreException.class);
    }

    private void runAll() {
        while (store.size() + callbacks.size() > 0) {
            store.runAll();
            callbacks.runAll();
        }
    }

    @Test
    void noCallbackThreadWaitsForTheStore() {
        world.releasesOn(releases);
        store.open();
        LockHandle foreign = take(other.lock("b"));
        CompletableFuture<Optional<MultiLockHandle>> all = client.all("a", "b").tryAcquireAsync(Duration.ofSeconds(1));
        callbacks.runAll();
        world.time.advance(Duration.ofSeconds(1));
        callbacks.runAll();
        assertThat(world.provider.count(RELEASE, "a")).isZero();
        assertThat(all).isNotDone();

        releases.open();
        callbacks.runAll();
        assertThat(world.isTaken("a")).isFalse();
        assertThat(all).isCompletedWithValue(Optional.empty());
        assertThat(foreign.isHeld()).isTrue();
    }

    @Test
    void aHoldThatIsGrantedAfterTheCancellationIsGivenBackOnce() {
        world.releasesOn(releases);
        CompletableFuture<LockHandle> acquired = lock.acquireAsync();
        world.provider.afterNext(ATTEMPT, () -> acquired.cancel(false));
        store.open();
        callbacks.open();
        assertThat(world.provider.count(RELEASE)).isZero();

        releases.open();
        assertThat(world.provider.count(RELEASE)).isEqualTo(1);
        assertThat(world.isTaken("stock")).isFalse();
    }
}
