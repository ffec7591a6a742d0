package io.holdfast.peers;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** What people write around a lock that cannot wait. */
final class Spin {

    private static final Duration PAUSE = Duration.ofMillis(100);

    private Spin() {}

    static boolean until(BooleanSupplier take, Duration wait) {
        long end = System.nanoTime() + wait.toNanos();
        while (!take.getAsBoolean()) {
            if (System.nanoTime() >= end) {
                return false;
            }
            LockSupport.parkNanos(PAUSE.toNanos());
        }
        return true;
    }
}
