package io.holdfast.lock.redis;

import io.holdfast.lock.spi.ReleaseFeed;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
 * Hears of releases: one connection, and the daemon thread that reads it, for as long as a name is subscribed to.
 *
 * <p>A connection on which nothing was heard for {@link #SILENCE} is asked for a sign of life, and replaced if none comes. One
 * that fails is replaced after a short pause that grows up to {@link #LONGEST_PAUSE}. The listener hears of the first failure of a
 * row, so that waiters poll meanwhile.
 *
 * <p>Which connection is open and what was asked for on it change together, under one lock. The listener is called without it.
 */
final class ReleaseMessages implements ReleaseFeed, AutoCloseable {

    static final Duration SILENCE = Duration.ofSeconds(30);
    static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);
    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(50);
    private static final int MOST_DOUBLINGS = 6;
    private static final Duration CLOSED_WITHIN = Duration.ofSeconds(10);
    private static final String THREAD = "holdfast-redis-releases";
    private static final Logger LOG = System.getLogger(ReleaseMessages.class.getPackageName());

    private final ScriptRunner runner;
    private final KeySpace keys;
    private final Listener listener;
    private final Duration silence;
    private final ThreadFactory threads;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private volatile boolean closed;

    // Written under the lock; the requests are read without it to cut off their connection.
    private final Map<String, String> namesByChannel = new LinkedHashMap<>();
    private volatile @Nullable Requests requests;
    private @Nullable Thread thread;

    // The reading thread's own.
    private int failuresInARow;

    ReleaseMessages(ScriptRunner runner, KeySpace keys, Listener listener, Duration silence, ThreadFactory threads) {
        this.runner = runner;
        this.keys = keys;
        this.listener = listener;
        this.silence = silence;
        this.threads = threads;
    }

    /** Makes the thread that reads. */
    static Thread thread(Runnable reading) {
        Thread made = new Thread(reading, THREAD);
        made.setDaemon(true);
        return made;
    }

    @Override
    public void subscribe(String name) {
        String channel = keys.channel(name);
        lock.lock();
        try {
            Requests open = requests;
            if (closed || namesByChannel.put(channel, name) != null) {
                return;
            }
            if (open != null) {
                open.add(Command.SUBSCRIBE, channel);
            } else if (thread == null) {
                Thread started = threads.newThread(this::run);
                started.start();
                thread = started;
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void unsubscribe(String name) {
        String channel = keys.channel(name);
        lock.lock();
        try {
            namesByChannel.remove(channel);
            Requests open = requests;
            if (open != null && !closed) {
                open.add(Command.UNSUBSCRIBE, channel);
            }
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        while (awaitNames()) {
            try {
                listen();
            } catch (RuntimeException | Error failure) {
                // Also what should never come: without this thread, nobody would hear of a release any more.
                recover(failure);
            }
        }
    }

    private boolean awaitNames() {
        lock.lock();
        try {
            while (!closed && namesByChannel.isEmpty()) {
                changed.awaitUninterruptibly();
            }
            return !closed;
        } finally {
            lock.unlock();
        }
    }

    /** Reads until no name is subscribed to any more; throws if the connection fails. */
    private void listen() {
        try (Connection open = runner.openSubscription()) {
            open.setSoTimeout((int) silence.toMillis());
            try {
                begin(open);
                read(open);
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
            } else {
                namesByChannel.keySet().forEach(channel -> none.add(Command.SUBSCRIBE, channel));
            }
        } finally {
            lock.unlock();
        }
    }

    private void read(Connection open) {
        boolean asked = false;
        while (!closed) {
            try {
                dispatch(open.getUnflushedObject());
                asked = false;
            } catch (JedisException failure) {
                if (!RedisFailures.timedOut(failure) || asked) {
                    throw failure;
                }
                if (isUnused()) {
                    return;
                }
                ping();
                asked = true;
            }
        }
    }

    private boolean isUnused() {
        lock.lock();
        try {
            return namesByChannel.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    private void ping() {
        lock.lock();
        try {
            Requests open = requests;
            if (open != null) {
                open.ping();
            }
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
        } finally {
            lock.unlock();
        }
    }

    private void dispatch(@Nullable Object push) {
        if (!(push instanceof List<?> parts) || parts.size() < 2 || !(parts.get(1) instanceof byte[] channel)) {
            return;
        }
        switch (new String((byte[]) parts.get(0), StandardCharsets.US_ASCII)) {
            case "subscribe" -> {
                failuresInARow = 0;
                String name = answered(channel);
                if (name != null) {
                    listener.listening(name);
                }
            }
            case "unsubscribe" -> answered(channel);
            case "message" -> {
                String name = name(channel);
                if (name != null) {
                    listener.released(name);
                }
            }
            default -> {
                // The sign of life that was asked for.
            }
        }
    }

    /** Notes the answer to a request, and sends what waited for it. Returns the name, if it is still subscribed to. */
    private @Nullable String answered(byte[] channel) {
        lock.lock();
        try {
            Requests open = requests;
            if (open != null) {
                open.answered(channel);
            }
            return name(channel);
        } finally {
            lock.unlock();
        }
    }

    private List<String> names() {
        lock.lock();
        try {
            return List.copyOf(namesByChannel.values());
        } finally {
            lock.unlock();
        }
    }

    private @Nullable String name(byte[] channel) {
        lock.lock();
        try {
            return namesByChannel.get(new String(channel, StandardCharsets.UTF_8));
        } finally {
            lock.unlock();
        }
    }

    private void recover(Throwable failure) {
        if (closed) {
            return;
        }
        try {
            int before = failuresInARow;
            failuresInARow = before + 1;
            if (before == 0) {
                names().forEach(listener::interrupted);
                LOG.log(
                        Level.WARNING,
                        "The subscription to lock releases failed; until it is back, waiters poll: "
                                + failure.getMessage(),
                        failure instanceof JedisException ? null : failure);
            }
            pauseAfter(before);
        } catch (RuntimeException | Error another) {
            // As when no memory is left. The thread has to go on, and this pause needs none.
            LockSupport.parkNanos(LONGEST_PAUSE.toNanos());
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
