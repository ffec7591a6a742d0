package io.holdfast.parts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockListener;
import io.holdfast.lock.LockStoreException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Tests each call of a client during an outage of its server, and after it. A listener of the waiting client. */
public final class OutageOfAClient implements LockListener {

    private static final Duration BOUND = Duration.ofSeconds(30);
    private static final int WAITERS = 3;

    private final CountDownLatch contended = new CountDownLatch(WAITERS);

    /** An outage that has not begun. */
    public OutageOfAClient() {}

    @Override
    public void contended(LockEvent event) {
        contended.countDown();
    }

    /**
     * Makes several waiters for the lock {@code a}.
     *
     * @param waiting the client; this is one of its listeners
     * @return the waiters, each of which has been refused
     * @throws InterruptedException if the test is interrupted
     */
    public List<CompletableFuture<LockHandle>> waiters(LockClient waiting) throws InterruptedException {
        List<CompletableFuture<LockHandle>> waiters = Stream.generate(
                        () -> waiting.lock("a").acquireAsync())
                .limit(WAITERS)
                .toList();
        assertThat(contended.await(BOUND.toSeconds(), TimeUnit.SECONDS)).isTrue();
        return waiters;
    }

    /**
     * Plays an outage: calls fail, a handle stays valid, and everything works afterwards.
     *
     * @param holding a client whose lease lasts longer than the outage
     * @param waiting another client; this is one of its listeners
     * @param begin begins the outage
     * @param end ends it
     * @throws InterruptedException if the test is interrupted
     */
    public void play(LockClient holding, LockClient waiting, Runnable begin, Runnable end) throws InterruptedException {
        LockHandle held = holding.lock("a").acquire();
        List<CompletableFuture<LockHandle>> waiters = waiters(waiting);
        assertThat(waiting.lock("a").tryAcquire(Duration.ofMillis(500))).isEmpty();

        begin.run();

        // The waiters before it had an answer before the outage, which proves nothing now.
        assertThatThrownBy(() -> waiting.lock("a").tryAcquire(Duration.ofMillis(500)))
                .isInstanceOf(LockStoreException.class);
        // At their next attempt, which comes within five seconds.
        waiters.forEach(waiter -> assertThat(Waits.failure(waiter)).isInstanceOf(LockStoreException.class));
        assertThatThrownBy(() -> waiting.lock("b").tryAcquire()).isInstanceOf(LockStoreException.class);
        assertThatThrownBy(() -> waiting.lock("b").tryAcquire(Duration.ofMillis(200)))
                .isInstanceOf(LockStoreException.class);
        assertThatThrownBy(() -> waiting.holder("a")).isInstanceOf(LockStoreException.class);
        assertThat(held.isHeld()).isTrue();

        end.run();
        Waits.answered().until(held::renew);
        assertThat(held.isHeld()).isTrue();
        Waits.answered().until(() -> waiting.holder("a").isPresent());
        CompletableFuture<LockHandle> next = waiting.lock("a").acquireAsync();
        held.close();
        next.orTimeout(BOUND.toSeconds(), TimeUnit.SECONDS).join().close();
    }
}
