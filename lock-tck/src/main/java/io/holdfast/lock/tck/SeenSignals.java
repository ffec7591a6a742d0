package io.holdfast.lock.tck;

import io.holdfast.lock.LossCause;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimSignals;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** What a provider has signalled to one claim. Thread-safe. */
final class SeenSignals implements ClaimSignals {

    /** How often a waiting claim looks whether it is time to ask again. */
    private static final Duration GLANCE = Duration.ofMillis(50);

    private final AtomicInteger hints = new AtomicInteger();
    private final Semaphore wakeUps = new Semaphore(0);
    private final Queue<LossCause> losses = new ConcurrentLinkedQueue<>();

    @Override
    public void mayBeFree() {
        hints.incrementAndGet();
        wakeUps.release();
    }

    @Override
    public void lost(LossCause cause) {
        losses.add(cause);
    }

    /** The number of hints so far that the lock may be free. */
    int hints() {
        return hints.get();
    }

    /** The losses of the present grant. */
    List<LossCause> losses() {
        return List.copyOf(losses);
    }

    /** Begins an attempt: what is signalled from now on is about what it grants. */
    void forgetLosses() {
        losses.clear();
    }

    /** Begins to wait: only hints from now on count. */
    void forgetWakeUps() {
        wakeUps.drainPermits();
    }

    /**
     * Waits for a hint, or until the store wants to be asked again: where many ask at once, perhaps none of them was granted the
     * lock. On a semaphore, without polling: only an attempt at once shows that a hint came before the lock was free.
     */
    boolean isToAskAgain(Attempt refusal, Duration patience) throws InterruptedException {
        Optional<Duration> retryAfter =
                refusal instanceof Attempt.Contended contended ? contended.retryAfter() : Optional.empty();
        long start = Pace.now();
        Pace.Limit limit = new Pace.Limit(patience);
        boolean hinted = false;
        boolean due = false;
        while (!hinted && !due && !limit.isOver()) {
            hinted = wakeUps.tryAcquire(GLANCE.toMillis(), TimeUnit.MILLISECONDS);
            due = retryAfter.isPresent() && Pace.since(start).compareTo(retryAfter.get()) > 0;
        }
        return hinted || due;
    }
}
