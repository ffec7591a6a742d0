package io.holdfast.lock.core.client;

import static io.holdfast.lock.core.client.EngineWorld.take;
import static io.holdfast.lock.core.client.TroubledProvider.Call.ATTEMPT;
import static io.holdfast.lock.core.client.TroubledProvider.Call.RELEASE;
import static io.holdfast.lock.core.client.TroubledProvider.Call.RENEW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.MultiLock;
import io.holdfast.lock.MultiLockHandle;
import io.holdfast.lock.core.client.TroubledProvider.Trouble;
import io.holdfast.parts.Proves;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Locks over several names. */
class AllTest {

    @AutoClose
    private final EngineWorld world = new EngineWorld();

    private final LockClient other = world.otherClient();
    private final LockClient client = world.client();
    private final MultiLock all = client.all("b", "c", "a", "b");

    private void assertThatNothingIsTaken() {
        assertThat(List.of("a", "b", "c")).noneMatch(world::isTaken);
    }

    @Test
    void namesAreAcquiredInOrderAndReleasedInReverse() throws InterruptedException {
        MultiLockHandle handle = all.acquire();
        assertThat(all.names()).containsExactly("a", "b", "c");
        assertThat(world.provider.names(ATTEMPT)).containsExactly("a", "b", "c");
        assertThat(handle.isHeld()).isTrue();

        assertThat(handle.release()).isTrue();
        assertThat(world.provider.names(RELEASE)).containsExactly("c", "b", "a");
        assertThat(handle.release()).isFalse();
        assertThatCode(handle::close).doesNotThrowAnyException();
        assertThatNothingIsTaken();
    }

    @Test
    @Proves("7.1")
    void allOrNoneIsAcquiredWithinOneDeadline() {
        take(other.lock("b"));
        LockHandle lastHeld = other.lock("c").tryAcquire().orElseThrow();
        assertThat(all.tryAcquire()).isEmpty();
        assertThat(world.isTaken("a")).isFalse();

        CompletableFuture<Optional<MultiLockHandle>> waiting = all.tryAcquireAsync(Duration.ofSeconds(4));
        world.time.advance(Duration.ofSeconds(3));
        assertThat(world.isTaken("a")).isTrue();
        lastHeld.release();
        world.time.advance(Duration.ofSeconds(1));
        assertThat(waiting).isCompletedWithValue(Optional.empty());
        assertThat(world.isTaken("a")).isFalse();
    }

    @Test
    @Proves("5.6")
    void aFailureReleasesTheAcquiredParts() {
        LockHandle held = other.lock("c").tryAcquire().orElseThrow();
        CompletableFuture<MultiLockHandle> waiting = all.acquireAsync();
        world.provider.trouble(ATTEMPT, Trouble.ANSWER_LOST);
        held.release();
        assertThatThrownBy(waiting::join).hasCauseInstanceOf(LockStoreException.class);
        assertThatNothingIsTaken();

        assertThatThrownBy(all::acquire).isInstanceOf(LockStoreException.class);
        assertThatNothingIsTaken();
    }

    @Test
    @Proves({"5.6", "7.6"})
    void cancellationReleasesTheAcquiredParts() {
        LockHandle held = other.lock("c").tryAcquire().orElseThrow();
        CompletableFuture<MultiLockHandle> waiting = all.acquireAsync();
        assertThat(world.isTaken("b")).isTrue();
        waiting.cancel(true);
        held.release();
        assertThatNothingIsTaken();
    }

    @Test
    @Proves({"5.6", "7.6"})
    void cancellingAtAnyMomentLeavesNothing() {
        TaskQueue store = new TaskQueue();
        TaskQueue callbacks = new TaskQueue();
        world.storeCallsOn(store);
        world.callbacksOn(callbacks);
        try (LockClient queued = world.client(world.newProvider())) {
            for (int steps = 0; steps < 12; steps++) {
                CompletableFuture<MultiLockHandle> acquired =
                        queued.all("a", "b", "c").acquireAsync();
                for (int i = 0; i < steps; i++) {
                    (i % 2 == 0 ? store : callbacks).runNext();
                }
                boolean cancelled = acquired.cancel(false);
                while (store.size() + callbacks.size() > 0) {
                    store.runAll();
                    callbacks.runAll();
                }
                if (!cancelled) {
                    assertThat(acquired.join().release()).isTrue();
                }
                assertThatNothingIsTaken();
            }
            store.open();
            callbacks.open();
        }
    }

    @Test
    @Proves("7.4")
    void anInterruptReleasesTheAcquiredParts() throws Exception {
        LockHandle held = other.lock("c").tryAcquire().orElseThrow();
        Caller<MultiLockHandle> waiting = Caller.of(all::acquire).awaitBlocked();
        waiting.interrupt();
        assertThatThrownBy(waiting::result).isInstanceOf(InterruptedException.class);
        held.release();
        assertThatNothingIsTaken();
    }

