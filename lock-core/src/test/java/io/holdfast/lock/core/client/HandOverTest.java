package io.holdfast.lock.core.client;

import static io.holdfast.lock.core.client.EngineWorld.take;
import static io.holdfast.lock.core.client.TroubledProvider.Call.ATTEMPT;
import static io.holdfast.lock.core.client.TroubledProvider.Call.RELEASE;
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

/** While a client releases a lock, its next waiter does not ask: the store would refuse. */
class HandOverTest {

    private final OneLockStore store = new OneLockStore();
    private final EngineWorld world = new EngineWorld(store);
    private final TroubledProvider provider = world.provider;
    private final TaskQueue steps = new TaskQueue();
    private LockClient client = world.client();

    @AfterEach
    void nothingIsLeft() {
        steps.open();
        world.close();
        store.assertThatNothingIsLeft();
    }

    private CompletableFuture<LockHandle> waiter() {
        return client.lock("stock").acquireAsync();
    }

    @Test
    @Proves("7.2")
    void aSignalDuringTheReleaseWaitsForItsEnd() {
        LockHandle held = take(client.lock("stock"));
        CompletableFuture<LockHandle> waiting = waiter();
        provider.forgetCalls();
        provider.beforeNext(RELEASE, () -> {
            provider.latestSignals().mayBeFree();
            assertThat(provider.count(ATTEMPT)).isZero();
        });

        held.release();
        assertThat(waiting).isCompletedWithValueMatching(LockHandle::isHeld);
        assertThat(provider.count(ATTEMPT)).isEqualTo(1);
    }

    @Test
    void aWaiterThatComesDuringTheReleaseAsksAfterIt() {
        LockHandle held = take(client.lock("stock"));
        List<CompletableFuture<LockHandle>> waiting = new ArrayList<>();
        provider.beforeNext(RELEASE, () -> waiting.add(waiter()));
        provider.forgetCalls();

        held.release();
        assertThat(waiting.get(0)).isCompletedWithValueMatching(LockHandle::isHeld);
        assertThat(provider.count(ATTEMPT)).isEqualTo(1);
    }

    @Test
    void aWaiterThatBecomesFirstDuringTheReleaseAsksAfterIt() {
        store.strangerTakes();
        world.storeCallsOn(steps);
        client = world.client();
        CompletableFuture<LockHandle> first = waiter();
        CompletableFuture<LockHandle> second = waiter();
        steps.runAll();
        store.strangerLeaves();
        steps.runNext();
        assertThat(first).isDone();
        assertThat(steps.size()).isZero();
        world.time.advance(RetryPauses.SAFETY_NET);
        assertThat(steps.size()).as("the successor").isEqualTo(1);
        provider.forgetCalls();
        provider.beforeNext(RELEASE, () -> {
            steps.runAll();
            assertThat(provider.count(ATTEMPT)).isZero();
        });

        first.join().release();
        steps.runAll();
        assertThat(second).isCompletedWithValueMatching(LockHandle::isHeld);
        assertThat(provider.count(ATTEMPT)).isEqualTo(1);
    }

    @Test
    void anAcquireThatIsGrantedEndsBeforeItsSuccessorIsWoken() {
        store.strangerTakes();
        List<Integer> sizes = new ArrayList<>();
        world.storeCallsOn(steps);
        client = world.client();
        CompletableFuture<?> first = waiter().thenRun(() -> sizes.add(steps.size()));
        CompletableFuture<LockHandle> second = waiter();
        steps.runAll();
        store.strangerLeaves();
        steps.runNext();

        assertThat(first).isDone();
        assertThat(sizes).as("no step of the successor was there").containsExactly(0);
        assertThat(second).isNotDone();
        second.cancel(false);
    }

    @Test
    @Proves("7.1")
    void aWaiterThatTimesOutDuringTheReleaseAsksOnce() {
        LockHandle held = take(client.lock("stock"));
        List<CompletableFuture<Optional<LockHandle>>> waiting = new ArrayList<>();
        provider.beforeNext(RELEASE, () -> {
            waiting.add(client.lock("stock").tryAcquireAsync(Duration.ofMillis(500)));
            world.time.advance(Duration.ofMillis(500));
            assertThat(waiting.get(0)).isCompletedWithValue(Optional.empty());
        });
        provider.forgetCalls();

        held.release();
        assertThat(provider.count(ATTEMPT)).isEqualTo(1);
    }

    @Test
    @Proves("7.1")
    void theFirstWaiterAsksForAnotherThatTimesOutDuringTheRelease() {
        LockHandle held = take(client.lock("stock"));
        CompletableFuture<LockHandle> first = waiter();
        world.time.advance(Duration.ofSeconds(1));
        provider.beforeNext(RELEASE, () -> {
            CompletableFuture<Optional<LockHandle>> behind =
                    client.lock("stock").tryAcquireAsync(Duration.ofMillis(500));
            world.time.advance(Duration.ofMillis(500));
            assertThat(behind).isCompletedWithValue(Optional.empty());
        });

        held.release();
        assertThat(first).isCompletedWithValueMatching(LockHandle::isHeld);
    }

    @Test
    @Proves("7.3")
    void aHangingReleaseDelaysTheNextWaiterUntilTheLeaseEndsAtMost() {
        LockHandle held = take(client.lock("stock"));
        CompletableFuture<LockHandle> waiting = waiter();
        provider.beforeNext(RELEASE, () -> {
            provider.latestSignals().mayBeFree();
            provider.loseSignals();
            store.operatorRemoves();
            world.time.advance(OneLockStore.LEASE.minusNanos(1));
            assertThat(waiting).isNotDone();
            world.time.advance(Duration.ofNanos(1));
            assertThat(waiting).isCompletedWithValueMatching(LockHandle::isHeld);
        });
        held.release();
        assertThat(waiting).isDone();
    }

    @Test
    @Proves("7.2")
    void aSignalDuringAFailedReleaseIsNotForgotten() {
        LockHandle held = take(client.lock("stock"));
        CompletableFuture<LockHandle> waiting = waiter();
        provider.beforeNext(RELEASE, () -> provider.latestSignals().mayBeFree());
        provider.trouble(RELEASE, Trouble.ANSWER_LOST);
        world.releasesOn(steps);

        assertThatThrownBy(held::release).isInstanceOf(LockStoreException.class);
        assertThat(waiting).isCompletedWithValueMatching(LockHandle::isHeld);
    }
}
