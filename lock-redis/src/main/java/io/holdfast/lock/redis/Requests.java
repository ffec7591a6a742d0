package io.holdfast.lock.redis;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Locale;
import java.util.Optional;
import java.util.Queue;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisException;

/**
 * The subscribe and unsubscribe requests on one connection. Guarded by the monitor of {@link Subscriptions}, except
 * {@link #cutOff}.
 *
 * <p>Caps unacknowledged requests at 8 KB, and queues the rest, so that a write never blocks: socket writes have no time-out, and
 * a blocked one would stall every waiter.
 */
final class Requests {

    /** In bytes: a fraction of the smallest common send buffer. */
    static final int MOST_UNANSWERED = 8 * 1024;

    /** The bytes of a command around the name of its channel, at most. */
    private static final int FRAME = 64;

    private static final Logger LOG = System.getLogger(Requests.class.getPackageName());

    private final Connection connection;
    private final Kind kind;
    private final Queue<Request> later = new ArrayDeque<>();
    /** In the order in which they were sent, which is that of their answers. */
    private final Queue<Request> unanswered = new ArrayDeque<>();

    private int bytesUnanswered;

    Requests(Connection connection, Kind kind) {
        this.connection = connection;
        this.kind = kind;
    }

    /** The two kinds of subscriptions. */
    enum Kind {
        CLASSIC(Command.SUBSCRIBE, Command.UNSUBSCRIBE),
        /** In a cluster since Redis 7.0: a message stays in the shard of its channel. */
        SHARDED(Command.SSUBSCRIBE, Command.SUNSUBSCRIBE);

        private final Command subscribe;
        private final Command unsubscribe;

        Kind(Command subscribe, Command unsubscribe) {
            this.subscribe = subscribe;
            this.unsubscribe = unsubscribe;
        }
    }

    private record Request(Command command, String channel) {
        private int size() {
            return ScriptCall.bytes(channel).length + FRAME;
        }
    }

    Kind kind() {
        return kind;
    }

    /** Sends a request, or queues it until enough of the earlier ones were answered. Does not wait. */
    void subscribe(String channel) {
        add(new Request(kind.subscribe, channel));
    }

    /** As {@link #subscribe}. */
    void unsubscribe(String channel) {
        add(new Request(kind.unsubscribe, channel));
    }

    private void add(Request request) {
        later.add(request);
        try {
            writeDue();
        } catch (RuntimeException | Error broken) {
            // Half a request may have been written. The reader finds out and subscribes again, on the next connection.
            cutOff();
        }
    }

    /**
     * The server says that a channel is subscribed to, or no more. Sends what was queued; throws if the connection fails.
     *
     * @return whether that answers a request; if not, the server ended the subscription by itself
     */
    boolean answered(byte[] command, byte[] channel) {
        Request oldest = unanswered.peek();
        boolean asked = oldest != null
                && oldest.command().name().equals(text(command).toUpperCase(Locale.ROOT))
                && oldest.channel().equals(text(channel));
        if (asked) {
            takeAnswered();
        }
        return asked;
    }

    /** The server refused a request. Sends what was queued; throws if the connection fails. Returns the channel. */
    Optional<String> refused() {
        return unanswered.isEmpty()
                ? Optional.empty()
                : Optional.of(takeAnswered().channel());
    }

    private Request takeAnswered() {
        Request oldest = unanswered.remove();
        bytesUnanswered -= oldest.size();
        writeDue();
        return oldest;
    }

    private void writeDue() {
        for (Request next = later.peek(); next != null; next = later.peek()) {
            // Jedis would reconnect a broken connection, without its password, its database and its subscriptions.
            if (connection.isBroken() || bytesUnanswered + next.size() > MOST_UNANSWERED) {
                return;
            }
            unanswered.add(later.remove());
            bytesUnanswered += next.size();
            connection.sendCommand(next.command(), ScriptCall.bytes(next.channel()));
            // Flushes, and reads none of the replies, which the reader does.
            connection.getMany(0);
        }
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** Closes the socket at once, also while another thread uses it. Thread-safe. */
    void cutOff() {
        cutOff(connection);
    }

    /** As {@link #cutOff()}. */
    static void cutOff(Connection connection) {
        // First: a writer that finds the socket closed and the connection not marked would make Jedis reconnect.
        connection.setBroken();
        try {
            connection.disconnect();
        } catch (JedisException failure) {
            // The reader gives it up when it has said nothing for too long.
            LOG.log(Level.DEBUG, "A connection was not closed", failure);
        }
    }
}
