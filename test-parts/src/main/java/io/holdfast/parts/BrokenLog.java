package io.holdfast.parts;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** A handler of the log that fails, until it is closed. */
public final class BrokenLog extends Handler {

    private final Logger logger;
    private final AtomicInteger records = new AtomicInteger();

    private BrokenLog(Logger logger) {
        this.logger = logger;
    }

    /**
     * Breaks a log.
     *
     * @param name of the logger
     * @return the handler
     */
    public static BrokenLog of(String name) {
        BrokenLog broken = new BrokenLog(Logger.getLogger(name));
        broken.logger.addHandler(broken);
        return broken;
    }

    /**
     * How many records it got.
     *
     * @return the count
     */
    public int records() {
        return records.get();
    }

    @Override
    public void publish(LogRecord message) {
        records.incrementAndGet();
        throw new NoClassDefFoundError("thrown by the test");
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        logger.removeHandler(this);
    }
}
