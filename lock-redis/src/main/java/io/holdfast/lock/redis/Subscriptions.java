package io.holdfast.lock.redis;

import io.holdfast.lock.redis.Requests.Kind;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;

/**
 * The names that a {@link ReleaseMessages} is subscribed to, and the requests for them on its open connection. They change
 * together, under the monitor. Thread-safe.
 */
final class Subscriptions {

    /** By their channels. Changed under the monitor. */
    private final Map<String, String> names = new ConcurrentHashMap<>();

    /** Null without an open connection. Changed under the monitor; read without it to cut off the connection. */
    private volatile @Nullable Requests requests;

    private Optional<Requests> requests() {
        return Optional.ofNullable(requests);
    }

    /** Adds a name; returns whether it is the first one. Without an open connection the next one subscribes to all names. */
    synchronized boolean add(String channel, String name) {
        boolean first = names.isEmpty();
        if (names.put(channel, name) == null) {
            requests().ifPresent(open -> open.subscribe(channel));
        }
        return first;
    }

    synchronized void remove(String channel) {
        if (names.remove(channel) != null) {
            requests().ifPresent(open -> open.unsubscribe(channel));
        }
    }

    /** Subscribes once more to a channel that the server has ended, if it is still wanted. */
    synchronized void repeat(String channel) {
        if (names.containsKey(channel)) {
            requests().ifPresent(open -> open.subscribe(channel));
        }
    }

    boolean isEmpty() {
        return names.isEmpty();
    }

    Collection<String> names() {
        return names.values();
    }

    /** The name of a channel, if it is still wanted. */
    Optional<String> name(String channel) {
        return Optional.ofNullable(names.get(channel));
    }

    /** Subscribes to all names on a connection, perhaps once more, by another kind. */
    synchronized void begin(Connection open, Kind kind) {
        Requests started = new Requests(open, kind);
        requests = started;
        names.keySet().forEach(started::subscribe);
    }

    /** Ends the connection. */
    void end(Connection open) {
        // Before the monitor: a writer that is stuck after all has it, and is freed by this.
        cutOff();
        synchronized (this) {
            requests = null;
            // It is still subscribed, so a pool must not lend it again. Under the monitor, as a writer could undo it.
            open.setBroken();
        }
    }

    /** Cuts off the open connection; its reader finds out. Does not wait. */
    void cutOff() {
        requests().ifPresent(Requests::cutOff);
    }

    /** The kind by which the open connection subscribes. */
    synchronized Kind kind() {
        return requests().orElseThrow().kind();
    }

    /** As {@link Requests#answered} of the open connection. */
    synchronized boolean answered(byte[] command, byte[] channel) {
        return requests().orElseThrow().answered(command, channel);
    }

    /** As {@link Requests#refused} of the open connection. */
    synchronized Optional<String> refused() {
        return requests().orElseThrow().refused();
    }
}
