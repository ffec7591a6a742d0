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
 * What Netty reports of buffers that nobody has released. For a JVM of its own, in which Netty tracks each buffer:
 * {@code -Dio.netty.leakDetection.level=paranoid}.
 */
final class LeakedBuffers extends Handler {

    private static final String OURS = "leaked by the test";

    // java.util.logging itself would forget it.
    private final Logger logger = Logger.getLogger("io.netty.util.ResourceLeakDetector");
    private final List<String> reports = new CopyOnWriteArrayList<>();

    private LeakedBuffers() {}

    /** Begins to listen. To be called before Netty is used: what it logs to it chooses then. */
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
     * Has all garbage found, and tells how many different leaks Netty has reported. It reports a buffer at an allocation after its
     * collection. So two buffers are leaked here on purpose, one after the other: when the second one is reported, so is all
     * that was garbage before it.
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

    /** In a method of its own, so that no variable keeps the buffer. */
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
