package io.holdfast.lock.core.client;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** The engine's log, kept from the console. */
final class LogCapture extends Handler {

    private static final Logger LOGGER = Logger.getLogger("io.holdfast.lock");

    private final List<LogRecord> records = new CopyOnWriteArrayList<>();
    private volatile Runnable before = () -> {};

    static LogCapture begin(Level level) {
        LogCapture capture = new LogCapture();
        LOGGER.setUseParentHandlers(false);
        LOGGER.setLevel(level);
        LOGGER.addHandler(capture);
        return capture;
    }

    /** Runs an action before each line is recorded. */
    void before(Runnable action) {
        before = action;
    }

    @Override
    public void publish(LogRecord line) {
        before.run();
        records.add(line);
    }

    List<LogRecord> records() {
        return records;
    }

    List<String> lines(Level level) {
        return records.stream()
                .filter(line -> line.getLevel().equals(level))
                .map(LogRecord::getMessage)
                .toList();
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        LOGGER.removeHandler(this);
        LOGGER.setLevel(null);
        LOGGER.setUseParentHandlers(true);
    }
}
