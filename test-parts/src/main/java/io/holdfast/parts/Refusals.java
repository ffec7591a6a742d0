package io.holdfast.parts;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockListener;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** A listener that shows when the waiters of a client have been refused: each of them reports it once. */
public final class Refusals implements LockListener {

    private static final int BOUND_SECONDS = 30;

    private final Semaphore refused = new Semaphore(0);

    /** A listener without refusals. */
    public Refusals() {}

    @Override
    public void contended(LockEvent event) {
        refused.release();
    }

    /**
     * Waits for refusals that no other call has waited for.
     *
     * @param count how many; the test fails if they do not come within 30 seconds
     * @throws InterruptedException if the test is interrupted
     */
    public void await(int count) throws InterruptedException {
        assertThat(refused.tryAcquire(count, BOUND_SECONDS, TimeUnit.SECONDS))
                .as("%s refusals within %s seconds", count, BOUND_SECONDS)
                .isTrue();
    }
}
