package io.holdfast.lock.redisson;

import static io.holdfast.parts.Waits.soon;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.internal.logging.InternalLoggerFactory;
import io.netty.util.internal.logging.JdkLoggerFactory;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * Netty's reports of unreleased buffers. For a separate JVM, in which Netty tracks each buffer:
 * {@code -Dio.netty.leakDetection.level=paranoid}.
 */
final class LeakedBuffers extends Handler {

    private static final String OURS = "leaked by the test";

    // java.util.logging itself would forget it.
    private final Logger logger = Logger.getLogger("io.netty.util.ResourceLeakDetector");
    private final List<String> reports = new CopyOnWriteArrayList<>();

    private LeakedBuffers() {}

    /** Begins to listen. To be called before Netty is used, which then chooses its logger. */
    static LeakedBuffers listen() {
        InternalLoggerFactory.setDefaultFactory(JdkLoggerFactory.INSTANCE);
        LeakedBuffers leaked = new LeakedBuffers();
        leaked.logger.addHandler(leaked);
        return leaked;
    }

    @Override
    public void publish(LogRecord line) {
        if (line.getMessage().startsWith("LEAK:")) {
            reports.add(line.getMessage());
        }
    }

    /**
     * Collects all garbage, and returns how many different leaks Netty has reported. It reports a buffer at an allocation after
     * its collection. So this leaks two buffers on purpose, one after the other: when the second is reported, so is all earlier
     * garbage.
     */
    long count() {
        for (int number = 1; number <= 2; number++) {
            leak(number);
            int leaked = number;
            soon().until(() -> {
                System.gc();
                ByteBufAllocator.DEFAULT.buffer().release();
                return reports.stream().anyMatch(report -> report.contains(OURS + " " + leaked));
            });
        }
        return reports.stream().filter(report -> !report.contains(OURS)).count();
    }

    /** A separate method, so that no variable keeps the buffer. */
    private static void leak(int number) {
        ByteBuf buffer = ByteBufAllocator.DEFAULT.buffer();
        buffer.touch(OURS + " " + number);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        logger.removeHandler(this);
    }
}
