package io.holdfast.lock.core.client;

import static io.holdfast.lock.core.client.EngineWorld.take;
import static io.holdfast.lock.core.client.TroubledProvider.Call.RELEASE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.core.client.TroubledProvider.Trouble;
import io.holdfast.parts.Proves;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class ReleaseTest {

    @AutoClose
    private final EngineWorld world = new EngineWorld();

    private final RecordedEvents events = new RecordedEvents();
    private final LockClient client = world.client(events);
    private final DistributedLock lock = client.lock("stock");

    @Test
    @Proves("5.3")
    void aSecondReleaseReturnsFalseAndASecondCloseIsQuiet() {
        LockHandle handle = lock.tryAcquire().orElseThrow();
        assertThat(handle.release()).isTrue();
        assertThat(handle.release()).isFalse();
        assertThatCode(handle::close).doesNotThrowAnyException();
        assertThat(world.provider.count(RELEASE)).isEqualTo(1);
    }

    @Test
    @Proves({"5.3", "8.3"})
    void theNextReleaseRepeatsALostRelease() {
        LockHandle handle = lock.tryAcquire().orElseThrow();
        world.provider.trouble(RELEASE, Trouble.REQUEST_LOST);
        assertThatThrownBy(handle::release).isInstanceOf(LockStoreException.class);
        assertThat(handle.isHeld()).isFalse();
        assertThat(world.isTaken("stock")).isTrue();

        world.provider.trouble(RELEASE, Trouble.NONE);
        assertThat(handle.release()).isTrue();
        assertThat(world.isTaken("stock")).isFalse();
        assertThat(handle.release()).isFalse();
        assertThat(handle.lost()).isNotDone();
    }

    @Test
    @Proves({"5.3", "8.3"})
    void aRepeatedReleaseAfterALostAnswerIsNoLoss() {
        LockHandle handle = lock.tryAcquire().orElseThrow();
        world.provider.trouble(RELEASE, Trouble.ANSWER_LOST);
        assertThatThrownBy(handle::release).isInstanceOf(LockStoreException.class);

        world.provider.trouble(RELEASE, Trouble.NONE);
        assertThat(handle.release()).isFalse();
        assertThat(handle.lost()).isNotDone();
        assertThat(events.kinds()).containsExactly("acquired", "released");
    }

    @Test
    @Proves("5.3")
    void closingAfterAnUnknownReleaseDoesNothing() {
        LockHandle handle = lock.tryAcquire().orElseThrow();
        world.provider.trouble(RELEASE, Trouble.REQUEST_LOST);
        assertThatThrownBy(handle::close).isInstanceOf(LockStoreException.class);
        world.provider.forgetCalls();
        assertThatCode(handle::close).doesNotThrowAnyException();
        assertThat(world.provider.count(RELEASE)).isZero();

        world.time.advance(EngineWorld.LEASE);
        assertThat(world.strangerTakes("stock", EngineWorld.LEASE)).isNotNull();
    }

    @Test
    @Proves("5.4")
    void aReleaseOfUnknownOutcomeIsRepeatedInTheBackground() {
        LockHandle handle = lock.tryAcquire().orElseThrow();
        world.provider.trouble(RELEASE, Trouble.REQUEST_LOST);
        assertThatThrownBy(handle::release).isInstanceOf(LockStoreException.class);
        assertThat(world.isTaken("stock")).isTrue();

        world.provider.trouble(RELEASE, Trouble.NONE);
        world.time.advance(Duration.ofSeconds(1));
        assertThat(world.isTaken("stock")).isFalse();
        assertThat(events.kinds()).containsExactly("acquired", "released");
        assertThat(handle.release()).as("found released, and no loss").isFalse();
        assertThat(handle.lost()).isNotDone();
    }

    @Test
    @Proves("7.2")
    void aReleaseThatSucceedsInTheBackgroundWakesTheNextWaiter() {
        world.provider.loseSignals();
        LockHandle handle = lock.tryAcquire().orElseThrow();
        CompletableFuture<LockHandle> waiting = lock.acquireAsync();
        world.provider.trouble(RELEASE, Trouble.REQUEST_LOST);
        assertThatThrownBy(handle::release).isInstanceOf(LockStoreException.class);

        world.provider.trouble(RELEASE, Trouble.NONE);
        world.time.advance(Duration.ofSeconds(1));
        assertThat(waiting).isCompletedWithValueMatching(LockHandle::isHeld);
    }

    @Test
    @Proves("5.3")
    void aReleaseThatFailsUntilTheLeaseEndsIsOver() {
        LockHandle handle = lock.tryAcquire().orElseThrow();
        world.provider.trouble(RELEASE, Trouble.REQUEST_LOST);
        assertThatThrownBy(handle::release).isInstanceOf(LockStoreException.class);
        world.time.advance(EngineWorld.LEASE);
        assertThat(events.kinds()).containsExactly("acquired", "released");

        world.provider.forgetCalls();
        assertThat(handle.release()).isFalse();
        assertThat(world.provider.count(RELEASE)).isZero();
    }

    @Test
    @Proves("5.3")
    void onlyTheLastHandleRepeatsAnUnknownRelease() {
        LockHandle outer = lock.tryAcquire().orElseThrow();
        LockHandle inner = lock.tryAcquire().orElseThrow();
        inner.release();
        world.provider.trouble(RELEASE, Trouble.REQUEST_LOST);
        assertThatThrownBy(outer::release).isInstanceOf(LockStoreException.class);

        world.provider.trouble(RELEASE, Trouble.NONE);
        assertThat(inner.release()).isFalse();
        assertThat(world.isTaken("stock")).isTrue();
        assertThat(outer.release()).isTrue();
    }

    @Test
    @Proves({"8.3", "9.1"})
    void twoThreadsThatReleaseOneHandleReleaseItOnce() throws Exception {
        LockHandle handle = lock.tryAcquire().orElseThrow();
        CompletableFuture<Void> answer = new CompletableFuture<>();
        world.provider.beforeNext(RELEASE, answer::join);
        Caller<Boolean> first = Caller.of(handle::release).awaitBlocked();
        Caller<Boolean> second = Caller.of(handle::release).awaitBlocked();
        answer.complete(null);

        assertThat(first.result()).isTrue();
        assertThat(second.result()).isFalse();
        assertThat(world.provider.count(RELEASE)).isEqualTo(1);
        assertThat(handle.lost()).isNotDone();
    }

    @Test
    @Proves({"5.3", "8.5"})
    void aReleaseThatFindsTheRecordGoneReportsTheLoss() {
        world.provider.loseSignals();
        LockHandle handle = lock.tryAcquire().orElseThrow();
        world.removeRecord("stock");

        assertThat(handle.release()).isFalse();
        assertThat(handle.lost()).isCompletedWithValue(LossCause.TAKEN_OVER);
        assertThat(events.kinds()).containsExactly("acquired", "lost TAKEN_OVER");
    }

    @Test
    @Proves({"5.3", "8.1"})
    void aCloseThatFindsTheRecordGoneThrowsOnceWithTheCause() {
        world.provider.loseSignals();
        LockHandle handle = lock.tryAcquire().orElseThrow();
        world.removeRecord("stock");

        assertThatThrownBy(handle::close)
                .isInstanceOfSatisfying(
                        LockLostException.class,
                        lost -> assertThat(lost.lossCause()).isEqualTo(LossCause.TAKEN_OVER));
        assertThat(handle.release()).isFalse();
        assertThatCode(handle::close).doesNotThrowAnyException();
        assertThat(world.provider.count(RELEASE)).isEqualTo(1);
        assertThat(events.kinds()).containsExactly("acquired", "lost TAKEN_OVER");
    }

    @Test
    @Proves("8.1")
    void closingALostHandleThrowsOnceWithTheCause() {
        LockHandle handle = lock.tryAcquire().orElseThrow();
        world.removeRecord("stock");

        assertThatThrownBy(handle::close)
                .isInstanceOfSatisfying(
                        LockLostException.class,
                        lost -> assertThat(lost.lossCause()).isEqualTo(LossCause.TAKEN_OVER))
                .hasMessageContaining("stock");
        assertThatCode(handle::close).doesNotThrowAnyException();
    }

    @Test
    @Proves("8.1")
    void releasingALostHandleReturnsFalseAndThenClosingIsQuiet() {
        LockHandle handle = lock.tryAcquire().orElseThrow();
        world.removeRecord("stock");
        assertThat(handle.release()).isFalse();
        assertThatCode(handle::close).doesNotThrowAnyException();
        assertThat(world.provider.count(RELEASE)).as("by the loss").isEqualTo(1);
    }

    @Test
    @Proves("8.1")
    void aLossNeverHidesTheExceptionOfTheBody() {
        assertThatThrownBy(() -> {
                    try (LockHandle handle = lock.acquire()) {
                        world.removeRecord("stock");
                        throw new IllegalStateException("the body, holding " + handle.name());
                    }
                })
                .isInstanceOf(IllegalStateException.class)
                .satisfies(
                        body -> assertThat(body.getSuppressed()).singleElement().isInstanceOf(LockLostException.class));
    }

    @Test
    @Proves("8.1")
    void theLossReachesEveryNestedHandleThatWasNotReleased() {
        LockHandle outer = lock.tryAcquire().orElseThrow();
        LockHandle inner = lock.tryAcquire().orElseThrow();
        LockHandle innermost = lock.tryAcquire().orElseThrow();
        innermost.release();
        world.removeRecord("stock");

        assertThat(outer.lost()).isCompletedWithValue(LossCause.TAKEN_OVER);
        assertThat(inner.lost()).isCompletedWithValue(LossCause.TAKEN_OVER);
        assertThat(innermost.lost()).isNotDone();
        assertThatThrownBy(inner::close).isInstanceOf(LockLostException.class);
        assertThatThrownBy(outer::close).isInstanceOf(LockLostException.class);
        assertThat(events.kinds()).containsExactly("acquired", "lost TAKEN_OVER");
    }

    @Test
    @Proves({"5.2", "8.2"})
    void aReleaseAfterTheDeadlineFreesNoOtherHold() {
        LockHandle handle = lock.tryAcquire().orElseThrow();
        world.time.jump(EngineWorld.LEASE);
        world.strangerTakes("stock", EngineWorld.LEASE);

        assertThat(handle.release()).isFalse();
        assertThat(handle.lost()).isCompletedWithValue(LossCause.EXPIRED);
        assertThat(world.isTaken("stock")).isTrue();
    }

    @Test
    void aReleasedHandleIsNotHeld() {
        LockHandle handle = lock.tryAcquire().orElseThrow();
        handle.requireRemaining(Duration.ofSeconds(30));
        handle.release();
        assertThat(handle.isHeld()).isFalse();
        assertThat(handle.remaining()).isZero();
        assertThat(handle.renew()).isFalse();
        assertThatThrownBy(() -> handle.requireRemaining(Duration.ZERO))
                .isInstanceOf(LockException.class)
                .isNotInstanceOf(LockLostException.class);
    }

    @Test
    @Proves("7.2")
    void aHangingReleaseDelaysNoOtherLock() {
        LockHandle held = take(client.lock("a"));
        List<CompletableFuture<LockHandle>> other = new ArrayList<>();
        world.provider.beforeNext(RELEASE, () -> {
            other.add(client.lock("b").acquireAsync());
            assertThat(other.get(0)).isCompletedWithValueMatching(LockHandle::isHeld);
        });

        assertThat(held.release()).isTrue();
        assertThat(other.get(0).join().release()).isTrue();
    }

    @Test
    void aReleaseThatTheApplicationRepeatsIsRepeatedInTheBackgroundOnce() {
        LockHandle handle = take(lock);
        world.provider.trouble(RELEASE, Trouble.REQUEST_LOST);
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(handle::release).isInstanceOf(LockStoreException.class);
        }
        world.provider.trouble(RELEASE, Trouble.NONE);
        world.provider.forgetCalls();
        world.time.advance(Duration.ofSeconds(5));

        assertThat(world.provider.count(RELEASE)).isEqualTo(1);
        assertThat(world.isTaken("stock")).isFalse();
    }
}
