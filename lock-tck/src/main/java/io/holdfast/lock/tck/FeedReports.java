package io.holdfast.lock.tck;

import io.holdfast.lock.spi.ReleaseFeed;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts what a feed reports. */
final class FeedReports implements ReleaseFeed.Listener {

    private final AtomicInteger count = new AtomicInteger();

    int count() {
        return count.get();
    }

    @Override
    public void listening(String name) {
        count.incrementAndGet();
    }

    @Override
    public void released(String name) {
        count.incrementAndGet();
    }

    @Override
    public void interrupted(String name) {
        count.incrementAndGet();
    }
}
