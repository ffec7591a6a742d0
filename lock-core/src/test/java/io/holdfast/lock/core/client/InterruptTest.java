package io.holdfast.lock.core.client;

import static io.holdfast.lock.core.client.TroubledProvider.Call.ATTEMPT;
import static io.holdfast.lock.core.client.TroubledProvider.Call.RELEASE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockStoreException;
import io.holdfast.parts.Proves;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class InterruptTest {

    private final EngineWorld world = new EngineWorld();
    private final LockClient client = world.client();
    private final LockClient other = world.otherClient();
    private final DistributedLock lock = client.lock("stock");

    @AfterEach
    void closeWorld() {
        assertThat(Thread.interrupted()).as("an interrupt that a test left").isFalse();
        world.close();
    }

    /** Whether the call ended with an interrupt, and whether the thread was still interrupted. */
    private record Ended(boolean byInterrupt, boolean stillInterrupted) {}

    private static Callable<Ended> ending(Callable<?> call) {
        return () -> {
            boolean byInterrupt = false;
            try {
                call.call();
            } catch (InterruptedException interrupt) {
                byInterrupt = true;
            }
            return new Ended(byInterrupt, Thread.interrupted());
        };
    }

    @Test
    @Proves("7.4")
    void anInterruptEndsTheWaitAndLeavesNothing() throws Exception {
        LockHandle held = other.lock("stock").tryAcquire().orElseThrow();
        Caller<Ended> waiting = Caller.of(ending(lock::acquire)).awaitBlocked();

        waiting.interrupt();
        assertThat(waiting.result()).isEqualTo(new Ended(true, false));
        held.release();
        assertThat(world.isTaken("stock")).isFalse();
        assertThat(other.lock("stock").tryAcquire())
                .as("no claim is left in the queue")
                .isPresent();
    }

    @Test
    @Proves({"7.4", "7.5"})
    void theNextWaiterReplacesAnInterruptedOne() throws Exception {
        LockHandle held = other.lock("stock").tryAcquire().orElseThrow();
        Caller<Ended> first =
                Caller.of(ending(() -> lock.tryAcquire(Duration.ofMinutes(1)))).awaitBlocked();
        Caller<LockHandle> second = Caller.of(lock::acquire).awaitBlocked();

        first.interrupt();
        assertThat(first.result()).isEqualTo(new Ended(true, false));
        second.awaitBlocked();
        held.release();
        assertThat(second.result().isHeld()).isTrue();
    }

    @Test
    @Proves("7.4")
    void anInterruptEndsOneWaiterOnly() throws Exception {
        LockHandle held = other.lock("stock").tryAcquire().orElseThrow();
        CompletableFuture<LockHandle> first = lock.acquireAsync();
        Caller<Ended> second = Caller.of(ending(lock::acquire)).awaitBlocked();

        second.interrupt();
        assertThat(second.result()).isEqualTo(new Ended(true, false));
        held.release();
        assertThat(first).isDone();
    }

    @Test
    @Proves("7.4")
    void anInterruptBeforeTheCallEndsItWithoutAskingTheStore() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(lock::acquire).isInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).isFalse();

        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> lock.tryAcquire(Duration.ofSeconds(1))).isInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).isFalse();
        assertThat(world.provider.count(ATTEMPT)).isZero();
    }

    @Test
    @Proves("7.4")
    void tryAcquireKeepsAnInterruptAndHidesItFromTheStore() {
        Thread.currentThread().interrupt();
        boolean[] seenByTheStore = {false};
        world.provider.before(
                ATTEMPT, () -> seenByTheStore[0] = Thread.currentThread().isInterrupted());

        Optional<LockHandle> handle = lock.tryAcquire();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(handle).isPresent();
        assertThat(seenByTheStore[0]).isFalse();
    }

    @Test
    @Proves("7.4")
    void aReleaseByAnInterruptedThreadReachesTheStore() {
        LockHandle handle = lock.tryAcquire().orElseThrow();
        boolean[] seenByTheStore = {false};
        world.provider.before(
                RELEASE, () -> seenByTheStore[0] = Thread.currentThread().isInterrupted());
        Thread.currentThread().interrupt();
        assertThat(handle.release()).isTrue();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(seenByTheStore[0]).isFalse();
        assertThat(world.isTaken("stock")).isFalse();
    }

    @Test
    @Proves({"5.6", "7.4"})
    void aHoldGrantedDuringTheInterruptIsReturnedOrReleased() throws Exception {
        for (int i = 0; i < 50; i++) {
            LockHandle held = other.lock("stock").tryAcquire().orElseThrow();
            Caller<Ended> waiting = Caller.of(ending(() -> {
                        try (LockHandle mine = lock.acquire()) {
                            return mine.isHeld();
                        }
                    }))
                    .awaitBlocked();
            Caller<Boolean> releasing = Caller.of(held::release);
            waiting.interrupt();

            releasing.result();
            Ended ended = waiting.result();
            assertThat(ended.byInterrupt() && ended.stillInterrupted()).isFalse();
            assertThat(world.isTaken("stock")).isFalse();
        }
    }

    @Test
    @Proves({"7.4", "7.5"})
    void aFailureByAnInterruptDoesNotFailTheWaitersBehind() throws Exception {
        LockHandle held = other.lock("stock").tryAcquire().orElseThrow();
        Caller<Ended> first = Caller.of(ending(lock::acquire)).awaitBlocked();
        CompletableFuture<LockHandle> second = lock.acquireAsync();

        // Like a pool that waits interruptibly.
        world.provider.beforeNext(ATTEMPT, () -> {
            Thread.currentThread().interrupt();
            throw new LockStoreException("interrupted while waiting for a connection");
        });
        held.release();
        assertThat(first.result()).isEqualTo(new Ended(true, false));
        assertThat(second.get(20, TimeUnit.SECONDS).isHeld()).isTrue();
    }
}
