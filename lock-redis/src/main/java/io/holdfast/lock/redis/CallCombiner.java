package io.holdfast.lock.redis;

import io.holdfast.lock.redis.RedisFailures.BrokenInUse;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.function.Supplier;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Sends calls of many threads over few connections. A call that finds a connection goes at once. Those that find none wait, and
 * whoever has the next one sends them with its own, in one round trip, and hands out the replies: flat combining, by Hendler,
 * Incze, Shavit and Tzafrir (2010). No thread stands in between. Thread-safe.
 */
final class CallCombiner {

    /** In bytes: a fraction of the smallest common send buffer, as a write has no time-out. */
    static final int ENOUGH_TOGETHER = 8 * 1024;

    private final ConnectionSharing sharing;
    private final Consumer<Supplier<List<PendingCall<?>>>> exchange;
    private final Semaphore connections;
    private final Queue<PendingCall<?>> waiting = new ConcurrentLinkedQueue<>();

    /**
     * Creates it.
     *
     * @param exchange borrows a connection, then asks which calls are to be sent, sends them, and reads their replies; if it
     *     throws, those have failed that had no reply yet
     */
    CallCombiner(ConnectionSharing sharing, Consumer<Supplier<List<PendingCall<?>>>> exchange) {
        this.sharing = sharing;
        this.exchange = exchange;
        this.connections = new Semaphore(sharing.most());
    }

    /** Makes a call of this thread. An interrupt does not end the wait, as a release has to reach the server; it is kept. */
    <T> T run(PendingCall<T> own) {
        if (connections.tryAcquire()) {
            send(own);
        } else {
            waiting.add(own);
            try (KeptInterrupt interrupt = new KeptInterrupt()) {
                if (awaitConnection(own, interrupt)) {
                    send(own);
                } else {
                    // Without a limit: the time-outs of the thread that sends the call bound it.
                    own.awaitEnd(interrupt);
                }
            }
        }
        return own.result();
    }

    /** Waits until this thread can send the call, or another thread has taken it. Returns whether this one can. */
    private boolean awaitConnection(PendingCall<?> own, KeptInterrupt interrupt) {
        PassedTime waited = new PassedTime();
        while (!own.hasEnded()) {
            // Also before the first pause: one may have become free before the call was among the waiting ones.
            if (connections.tryAcquire()) {
                if (waiting.remove(own)) {
                    wakeNextIfFree();
                    return true;
                }
                free();
                return false;
            }
            if (!waited.isLessThan(sharing.longestWait())) {
                leave(own);
                return false;
            }
            own.pause(waited.leftOf(sharing.longestWait()), interrupt);
        }
        return false;
    }

    /** Gives up, unless another thread has taken the call. */
    private void leave(PendingCall<?> own) {
        if (waiting.remove(own)) {
            // It may have been woken for a free connection.
            wakeNext();
            long millis = sharing.longestWait().toMillis();
            throw new JedisException(
                    "No connection was free",
                    new NoSuchElementException("the call waited for " + millis + " ms, and was not sent"));
        }
    }

    private void send(PendingCall<?> own) {
        List<PendingCall<?>> together = new ArrayList<>();
        together.add(own);
        try {
            exchange.accept(() -> {
                addWaiting(together);
                return together;
            });
        } catch (RuntimeException | Error failure) {
            own.fail(failure);
            failOthers(together, failure);
        } finally {
            // First: the next thread can send while this one wakes the others.
            free();
            for (PendingCall<?> each : together) {
                each.end();
            }
        }
    }

    /** Also takes a call that is larger than what is left: it would hold up those behind it. */
    private void addWaiting(List<PendingCall<?>> together) {
        int bytes = together.get(0).call().size();
        PendingCall<?> next = waiting.peek();
        while (next != null && bytes < ENOUGH_TOGETHER) {
            // In this order: a call that was taken and is not in the list would never end.
            together.add(next);
            if (waiting.remove(next) && !next.hasEnded()) {
                bytes += next.call().size();
            } else {
                together.remove(together.size() - 1);
            }
            next = waiting.peek();
        }
        wakeNextIfFree();
    }

    /** Two connections that became free at once may both have woken a call that goes now. */
    private void wakeNextIfFree() {
        if (connections.availablePermits() > 0) {
            wakeNext();
        }
    }

    private static void failOthers(List<PendingCall<?>> together, Throwable failure) {
        Throwable why = failure instanceof JedisException
                ? failure
                : new BrokenInUse(new JedisException("a call that was sent with it broke off", failure));
        for (int i = 1; i < together.size(); i++) {
            together.get(i).fail(why);
        }
    }

    private void free() {
        connections.release();
        wakeNext();
    }

    private void wakeNext() {
        PendingCall<?> next = waiting.peek();
        if (next != null) {
            next.wake();
        }
    }
}
