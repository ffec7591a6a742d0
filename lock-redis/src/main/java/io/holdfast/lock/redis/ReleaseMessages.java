package io.holdfast.lock.redis;

import io.holdfast.lock.redis.Requests.Kind;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisMovedDataException;

/**
 * Reads the messages of releases: one daemon thread, and one connection while a name is subscribed to.
 *
 * <p>A connection that says nothing for {@link #QUIET_LIMIT} is replaced, as it may be dead. One that fails is replaced after a short
 * pause that grows up to {@link Resubscription#LONGEST_PAUSE}. The listener hears of the first failure of a row, so that waiters poll meanwhile.
 *
 * <p>The subscribed names and the requests of the open connection change together, under the monitor. The listener is called
 * without it.
 */
final class ReleaseMessages implements RedisFeed {

    static final Duration QUIET_LIMIT = Duration.ofSeconds(30);
    private static final Duration CLOSED_WITHIN = Duration.ofSeconds(10);
    private static final String THREAD = "holdfast-redis-releases";

    private final SubscriptionPlace place;
    private final KeySpace keys;
    private final Listener listener;
    private final Duration quietLimit;
    private final Thread reader;
    private volatile boolean closed;

    /** By their channels. Changed under the monitor. */
    private final Map<String, String> names = new ConcurrentHashMap<>();

    /** Those of the open connection. Changed under the monitor; read without it to cut off the connection. */
    private volatile @Nullable Requests requests;

    /** The reader's own. */
    private final Resubscription resubscription = new Resubscription();

    private ReleaseMessages(SubscriptionPlace place, KeySpace keys, Listener listener, Duration quietLimit) {
        this.place = place;
        this.keys = keys;
        this.listener = listener;
        this.quietLimit = quietLimit;
        this.reader = new Thread(this::run, THREAD);
        reader.setDaemon(true);
    }

    /** Starts the thread, which connects when the first name is subscribed to. */
    static ReleaseMessages open(SubscriptionPlace place, KeySpace keys, Listener listener, Duration quietLimit) {
        ReleaseMessages messages = new ReleaseMessages(place, keys, listener, quietLimit);
        messages.reader.start();
        return messages;
    }

    @Override
    public synchronized void subscribe(String name) {
        String channel = keys.channel(name);
        boolean first = names.isEmpty();
        if (names.put(channel, name) == null) {
            request(open -> open.subscribe(channel));
        }
        if (first) {
            LockSupport.unpark(reader);
        }
    }

    @Override
    public synchronized void unsubscribe(String name) {
        String channel = keys.channel(name);
        if (names.remove(channel) != null) {
            request(open -> open.unsubscribe(channel));
        }
    }

    private synchronized <T> Optional<T> onConnection(Function<Requests, T> use) {
        return Optional.ofNullable(requests).map(use);
    }

    /** Without an open connection there is nothing to request: the next one subscribes to all names. */
    private void request(Consumer<Requests> request) {
        Requests open = requests;
        if (open != null) {
            request.accept(open);
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
            Resubscription.forgetInterrupt();
        }
        return !closed;
    }

    /** Reads until the connection has said nothing for too long; throws if it fails. */
    private void listen() {
        boolean answered = false;
        try (Connection open = place.open()) {
            open.setSoTimeout((int) quietLimit.toMillis());
            try {
                begin(open, place.kind());
                while (!closed) {
                    read(open);
                    answered = true;
                }
            } catch (JedisException failure) {
                // Normal for a lock that is seldom released, but not before the first answer.
                if (!answered || !RedisFailures.timedOut(failure)) {
                    throw failure;
                }
            } finally {
                end(open);
            }
        }
    }

    private synchronized void begin(Connection open, Kind kind) {
        Requests started = new Requests(open, kind);
        requests = started;
        if (closed) {
            started.cutOff();
        } else {
            names.keySet().forEach(started::subscribe);
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

    private void read(Connection open) {
        Object push;
        try {
            push = open.getUnflushedObject();
        } catch (JedisDataException refused) {
            refused(refused, open);
            return;
        }
        dispatch(push);
    }

    private void refused(JedisDataException refused, Connection open) {
        if (place.kind() == Kind.SHARDED && RedisFailures.isUnknownCommand(refused)) {
            // Comes once for each request that was sent before the first of these answers.
            if (onConnection(Requests::kind).equals(Optional.of(Kind.SHARDED))) {
                begin(open, Kind.CLASSIC);
            }
        } else if (refused instanceof JedisMovedDataException moved) {
            onConnection(Requests::refused)
                    .flatMap(channel -> channel)
                    .ifPresent(channel -> leave(channel, moved.getTargetNode()));
        } else {
            throw refused;
        }
    }

    /** A channel is not served here any more. */
    private void leave(String channel, @Nullable HostAndPort to) {
        String name = names.get(channel);
        if (name == null) {
            return;
        }
        listener.interrupted(name);
        place.changed(to);
        if (names.containsKey(channel)) {
            // The nodes do not agree yet.
            resubscription.pauseShortly();
            synchronized (this) {
                if (names.containsKey(channel)) {
                    request(open -> open.subscribe(channel));
                }
            }
        }
    }

    private void dispatch(@Nullable Object push) {
        if (!(push instanceof List<?> parts) || parts.size() < 2 || !(parts.get(1) instanceof byte[] channel)) {
            return;
        }
        byte[] kind = (byte[]) parts.get(0);
        String name = names.get(new String(channel, StandardCharsets.UTF_8));
        switch (new String(kind, StandardCharsets.US_ASCII)) {
            case "subscribe", "ssubscribe" -> {
                resubscription.succeeded();
                onConnection(open -> open.answered(kind, channel));
                if (name != null) {
                    listener.listening(name);
                }
            }
            case "unsubscribe", "sunsubscribe" -> {
                if (onConnection(open -> open.answered(kind, channel)).equals(Optional.of(false))) {
                    leave(new String(channel, StandardCharsets.UTF_8), null);
                }
            }
            case "message", "smessage" -> {
                if (name != null) {
                    listener.released(name);
                }
            }
            default -> {
                // Nothing else is requested.
            }
        }
    }

    private void recover(Throwable failure) {
        if (resubscription.firstOfARow()) {
            names.values().forEach(listener::interrupted);
            Resubscription.warn(place.consequence(), failure);
        }
        place.changed(null);
        resubscription.pauseAfterFailure();
    }

    /** Begins to close. Does not wait. */
    void stop() {
        closed = true;
        cutOff();
        // Ends a pause, and the wait for a connection of a given pool, which may have no limit.
        reader.interrupt();
    }

    /** Whether its thread has ended. */
    boolean isOver() {
        return !reader.isAlive();
    }

    @Override
    public void close() {
        stop();
        try {
            TimeUnit.NANOSECONDS.timedJoin(reader, CLOSED_WITHIN.toNanos());
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }
}
