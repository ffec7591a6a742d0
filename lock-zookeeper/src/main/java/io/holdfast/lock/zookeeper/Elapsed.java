package io.holdfast.lock.zookeeper;

import java.time.Duration;

/** The time since this was created, by the monotonic clock. */
final class Elapsed {

    private final long since = System.nanoTime();

    Duration time() {
        return Duration.ofNanos(System.nanoTime() - since);
    }

    boolean isLessThan(Duration limit) {
        return time().compareTo(limit) < 0;
    }
}
