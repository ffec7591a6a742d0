package io.holdfast.lock.redis;

import io.holdfast.lock.spi.ReleaseFeed;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
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
 * Reads the messages of releases: one daemon thread, and one connection while a name is subscribed to.
 *
 * <p>A connection that was silent for {@link #SILENCE} is replaced, as it may be dead. One that fails is replaced after a short
 * pause that grows up to {@link #LONGEST_PAUSE}. The listener hears of the first failure of a row, so that waiters poll meanwhile.
 *
 * <p>The subscribed names and the requests of the open connection change together, under one lock. The listener is called without
 * it.
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
    private final Thread reader;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private volatile boolean closed;

    /** By their channels. Changed under the lock. */
    private final Map<String, String> names = new ConcurrentHashMap<>();

    /** Those of the open connection. Changed under the lock; read without it to cut off the connection. */
    private volatile @Nullable Requests requests;

    // The reader's own.
    private int failuresInARow;

    private ReleaseMessages(ScriptRunner runner, KeySpace keys, Listener listener, Duration silence) {
        this.runner = runner;
        this.keys = keys;
        this.listener = listener;
        this.silence = silence;
        this.reader = new Thread(this::run, THREAD);
        reader.setDaemon(true);
    }

    /** Starts the thread, which connects when the first name is subscribed to. */
    static ReleaseMessages open(ScriptRunner runner, KeySpace keys, Listener listener, Duration silence) {
        ReleaseMessages messages = new ReleaseMessages(runner, keys, listener, silence);
        messages.reader.start();
        return messages;
    }

    @Override
    public void subscribe(String name) {
        String channel = keys.channel(name);
        lock.lock();
        try {
            if (names.put(channel, name) == null) {
                request(Command.SUBSCRIBE, channel);
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void unsubscribe(String name) {
        String channel = keys.channel(name);
        lock.lock();
        try {
            if (names.remove(channel) != null) {
                request(Command.UNSUBSCRIBE, channel);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Without an open connection there is nothing to request: the next one subscribes to all names. */
    private void request(Command command, String channel) {
        Requests open = requests;
        if (open != null) {
            open.add(command, channel);
        }
    }

    private void run() {
        while (awaitNames()) {
            try {
                listen();
            } catch (RuntimeException | Error failure) {
                // Also what is unexpected: nothing restarts this thread.
                recover(failure);
            }
        }
    }

    private boolean awaitNames() {
        lock.lock();
        try {
            while (!closed && names.isEmpty()) {
                changed.awaitUninterruptibly();
            }
            return !closed;
        } finally {
            lock.unlock();
        }
    }

    /** Reads until the connection has been silent for too long; throws if it fails. */
    private void listen() {
        boolean answered = false;
        try (Connection open = runner.openSubscription()) {
            open.setSoTimeout((int) silence.toMillis());
            try {
                begin(open);
                while (!closed) {
                    dispatch(open.getUnflushedObject());
                    answered = true;
                }
            } catch (JedisException failure) {
                // Silence is normal for a quiet lock, but not before the first answer.
                if (!answered || !RedisFailures.timedOut(failure)) {
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
            Requests started = new Requests(open);
            requests = started;
            if (closed) {
                started.cutOff();
            } else {
                names.keySet().forEach(channel -> started.add(Command.SUBSCRIBE, channel));
            }
        } finally {
            lock.unlock();
        }
    }

    private void end(Connection open) {
        Requests ended = requests;
        if (ended != null) {
            // Before the lock: a writer that is stuck after all holds it, and is freed by this.
            ended.cutOff();
        }
        lock.lock();
        try {
            requests = null;
            // It is still subscribed, so a pool must not lend it again. Under the lock, as a writer could undo it.
            open.setBroken();
        } finally {
            lock.unlock();
        }
    }

    private void dispatch(@Nullable Object push) {
        if (!(push instanceof List<?> parts) || parts.size() < 2 || !(parts.get(1) instanceof byte[] channel)) {
            return;
        }
        String name = names.get(new String(channel, StandardCharsets.UTF_8));
        switch (new String((byte[]) parts.get(0), StandardCharsets.US_ASCII)) {
            case "subscribe" -> {
                failuresInARow = 0;
                answered(channel);
                if (name != null) {
                    listener.listening(name);
                }
            }
            case "unsubscribe" -> answered(channel);
            case "message" -> {
                if (name != null) {
                    listener.released(name);
                }
            }
            default -> {
                // Nothing else is requested.
            }
        }
    }

    private void answered(byte[] channel) {
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

    private void recover(Throwable failure) {
        if (closed) {
            return;
        }
        try {
            int before = failuresInARow;
            failuresInARow = before + 1;
            if (before == 0) {
                names.values().forEach(listener::interrupted);
                LOG.log(
                        Level.WARNING,
                        "The subscription to lock releases failed; until it is back, waiters poll: "
                                + failure.getMessage(),
                        failure instanceof JedisException ? null : failure);
            }
            pauseAfter(before);
        } catch (RuntimeException | Error another) {
            // The log failed, or memory is exhausted. This pause needs none.
            LockSupport.parkNanos(LONGEST_PAUSE.toNanos());
        }
    }

    private void pauseAfter(int failures) {
        long longest =
                Math.min(LONGEST_PAUSE.toNanos(), SHORTEST_PAUSE.toNanos() << Math.min(failures, MOST_DOUBLINGS));
        // Jittered, so that the clients of a restarted server do not all come back at the same moment.
        long nanos = ThreadLocalRandom.current().nextLong(longest / 2, longest);
        lock.lock();
        try {
            while (!closed && nanos > 0) {
                nanos = changed.awaitNanos(nanos);
            }
        } catch (InterruptedException stop) {
            // Only the close interrupts this thread.
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
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        // Ends a wait for a connection of a given pool, which may have no limit.
        reader.interrupt();
        awaitEnd();
    }

    /** Waits through interrupts, as nothing else would end what is left. */
    private void awaitEnd() {
        boolean interrupted = false;
        boolean waiting = true;
        while (waiting) {
            try {
                TimeUnit.NANOSECONDS.timedJoin(reader, CLOSED_WITHIN.toNanos());
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
