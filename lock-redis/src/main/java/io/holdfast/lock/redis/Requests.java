package io.holdfast.lock.redis;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.Queue;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisException;

/**
 * The subscribe and unsubscribe requests on one connection. Guarded by the monitor of {@link ReleaseMessages}, except {@link #cutOff}.
 *
 * <p>Caps unacknowledged requests at 8 KB, and queues the rest, so that a write never blocks: socket writes have no time-out, and a
 * blocked one would stall every waiter.
 */
final class Requests {

    /** In bytes: a fraction of the smallest common send buffer. */
    static final int MOST_UNANSWERED = 8 * 1024;

    /** The bytes of a command around the name of its channel, at most. */
    private static final int FRAME = 64;

    private static final Logger LOG = System.getLogger(Requests.class.getPackageName());

    private final Connection connection;
    private final Queue<Request> later = new ArrayDeque<>();
    private int unanswered;

    Requests(Connection connection) {
        this.connection = connection;
    }

    private record Request(Command command, String channel) {}

    /** Sends a request, or queues it until enough of the earlier ones were answered. Does not wait. */
    void add(Command command, String channel) {
        later.add(new Request(command, channel));
        try {
            writeDue();
        } catch (RuntimeException | Error broken) {
            // The reader finds out as well, and subscribes to all names on the next connection. Half a request may have
            // been written.
            cutOff();
        }
    }

    /** One request was answered: sends what was queued. Throws if the connection fails. */
    void answered(byte[] channel) {
        unanswered -= size(channel);
        writeDue();
    }

    private void writeDue() {
        for (Request next = later.peek(); next != null; next = later.peek()) {
            byte[] channel = ScriptCall.bytes(next.channel());
            // Jedis would reconnect a broken connection, without its password, its database and its subscriptions.
            if (connection.isBroken() || unanswered + size(channel) > MOST_UNANSWERED) {
                return;
            }
            later.remove();
            unanswered += size(channel);
            connection.sendCommand(next.command(), channel);
            // Flushes, and reads none of the replies, which the reader does.
            connection.getMany(0);
        }
    }

    private static int size(byte[] channel) {
        return channel.length + FRAME;
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
            // The reader gives it up when it has been silent for too long.
            LOG.log(Level.DEBUG, "The connection to lock releases was not cut off", failure);
        }
    }
}
