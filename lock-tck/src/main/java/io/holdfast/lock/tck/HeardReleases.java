package io.holdfast.lock.tck;

import io.holdfast.lock.spi.ReleaseFeed;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts the releases that a feed reports, and nothing else: that it listens, or does not, says nothing of what it hears. */
final class HeardReleases implements ReleaseFeed.Listener {

    private final AtomicInteger count = new AtomicInteger();

    int count() {
        return count.get();
    }

    @Override
    public void listening(String name) {}

    @Override
    public void released(String name) {
        count.incrementAndGet();
    }

    @Override
    public void interrupted(String name) {}
}
