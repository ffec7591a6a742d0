package io.holdfast.parts;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** All that Holdfast logs while it is open, at every level and with all stack traces. */
public final class WholeLog extends Handler implements AutoCloseable {

    // java.util.logging keeps only a weak reference.
    private final Logger logger = Logger.getLogger("io.holdfast");
    private final List<String> lines = new CopyOnWriteArrayList<>();

    private WholeLog() {}

    /**
     * Begins to record.
     *
     * @return the log
     */
    public static WholeLog begin() {
        WholeLog log = new WholeLog();
        log.setLevel(Level.ALL);
        log.logger.setLevel(Level.ALL);
        log.logger.addHandler(log);
        return log;
    }

    @Override
    public void publish(LogRecord line) {
        lines.add(line.getLevel() + " " + line.getMessage());
        if (line.getThrown() != null) {
            add(line.getThrown());
        }
    }

    /**
     * Adds the stack trace of an exception, as a caller would log it.
     *
     * @param failure the exception
     */
    public void add(Throwable failure) {
        StringWriter trace = new StringWriter();
        failure.printStackTrace(new PrintWriter(trace));
        lines.add(trace.toString());
    }

    /**
     * What was logged until now.
     *
     * @return the text
     */
    public String text() {
        return String.join("\n", lines);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        logger.removeHandler(this);
        logger.setLevel(null);
    }
}
