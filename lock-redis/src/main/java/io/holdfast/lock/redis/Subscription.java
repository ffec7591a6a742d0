package io.holdfast.lock.redis;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisException;

/**
 * The one connection that hears of releases, and the daemon thread that reads it. Opened when the first claim has to wait.
 *
 * <p>A connection on which nothing was heard for {@link #SILENCE} may be dead without anybody having said so. If somebody
 * waits it is replaced, which also wakes everybody who waits; else it is closed until somebody does. A connection that fails
 * is replaced after a short pause that grows up to {@link #LONGEST_PAUSE}; with the first failure everybody who waits is woken, as
 * no message may come for a while.
 *
 * <p>Which connection is open and what was asked for on it change together, under this class' lock. It is taken before the
 * monitor of {@link WakeUps}, never while that is held.
 */
final class Subscription implements AutoCloseable {

    static final Duration SILENCE = Duration.ofSeconds(30);
    static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);
    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(50);
    private static final int MOST_DOUBLINGS = 6;
    private static final Duration CLOSED_WITHIN = Duration.ofSeconds(10);
    private static final String THREAD = "holdfast-redis-wakeup";
    private static final Logger LOG = System.getLogger(Subscription.class.getPackageName());

    private final ScriptRunner runner;
    private final WakeUps wakeUps;
    private final Duration silence;
    private final ThreadFactory threads;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    // Those on the connection that is open. Written under the lock; read without it to cut off that connection.
    private volatile @Nullable Requests requests;
    private volatile boolean closed;
    private volatile int failuresInARow;
    private @Nullable Thread thread;
    // The thread's own.
    private boolean answered;

    Subscription(ScriptRunner runner, WakeUps wakeUps, Duration silence, ThreadFactory threads) {
        this.runner = runner;
        this.wakeUps = wakeUps;
        this.silence = silence;
        this.threads = threads;
    }

    /** Makes the thread that reads. */
    static Thread thread(Runnable reading) {
        Thread made = new Thread(reading, THREAD);
        made.setDaemon(true);
        return made;
    }

    /**
     * Asks for a channel that somebody waits for; {@link WakeUps#confirmed} follows. Without a connection, one is opened, on
     * which all channels are asked for that somebody waits for then.
     */
    void subscribe(String channel) {
        int before = 0;
        @Nullable Throwable failure = null;
        lock.lock();
        try {
            if (closed) {
                return;
            }
            Requests open = requests;
            if (open != null) {
                request(open, channel);
            } else if (thread == null) {
                before = failuresInARow;
                failure = start();
            } else {
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
        if (failure != null) {
            tell(before, failure);
        }
    }

    /** Starts the thread; if that fails, the next who subscribes tries again, and until then nobody can expect a message. */
    private @Nullable Throwable start() {
        try {
            Thread started = threads.newThread(this::run);
            started.start();
            thread = started;
            return null;
        } catch (RuntimeException | Error notStarted) {
            countFailure();
            return notStarted;
        }
    }

    /** Leaves a channel; {@link WakeUps#unsubscribed} follows. Without a connection there is nothing to leave. */
    void unsubscribe(String channel) {
        lock.lock();
        try {
            Requests open = requests;
            if (!closed && open != null) {
                open.add(Command.UNSUBSCRIBE, channel);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Whether the server could not be subscribed to when it was last tried. */
    boolean failing() {
        return failuresInARow > 0;
    }

    private void request(Requests open, String channel) {
        if (wakeUps.ask(channel)) {
            open.add(Command.SUBSCRIBE, channel);
        }
    }

    private void run() {
        while (!closed) {
            try {
                if (awaitDemand()) {
                    listen();
                }
            } catch (RuntimeException | Error failure) {
                // Also what should never come: without this thread, nobody would hear of a release any more.
                recover(failure);
            }
        }
    }

    private void recover(Throwable failure) {
        if (closed) {
            return;
        }
        try {
            int before = countFailure();
            tell(before, failure);
            pauseAfter(before);
        } catch (RuntimeException | Error another) {
            // As when no memory is left. The thread has to go on, and this pause needs none.
            LockSupport.parkNanos(LONGEST_PAUSE.toNanos());
        }
    }

    /** Returns how many there were before. Called by the thread, or under the lock while there is none. */
    private int countFailure() {
        int before = failuresInARow;
        failuresInARow = before + 1;
        return before;
    }

    private boolean awaitDemand() {
        lock.lock();
        try {
            while (!closed && !wakeUps.anyWaiting()) {
                changed.awaitUninterruptibly();
            }
            return !closed;
        } finally {
            lock.unlock();
        }
    }

    /** Reads until the connection has been silent for too long; throws if it fails. */
    private void listen() {
        answered = false;
        try (Connection open = runner.openSubscription()) {
            open.setSoTimeout((int) silence.toMillis());
            try {
                begin(open);
                while (!closed) {
                    dispatch(open.getUnflushedObject());
                }
            } catch (JedisException failure) {
                // Silence after an answer is what a quiet lock sounds like; asked and without one, the server cannot be
                // heard at all.
                if (!StoreFailures.timedOut(failure) || (!answered && wakeUps.anyUnanswered())) {
                    throw failure;
                }
            } finally {
                end(open);
            }
        }
    }

    private void begin(Connection open) {
        lock.lock();
        try {
            Requests none = new Requests(open);
            requests = none;
            if (closed) {
                none.cutOff();
                return;
            }
            wakeUps.awaited().forEach(channel -> request(none, channel));
        } finally {
            lock.unlock();
        }
    }

    private void end(Connection open) {
        Requests asked = requests;
        if (asked != null) {
            // Should somebody be stuck in a write after all, with the lock, this frees it.
            asked.cutOff();
        }
        lock.lock();
        try {
            requests = null;
            // It is still subscribed, so a pool must not hand it out again. Under the lock, as a writer could undo it.
            open.setBroken();
            wakeUps.disconnected();
        } finally {
            lock.unlock();
        }
    }

    private void dispatch(@Nullable Object push) {
        if (!(push instanceof List<?> parts) || parts.size() < 2 || !(parts.get(1) instanceof byte[] channel)) {
            return;
        }
        String name = new String(channel, StandardCharsets.UTF_8);
        switch (new String((byte[]) parts.get(0), StandardCharsets.US_ASCII)) {
            case "subscribe" -> {
                answered = true;
                failuresInARow = 0;
                goOn(channel);
                wakeUps.confirmed(name);
            }
            case "unsubscribe" -> {
                goOn(channel);
                wakeUps.unsubscribed(name);
            }
            case "message" -> wakeUps.message(name);
            default -> {
                // Nothing else was asked for.
            }
        }
    }

    private void goOn(byte[] channel) {
        lock.lock();
        try {
            Requests open = requests;
            if (open != null) {
                open.answered(channel);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Tells of the first failure of a row, those first who wait. */
    private void tell(int failuresBefore, Throwable failure) {
        if (failuresBefore > 0) {
            return;
        }
        // After the counting: whoever was told before it that messages would come is among these.
        wakeUps.wakeWaiting();
        try {
            LOG.log(
                    Level.WARNING,
                    "The subscription to lock releases failed; until it is back, waiting claims ask again"
                            + " by themselves: " + failure.getMessage(),
                    failure instanceof JedisException ? null : failure);
        } catch (RuntimeException | Error loggingFailed) {
            // There is nobody to tell that nobody can be told; the thread has to go on.
            return;
        }
    }

    private void pauseAfter(int failures) {
        long longest =
                Math.min(LONGEST_PAUSE.toNanos(), SHORTEST_PAUSE.toNanos() << Math.min(failures, MOST_DOUBLINGS));
        // Jittered, or all clients of a restarted server come back in the same moment.
        long nanos = ThreadLocalRandom.current().nextLong(longest / 2, longest);
        lock.lock();
        try {
            while (!closed && nanos > 0) {
                nanos = changed.awaitNanos(nanos);
            }
        } catch (InterruptedException stop) {
            // The thread is ours, so nobody else can mean anything by this but the end.
            closed = true;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        closed = true;
        Requests open = requests;
        if (open != null) {
            open.cutOff();
        }
        Thread running;
        lock.lock();
        try {
            changed.signalAll();
            running = thread;
        } finally {
            lock.unlock();
        }
        if (running != null) {
            // Ends a wait for a connection of somebody else's pool, which may have no limit.
            running.interrupt();
            join(running);
        }
    }

    /** Waits through interrupts: what a close leaves behind, nobody else would end. */
    private static void join(Thread running) {
        boolean interrupted = false;
        boolean waiting = true;
        while (waiting) {
            try {
                TimeUnit.NANOSECONDS.timedJoin(running, CLOSED_WITHIN.toNanos());
                waiting = false;
            } catch (InterruptedException later) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
