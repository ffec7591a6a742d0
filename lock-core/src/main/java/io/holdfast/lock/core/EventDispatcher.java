package io.holdfast.lock.core;

import io.holdfast.lock.LockListener;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/** Tells listeners and the log, and completes futures, on threads where a user's code can do no harm to the engine's. */
final class EventDispatcher {

    private final Executor callbacks;
    private final List<Mailbox> mailboxes;
    private final LockLog log;

    EventDispatcher(List<LockListener> listeners, Executor callbacks) {
        this.callbacks = callbacks;
        this.mailboxes = listeners.stream()
                .map(listener ->
                        new Mailbox("The lock listener " + listener.getClass().getName(), listener))
                .toList();
        // The log's handlers are the application's, too: one that blocks must not hold up a renewal.
        Mailbox lines = new Mailbox("The log of the locks", new LockListener() {});
        this.log = new LockLog(line -> lines.post(unused -> line.run()));
    }

    /** Where the engine writes down what happens to its locks. */
    LockLog log() {
        return log;
    }

    void emit(Consumer<LockListener> event) {
        for (Mailbox mailbox : mailboxes) {
            mailbox.post(event);
        }
    }

    /** Runs something that may run a user's code, such as the completion of a future. */
    void dispatch(Runnable userCode) {
        try {
            callbacks.execute(userCode);
        } catch (RejectedExecutionException closed) {
            // After close there are no threads of ours left, and the caller still must not be left waiting.
            userCode.run();
        }
    }

    /** The events of one listener, or of the log: delivered in order, one at a time. */
    private final class Mailbox {
        private final String name;
        private final LockListener listener;
        private final ReentrantLock mutex = new ReentrantLock();
        private final Queue<Consumer<LockListener>> pending = new ArrayDeque<>();
        private boolean delivering;
        private long dropped;

        Mailbox(String name, LockListener listener) {
            this.name = name;
            this.listener = listener;
        }

        void post(Consumer<LockListener> event) {
            mutex.lock();
            try {
                if (pending.size() >= LockListener.MAX_PENDING) {
                    dropped++;
                    return;
                }
                pending.add(event);
                if (delivering) {
                    return;
                }
                delivering = true;
            } finally {
                mutex.unlock();
            }
            dispatch(this::deliver);
        }

        private void deliver() {
            for (Consumer<LockListener> event = next(); event != null; event = next()) {
                deliver(event);
            }
        }

        private void deliver(Consumer<LockListener> event) {
            try {
                event.accept(listener);
            } catch (Throwable failure) {
                // A listener's failure, of whatever kind, is its own: the next event still has to arrive.
                LockLog.write(Level.WARNING, name + " failed", failure);
            }
        }

        private @org.jspecify.annotations.Nullable Consumer<LockListener> next() {
            long lost;
            Consumer<LockListener> event;
            mutex.lock();
            try {
                event = pending.poll();
                delivering = event != null;
                lost = dropped;
                dropped = 0;
            } finally {
                mutex.unlock();
            }
            if (lost > 0) {
                LockLog.write(Level.WARNING, name + " is too slow: " + lost + " events were dropped", null);
            }
            return event;
        }
    }
}
