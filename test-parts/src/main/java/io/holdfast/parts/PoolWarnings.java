package io.holdfast.parts;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Collects warnings about pools on the thread of the test: other tests run at the same time. */
public final class PoolWarnings {

    private PoolWarnings() {}

    /**
     * The warnings of an action.
     *
     * @param action what may warn
     * @return the messages that tell of a pool
     */
    public static List<String> of(Runnable action) {
        List<String> messages = new CopyOnWriteArrayList<>();
        long thread = Thread.currentThread().getId();
        Handler log = new Handler() {
            @Override
            public void publish(LogRecord message) {
                if (message.getLongThreadID() == thread
                        && message.getLevel().equals(Level.WARNING)
                        && message.getMessage().contains("pool")) {
                    messages.add(message.getMessage());
                }
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger logger = Logger.getLogger("io.holdfast.lock");
        logger.addHandler(log);
        try {
            action.run();
        } finally {
            logger.removeHandler(log);
        }
        return messages;
    }
}
