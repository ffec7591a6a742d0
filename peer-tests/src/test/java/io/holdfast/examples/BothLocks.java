package io.holdfast.examples;

import io.holdfast.lock.DistributedLock;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;

/** A lock of another library around one of ours, while the fleet moves from the one to the other. */
public final class BothLocks {

    private BothLocks() {}

    // tag::first[]
    public static boolean tryRun(Lock theirs, DistributedLock ours, Duration maxWait, Runnable work)
            throws InterruptedException {
        if (!theirs.tryLock(maxWait.toMillis(), TimeUnit.MILLISECONDS)) {
            return false;
        }
        try {
            return ours.tryRun(maxWait, work::run);
        } finally {
            theirs.unlock();
        }
    }
    // end::first[]
}
