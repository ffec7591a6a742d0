package io.holdfast.lock.core.runtime;

import io.holdfast.lock.LockListener;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Tells listeners and the log, and completes futures, on threads where a user's code can do no harm to the engine's. */
public final class EventDispatcher {

    /** Lines of level DEBUG leave this much room for warnings, where a handler of the log is slow. */
    private static final int MAX_PENDING_DETAILS = LockListener.MAX_PENDING / 2;

    private final Executor callbacks;
    private final List<Subscription> subscriptions;
    private final LockLog log;

    /** Creates a dispatcher that calls listeners on the given threads. */
    public EventDispatcher(List<LockListener> listeners, Executor callbacks) {
        this.callbacks = callbacks;
        this.subscriptions = listeners.stream()
                .map(listener -> new Subscription(
                        listener,
                        new Mailbox("The lock listener " + listener.getClass().getName())))
                .toList();
        // The log's handlers are the application's, too: one that blocks must not hold up a renewal.
        Mailbox lines = new Mailbox("The log of the locks");
        this.log = new LockLog(
                line -> lines.post(line, LockListener.MAX_PENDING), line -> lines.post(line, MAX_PENDING_DETAILS));
    }

    private record Subscription(LockListener listener, Mailbox mailbox) {}

    /** The log of this client's locks. */
    public LockLog log() {
        return log;
    }

    /** Delivers an event to every listener, in order. */
    public void emit(Consumer<LockListener> event) {
        for (Subscription to : subscriptions) {
            to.mailbox().post(() -> event.accept(to.listener()), LockListener.MAX_PENDING);
        }
    }

    /** Runs something that may run a user's code, such as the completion of a future. */
    public void dispatch(Runnable userCode) {
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
        private final ReentrantLock mutex = new ReentrantLock();
        private final Queue<Runnable> pending = new ArrayDeque<>();
        private boolean delivering;
        private long dropped;

        Mailbox(String name) {
            this.name = name;
        }

        /** Adds an event, unless so many wait already that this one is to be dropped. */
        void post(Runnable event, int maxPending) {
            mutex.lock();
            try {
                if (pending.size() >= maxPending) {
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
            for (Runnable event = next(); event != null; event = next()) {
                deliver(event);
            }
        }

        private void deliver(Runnable event) {
            try {
                event.run();
            } catch (Throwable failure) {
                // A listener's failure, of whatever kind, is its own: the next event still has to arrive.
                LockLog.write(Level.WARNING, name + " failed", failure);
            }
        }

        private @Nullable Runnable next() {
            long lost;
            Runnable event;
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