    @Test
    @Proves("8.1")
    void theLossOfOnePartIsTheLossOfTheWhole() {
        MultiLockHandle handle = all.tryAcquire().orElseThrow();
        CompletableFuture<LossCause> lost = handle.lost().toCompletableFuture();
        world.removeRecord("b");
        assertThat(lost).isCompletedWithValue(LossCause.TAKEN_OVER);
        assertThat(handle.isHeld()).isFalse();
        assertThat(handle.remaining()).isZero();
        assertThatThrownBy(() -> handle.requireRemaining(Duration.ZERO)).isInstanceOf(LockLostException.class);

        assertThatThrownBy(handle::close).isInstanceOf(LockLostException.class).hasMessageContaining("'b'");
        assertThatNothingIsTaken();
        assertThatCode(handle::close).doesNotThrowAnyException();
    }

    @Test
    @Proves("8.3")
    void aReleasedWholeIsNeverLost() {
        MultiLockHandle handle = all.tryAcquire().orElseThrow();
        CompletionStage<LossCause> lost = handle.lost();
        assertThat((Object) handle.lost())
                .as("asking in a loop leaves nothing behind")
                .isSameAs(lost);
        handle.release();
        client.close();
        assertThat(lost).isNotDone();
    }

    @Test
    void releaseTriesEveryPartAndThrowsAllFailures() {
        MultiLockHandle handle = all.tryAcquire().orElseThrow();
        world.provider.trouble(RELEASE, Trouble.REQUEST_LOST);
        assertThatThrownBy(handle::release)
                .isInstanceOf(LockStoreException.class)
                .satisfies(failure -> assertThat(failure.getSuppressed()).hasSize(2));
        assertThat(world.provider.count(RELEASE))
                .as("for each part once, and once more in the background")
                .isEqualTo(6);
    }

    @Test
    void eachNameHasAHandleWithAToken() {
        MultiLockHandle handle = all.tryAcquire().orElseThrow();
        assertThat(handle.handles()).extracting(LockHandle::name).containsExactly("a", "b", "c");
        assertThat(handle.handles()).extracting(LockHandle::fencingToken).doesNotHaveDuplicates();
        assertThat(client.all("single").tryAcquire().orElseThrow().handles()).hasSize(1);
    }

    @Test
    void aWholeIsRenewedAsAWhole() {
        MultiLockHandle handle = all.tryAcquire().orElseThrow();
        world.time.advance(Duration.ofSeconds(5));
        assertThat(handle.remaining()).isEqualTo(Duration.ofSeconds(25));
        assertThat(handle.renew()).isTrue();
        assertThat(handle.remaining()).isEqualTo(Duration.ofSeconds(30));
        world.removeRecord("c");
        assertThat(handle.renew()).isFalse();
    }

    @Test
    void renewTriesEveryPartAndThrowsAllFailures() {
        MultiLockHandle handle = all.tryAcquire().orElseThrow();
        world.provider.trouble(RENEW, Trouble.REQUEST_LOST);
        assertThatThrownBy(handle::renew)
                .isInstanceOf(LockStoreException.class)
                .satisfies(failure -> assertThat(failure.getSuppressed()).hasSize(2));
        assertThat(world.provider.names(RENEW)).containsExactly("a", "b", "c");
    }

    @Test
    @Proves("4.1")
    void theOwnerMayHoldAPartAlready() {
        LockHandle part = client.lock("b").tryAcquire().orElseThrow();
        MultiLockHandle whole = all.tryAcquire().orElseThrow();
        assertThat(world.provider.names(ATTEMPT)).containsExactly("b", "a", "c");
        assertThat(whole.release()).isTrue();
        assertThat(part.isHeld()).isTrue();
    }

    @Test
    @Proves("2.6")
    void aPartThatExpiredDuringTheWaitFailsTheAcquire() {
        LockOptions brief = LockOptions.DEFAULTS.withoutRenewal().withLeaseTime(Duration.ofSeconds(3));
        LockHandle held = other.lock("c").tryAcquire().orElseThrow();
        CompletableFuture<MultiLockHandle> waiting =
                client.all(List.of("a", "b", "c"), brief).acquireAsync();
        world.time.advance(Duration.ofSeconds(4));
        held.release();

        assertThatThrownBy(waiting::join).hasCauseInstanceOf(LockLostException.class);
        assertThatNothingIsTaken();
    }

    @Test
    @Proves("2.6")
    void aPartThatWasLostDuringTheWaitFailsTheAcquire() throws Exception {
        LockHandle held = other.lock("c").tryAcquire().orElseThrow();
        Caller<MultiLockHandle> waiting = Caller.of(all::acquire).awaitBlocked();
        world.removeRecord("a");
        held.release();

        assertThatThrownBy(waiting::result)
                .isInstanceOfSatisfying(
                        LockLostException.class,
                        lost -> assertThat(lost.lossCause()).isEqualTo(LossCause.TAKEN_OVER))
                .hasMessageContaining("'a'");
        assertThatNothingIsTaken();
    }

    @Test
    void noNamesAreRefused() {
        assertThatThrownBy(client::all)
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("1 or more");
        assertThatThrownBy(() -> client.all("a", "")).isInstanceOf(LockConfigurationException.class);
    }
}
