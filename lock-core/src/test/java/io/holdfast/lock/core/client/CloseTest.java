package io.holdfast.lock.core.client;

import static io.holdfast.lock.core.client.EngineWorld.take;
import static io.holdfast.lock.core.client.TroubledProvider.Call.ATTEMPT;
import static io.holdfast.lock.core.client.TroubledProvider.Call.RELEASE;
import static io.holdfast.lock.core.client.TroubledProvider.Call.RENEW_ALL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockClientClosedException;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.core.client.TroubledProvider.Trouble;
import io.holdfast.parts.Proves;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CloseTest {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final EngineWorld world = new EngineWorld();
    private final TaskQueue store = new TaskQueue();
    private final RecordedEvents events = new RecordedEvents();
    private final LockClient other = world.otherClient();
    private final LockClient client = world.client(events);
    private final DistributedLock lock = client.lock("stock");

    @AfterEach
    void closeWorld() {
        world.provider.troubleAll(Trouble.NONE);
        // Ends what a failed test has left.
        world.time.advance(PATIENCE);
        world.close();
    }

    @Test
    @Proves({"7.6", "9.2"})
    void closingEndsEveryWait() throws Exception {
        LockHandle held = other.lock("stock").tryAcquire().orElseThrow();
        Caller<LockHandle> first = Caller.of(lock::acquire).awaitBlocked();
        Caller<LockHandle> second = Caller.of(lock::acquire).awaitBlocked();
        List<CompletableFuture<LockHandle>> waiting =
                IntStream.range(0, 10).mapToObj(i -> lock.acquireAsync()).toList();

        client.close();
        assertThatThrownBy(first::result).isInstanceOf(LockClientClosedException.class);
        assertThatThrownBy(second::result).isInstanceOf(LockClientClosedException.class);
        assertThat(waiting)
                .allSatisfy(
                        waiter -> assertThatThrownBy(waiter::join).hasCauseInstanceOf(LockClientClosedException.class));
        held.release();
        assertThat(world.isTaken("stock")).isFalse();
    }

    @Test
    @Proves({"5.5", "8.1"})
    void closingReleasesTheHoldsAndReportsTheirLoss() {
        LockHandle outer = lock.tryAcquire().orElseThrow();
        LockHandle inner = lock.tryAcquire().orElseThrow();
        LockHandle second = client.lock("second").tryAcquire().orElseThrow();
        LockHandle released = client.lock("third").tryAcquire().orElseThrow();
        released.release();
        LockHandle foreign = other.lock("foreign").tryAcquire().orElseThrow();

        client.close();
        assertThat(List.of(outer, inner, second))
                .allSatisfy(handle -> assertThat(handle.lost()).isCompletedWithValue(LossCause.CLIENT_CLOSED))
                .noneMatch(LockHandle::isHeld);
        assertThat(released.lost()).isNotDone();
        assertThat(world.isTaken("stock")).isFalse();
        assertThat(world.isTaken("second")).isFalse();
        assertThat(foreign.isHeld()).isTrue();
        assertThatThrownBy(outer::close).isInstanceOf(LockLostException.class);
        assertThat(inner.release()).isFalse();
    }

    @Test
    @Proves("9.3")
    void closingAgainDoesNothing() {
        client.close();
        client.close();
        assertThat(world.provider.closings()).isEqualTo(1);
    }

    @Test
    @Proves("9.2")
    void aClosedClientThrows() {
        client.close();
        assertThatThrownBy(lock::acquire).isInstanceOf(LockClientClosedException.class);
        assertThatThrownBy(lock::tryAcquire).isInstanceOf(LockClientClosedException.class);
        assertThatThrownBy(() -> lock.tryAcquire(Duration.ofSeconds(1))).isInstanceOf(LockClientClosedException.class);
        assertThatThrownBy(() -> lock.acquireAsync().join()).hasCauseInstanceOf(LockClientClosedException.class);
        assertThatThrownBy(() -> client.all("a", "b").acquire()).isInstanceOf(LockClientClosedException.class);
        assertThatThrownBy(() -> lock.asLock().lock()).isInstanceOf(LockClientClosedException.class);
        assertThatThrownBy(() -> client.holder("stock")).isInstanceOf(LockClientClosedException.class);
        assertThat(client.toString()).contains("closed");
    }

    @Test
    @Proves({"9.3", "9.5"})
    void closingWhileTheStoreIsAwayThrowsAfterTenSecondsAndEverythingIsClosed() throws Exception {
        LockHandle first = lock.tryAcquire().orElseThrow();
        LockHandle second = client.lock("second").tryAcquire().orElseThrow();
        world.provider.troubleAll(Trouble.REQUEST_LOST);
        Caller<Boolean> closing = closing(client).awaitBlocked();
        assertThat(first.lost()).isCompletedWithValue(LossCause.CLIENT_CLOSED);
        assertThat(second.lost()).isCompletedWithValue(LossCause.CLIENT_CLOSED);

        world.time.advance(PATIENCE.minusNanos(1));
        assertThat(closing.isDone()).isFalse();
        world.time.advance(Duration.ofNanos(1));

        assertThatThrownBy(closing::result)
                .isInstanceOf(LockStoreException.class)
                .satisfies(failure -> assertThat(failure.getSuppressed()).hasSize(2))
                .hasStackTraceContaining("'second' within 10 s: RELEASE: the request was lost");
        assertThat(world.provider.closings()).isEqualTo(1);
        assertThatCode(client::close).doesNotThrowAnyException();
    }

    @Test
    @Proves({"5.5", "9.5"})
    void closingRepeatsAFailedReleaseUntilTheStoreAnswers() throws Exception {
        take(lock);
        take(client.lock("second"));
        world.provider.trouble(RELEASE, Trouble.REQUEST_LOST);
        Caller<Boolean> closing = closing(client).awaitBlocked();
        world.time.advance(PATIENCE.minusSeconds(1));
        assertThat(world.provider.count(RELEASE, "stock")).isBetween(10L, 20L);

        world.provider.troubleAll(Trouble.NONE);
        world.time.advance(Duration.ofSeconds(1).minusNanos(1));
        closing.result();
        assertThat(world.isTaken("stock")).isFalse();
        assertThat(world.isTaken("second")).isFalse();
    }

    @Test
    @Proves("5.5")
    void aCutConnectionDelaysTheCloseByATenthOfASecond() throws Exception {
        take(lock);
        world.provider.trouble(RELEASE, Trouble.REQUEST_LOST);
        Caller<Boolean> closing = closing(client).awaitBlocked();

        world.provider.troubleAll(Trouble.NONE);
        world.time.advance(Duration.ofMillis(100));
        closing.result();
        assertThat(world.isTaken("stock")).isFalse();
    }

    @Test
    @Proves("5.5")
    void closingRepeatsAPendingReleaseAtOnce() {
        LockHandle handle = take(lock);
        world.provider.trouble(RELEASE, Trouble.REQUEST_LOST);
        assertThatThrownBy(handle::release).isInstanceOf(LockStoreException.class);
        world.time.advance(Duration.ofSeconds(7));
        world.provider.troubleAll(Trouble.NONE);

        client.close();
        assertThat(world.isTaken("stock")).isFalse();
    }

    @Test
    @Proves("5.5")
    void closingRepeatsAPendingReleaseBeforeItWaitsForAHangingAcquire() throws Exception {
        LockHandle handle = take(lock);
        world.provider.trouble(RELEASE, Trouble.REQUEST_LOST);
        assertThatThrownBy(handle::release).isInstanceOf(LockStoreException.class);
        world.time.advance(Duration.ofSeconds(7));
        world.provider.troubleAll(Trouble.NONE);
        Hang hang = Hang.ofNext(ATTEMPT, world.provider);
        Caller<LockHandle> acquiring = Caller.of(client.lock("second")::acquire);
        hang.awaitBegun();

        Caller<Boolean> closing = closing(client).awaitBlocked();
        assertThat(world.isTaken("stock")).isFalse();
        hang.end();
        closing.result();
        assertThatThrownBy(acquiring::result).isInstanceOf(LockClientClosedException.class);
    }

    @Test
    @Proves("5.5")
    void closingRepeatsAReleaseWhoseNextAttemptIsAfterTheLease() {
        LockHandle handle = take(lock);
        world.provider.trouble(RELEASE, Trouble.REQUEST_LOST);
        assertThatThrownBy(handle::release).isInstanceOf(LockStoreException.class);
        world.time.advance(Duration.ofSeconds(25));
        assertThat(world.isTaken("stock")).isTrue();
        world.provider.troubleAll(Trouble.NONE);

        client.close();
        assertThat(world.isTaken("stock")).isFalse();
    }

    @Test
    @Proves({"5.5", "9.3"})
    void closingReleasesHoldsInParallel() throws Exception {
        world.releasesOn(store);
        take(lock);
        take(client.lock("second"));
        take(client.lock("third"));
        Caller<Boolean> closing = closing(client).awaitBlocked();

        assertThat(store.size()).isEqualTo(3);
        store.open();
        closing.result();
        assertThat(world.provider.count(RELEASE)).isEqualTo(3);
    }

    @Test
    @Proves("9.3")
    void anEndedLeaseDoesNotFailTheClose() throws Exception {
        take(client.lock("stock", LockOptions.DEFAULTS.withLeaseTime(Duration.ofSeconds(3))));
        world.provider.trouble(RELEASE, Trouble.REQUEST_LOST);
        Caller<Boolean> closing = closing(client).awaitBlocked();

        world.time.advance(Duration.ofSeconds(3));
        closing.result();
    }

    @Test
    @Proves({"5.6", "9.5"})
    void anAcquireThatSentNothingDoesNotFailTheClose() {
        world.provider.troubleAll(Trouble.NOT_SENT);
        assertThatThrownBy(lock::tryAcquire).isInstanceOf(LockStoreException.class);
        assertThatThrownBy(() -> lock.tryAcquire(Duration.ofSeconds(1))).isInstanceOf(LockStoreException.class);

        assertThatCode(client::close).doesNotThrowAnyException();
    }

    @Test
    @Proves({"8.1", "8.2"})
    void closingLosesHoldsBeforeTheStoreAnswers() throws Exception {
        LockClient slow = clientOfSlowReleases();
        LockHandle handle = take(slow.lock("slow"));
        Caller<Boolean> closing = closingUntilItReleases(slow);

        assertThat(handle.isHeld()).isFalse();
        assertThat(handle.lost()).isCompletedWithValue(LossCause.CLIENT_CLOSED);
        store.open();
        assertThat(closing.result()).isFalse();
        assertThat(world.isTaken("slow")).isFalse();
    }

    @Test
    @Proves("5.5")
    void anInterruptDoesNotShortenTheClose() throws Exception {
        LockClient slow = clientOfSlowReleases();
        take(slow.lock("slow"));
        Caller<Boolean> closing = closingUntilItReleases(slow);

        closing.awaitBlocked().interrupt();
        store.open();
        assertThat(closing.result()).as("still interrupted").isTrue();
        assertThat(world.isTaken("slow")).isFalse();
    }

    /** Returns when the client counts as closed, while it still waits for open calls. */
    private void beginToClose() {
        Caller<Boolean> unused = closing(client);
        await().atMost(Duration.ofSeconds(20)).until(() -> client.toString().contains("closed"));
    }

    /** A client whose releases wait until the test opens the store. */
    private LockClient clientOfSlowReleases() {
        world.releasesOn(store);
        return world.client();
    }

    /** Closes on another thread; returns when the close has begun to release. */
    private Caller<Boolean> closingUntilItReleases(LockClient slow) {
        Caller<Boolean> closing = closing(slow);
        await().atMost(Duration.ofSeconds(20)).until(() -> store.size() > 0);
        return closing;
    }

    /** Closes on another thread; true if it was interrupted afterwards. */
    private static Caller<Boolean> closing(LockClient client) {
        return Caller.of(() -> {
            client.close();
            return Thread.interrupted();
        });
    }

    @Test
    @Proves({"5.6", "9.2"})
    void aGrantDuringTheCloseIsReleased() {
        world.provider.afterNext(ATTEMPT, this::beginToClose);
        assertThatThrownBy(lock::tryAcquire).isInstanceOf(LockClientClosedException.class);
        assertThat(world.isTaken("stock")).isFalse();
    }

    @Test
    @Proves({"5.6", "9.2"})
    void closingEndsAnAcquireThatHasNoThreadYet() throws Exception {
        world.storeCallsOn(store);
        LockClient slow = world.client();
        CompletableFuture<LockHandle> acquired = slow.lock("slow").acquireAsync();
        Caller<Boolean> closing = closing(slow).awaitBlocked();
        store.open();

        closing.result();
        assertThatThrownBy(acquired::join).hasCauseInstanceOf(LockClientClosedException.class);
        assertThat(world.provider.count(ATTEMPT)).isZero();
    }

    @Test
    @Proves({"5.6", "9.2"})
    void closingReleasesAClaimOfUnknownOutcomeBeforeItClosesTheProvider() throws Exception {
        CompletableFuture<Void> answer = new CompletableFuture<>();
        world.storeCallsOn(store);
        world.releasesOn(store);
        LockClient slow = world.client();
        world.provider.beforeNext(ATTEMPT, answer::join);
        world.provider.trouble(ATTEMPT, Trouble.ANSWER_LOST);
        Caller<LockHandle> acquiring = Caller.of(slow.lock("slow")::acquire).awaitBlocked();
        Caller<Boolean> closing = closing(slow).awaitBlocked();
        answer.complete(null);
        assertThatThrownBy(acquiring::result).isInstanceOf(LockClientClosedException.class);
        await().atMost(Duration.ofSeconds(20)).until(() -> store.size() > 0);
        assertThat(world.provider.closings()).isZero();

        store.open();
        closing.result();
        assertThat(world.isTaken("slow")).isFalse();
    }

    @Test
    @Proves({"5.5", "5.6"})
    void closingRepeatsReleasesOfAbandonedClaims() {
        world.provider.trouble(ATTEMPT, Trouble.ANSWER_LOST);
        world.provider.trouble(RELEASE, Trouble.REQUEST_LOST);
        assertThatThrownBy(lock::tryAcquire).isInstanceOf(LockStoreException.class);
        assertThat(world.isTaken("stock")).isTrue();

        world.provider.troubleAll(Trouble.NONE);
        client.close();
        assertThat(world.isTaken("stock")).isFalse();
    }

    @Test
    @Proves("9.2")
    void aWaiterBehindAGrantDuringTheCloseFailsAsClosed() {
        LockHandle held = other.lock("stock").tryAcquire().orElseThrow();
        CompletableFuture<LockHandle> first = lock.acquireAsync();
        CompletableFuture<LockHandle> second = lock.acquireAsync();
        world.provider.afterNext(ATTEMPT, this::beginToClose);

        held.release();
        assertThatThrownBy(first::join).hasCauseInstanceOf(LockClientClosedException.class);
        assertThatThrownBy(second::join).hasCauseInstanceOf(LockClientClosedException.class);
        assertThat(world.isTaken("stock")).isFalse();
    }

    @Test
    @Proves("9.3")
    void aSecondCloseWaitsForTheFirst() throws Exception {
        LockClient slow = clientOfSlowReleases();
        take(slow.lock("slow"));
        Caller<Boolean> first = closingUntilItReleases(slow);
        Caller<Boolean> second = closing(slow).awaitBlocked();

        store.open();
        second.result();
        assertThat(world.isTaken("slow")).isFalse();
        first.result();
    }

    @Test
    @Proves("5.5")
    void closingWaitsForAReleaseThatIsUnderWay() throws Exception {
        LockHandle handle = take(lock);
        Hang hang = Hang.ofNext(RELEASE, world.provider);
        Caller<Boolean> releasing = Caller.of(handle::release);
        hang.awaitBegun();
        Caller<Boolean> closing = closing(client).awaitBlocked();
        assertThat(world.provider.closings()).isZero();

        hang.end();
        assertThat(releasing.result()).isTrue();
        closing.result();
        assertThat(world.isTaken("stock")).isFalse();
    }

    @Test
    @Proves("9.3")
    void theProviderIsClosedEvenIfAnotherStepFails() throws Exception {
        take(lock);
        world.releasesOn(task -> {
            throw new StackOverflowError("planted");
        });
        Caller<Boolean> closing = closing(client).awaitBlocked();
        world.time.advance(PATIENCE);
        assertThatThrownBy(closing::result).hasStackTraceContaining("did not take back the lock 'stock'");
        assertThat(world.provider.closings()).isEqualTo(1);
    }

    @Test
    @Proves({"5.5", "9.3"})
    void closingWaitsForARenewalAndReleasesItsLostHold() throws Exception {
        TaskQueue renewals = new TaskQueue();
        world.renewalsOn(renewals);
        LockClient hanging = world.client();
        take(hanging.lock("stock"));
        Hang hang = Hang.ofNext(RENEW_ALL, world.provider);
        world.time.advance(Duration.ofSeconds(10));
        Caller<Boolean> renewing = Caller.of(() -> {
            renewals.runNext();
            return true;
        });
        hang.awaitBegun();
        world.time.advance(Duration.ofSeconds(20));

        Caller<Boolean> closing = closing(hanging).awaitBlocked();
        hang.end();
        renewing.result();
        world.time.advance(Duration.ofMillis(100));
        closing.result();
        assertThat(world.isTaken("stock")).isFalse();
    }

    @Test
    @Proves({"5.6", "9.5"})
    void closeThrowsIfAClaimOfUnknownOutcomeCannotBeReleased() throws Exception {
        world.provider.trouble(ATTEMPT, Trouble.ANSWER_LOST);
        world.provider.trouble(RELEASE, Trouble.REQUEST_LOST);
        assertThatThrownBy(lock::tryAcquire).isInstanceOf(LockStoreException.class);
        Caller<Boolean> closing = closing(client).awaitBlocked();
        world.time.advance(PATIENCE);

        assertThatThrownBy(closing::result)
                .isInstanceOf(LockStoreException.class)
                .satisfies(failure -> assertThat(failure.getSuppressed()).hasSize(1));
        assertThat(world.provider.closings()).isEqualTo(1);
    }
}
