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
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
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
 * <p>The subscribed names and the requests of the open connection change together, under the monitor. The listener is called
 * without it.
 */
final class ReleaseMessages implements ReleaseFeed, AutoCloseable {

    static final Duration SILENCE = Duration.ofSeconds(30);
    static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);
    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(50);
    private static final Duration CLOSED_WITHIN = Duration.ofSeconds(10);
    private static final String THREAD = "holdfast-redis-releases";
    private static final Logger LOG = System.getLogger(ReleaseMessages.class.getPackageName());

    private final Supplier<Connection> connecting;
    private final KeySpace keys;
    private final Listener listener;
    private final Duration silence;
    private final Thread reader;
    private volatile boolean closed;

    /** By their channels. Changed under the monitor. */
    private final Map<String, String> names = new ConcurrentHashMap<>();

    /** Those of the open connection. Changed under the monitor; read without it to cut off the connection. */
    private volatile @Nullable Requests requests;

    /** Before the next connection, if this one fails. The reader's own. */
    private long pauseNanos = SHORTEST_PAUSE.toNanos();

    private ReleaseMessages(Supplier<Connection> connecting, KeySpace keys, Listener listener, Duration silence) {
        this.connecting = connecting;
        this.keys = keys;
        this.listener = listener;
        this.silence = silence;
        this.reader = new Thread(this::run, THREAD);
        reader.setDaemon(true);
    }

    /** Starts the thread, which connects when the first name is subscribed to. */
    static ReleaseMessages open(Supplier<Connection> connecting, KeySpace keys, Listener listener, Duration silence) {
        ReleaseMessages messages = new ReleaseMessages(connecting, keys, listener, silence);
        messages.reader.start();
        return messages;
    }

    @Override
    public synchronized void subscribe(String name) {
        String channel = keys.channel(name);
        boolean first = names.isEmpty();
        if (names.put(channel, name) == null) {
            request(Command.SUBSCRIBE, channel);
        }
        if (first) {
            LockSupport.unpark(reader);
        }
    }

    @Override
    public synchronized void unsubscribe(String name) {
        String channel = keys.channel(name);
        if (names.remove(channel) != null) {
            request(Command.UNSUBSCRIBE, channel);
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
                if (!closed) {
                    recover(failure);
                }
            }
        }
    }

    private boolean awaitNames() {
        while (!closed && names.isEmpty()) {
            LockSupport.park(this);
            forgetInterrupt();
        }
        return !closed;
    }

    /** An interrupt would end every later wait at once. The only one that is meant comes with {@link #closed}. */
    private static void forgetInterrupt() {
        boolean unused = Thread.interrupted();
    }

    /** Reads until the connection has been silent for too long; throws if it fails. */
    private void listen() {
        boolean answered = false;
        try (Connection open = connecting.get()) {
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

    private synchronized void begin(Connection open) {
        Requests started = new Requests(open);
        requests = started;
        if (closed) {
            started.cutOff();
        } else {
            names.keySet().forEach(channel -> started.add(Command.SUBSCRIBE, channel));
        }
    }

    private void end(Connection open) {
        // Before the monitor: a writer that is stuck after all has it, and is freed by this.
        cutOff();
        synchronized (this) {
            requests = null;
            // It is still subscribed, so a pool must not lend it again. Under the monitor, as a writer could undo it.
            open.setBroken();
        }
    }

    private void cutOff() {
        Requests open = requests;
        if (open != null) {
            open.cutOff();
        }
    }

    private void dispatch(@Nullable Object push) {
        if (!(push instanceof List<?> parts) || parts.size() < 2 || !(parts.get(1) instanceof byte[] channel)) {
            return;
        }
        String name = names.get(new String(channel, StandardCharsets.UTF_8));
        switch (new String((byte[]) parts.get(0), StandardCharsets.US_ASCII)) {
            case "subscribe" -> {
                pauseNanos = SHORTEST_PAUSE.toNanos();
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

    private synchronized void answered(byte[] channel) {
        Requests open = requests;
        if (open != null) {
            open.answered(channel);
        }
    }

    private void recover(Throwable failure) {
        long longest = pauseNanos;
        pauseNanos = Math.min(2 * longest, LONGEST_PAUSE.toNanos());
        if (longest == SHORTEST_PAUSE.toNanos()) {
            names.values().forEach(listener::interrupted);
            warn(failure);
        }
        // Jittered, so that the clients of a restarted server do not all come back at the same moment.
        pause(ThreadLocalRandom.current().nextLong(longest / 2, longest));
    }

    /** May end early, at the cost of one attempt to connect. */
    private void pause(long nanos) {
        LockSupport.parkNanos(this, nanos);
        forgetInterrupt();
    }

    private static void warn(Throwable failure) {
        try {
            LOG.log(
                    Level.WARNING,
                    "The subscription to lock releases failed; until it is back, waiters poll: " + failure.getMessage(),
                    failure instanceof JedisException ? null : failure);
        } catch (RuntimeException | Error broken) {
            // A handler of the application's log must not end this thread, which nothing restarts.
            failure.addSuppressed(broken);
        }
    }

    @Override
    public void close() {
        closed = true;
        cutOff();
        // Ends a pause, and the wait for a connection of a given pool, which may have no limit.
        reader.interrupt();
        try {
            TimeUnit.NANOSECONDS.timedJoin(reader, CLOSED_WITHIN.toNanos());
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }
}
