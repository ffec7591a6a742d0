package io.holdfast.lock.tck;

import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockListener;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A listener that hangs. */
final class BlockingListener implements LockListener {

    private final CountDownLatch unblock;
    private final Duration atMost;

    /**
     * Hangs in each call.
     *
     * @param unblock ends it
     * @param atMost ends it as well
     */
    BlockingListener(CountDownLatch unblock, Duration atMost) {
        this.unblock = unblock;
        this.atMost = atMost;
    }

    @Override
    public void acquired(LockEvent event) {
        block();
    }

    void block() {
        try {
            boolean unused = unblock.await(atMost.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }
}
