package io.holdfast.lock.redis;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.Queue;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisException;

/**
 * What is asked for on one connection that hears of releases. Guarded by the lock of {@link ReleaseMessages}, {@link #cutOff}
 * excepted.
 *
 * <p>Only so much is written without an answer as the send buffer of any socket takes; the rest follows with the answers, in
 * its order. Else a server, or a network, that stands still would make a write wait, which no time-out of a socket ends, and
 * with it everybody who comes for the lock.
 */
final class Requests {

    /** So many bytes may be unanswered: a fraction of the smallest send buffer that is common. */
    static final int MOST_UNANSWERED = 8 * 1024;

    /** What a command has around the name of a channel, at most. */
    private static final int FRAME = 64;

    private static final Logger LOG = System.getLogger(Requests.class.getPackageName());

    private final Connection connection;
    private final Queue<Request> later = new ArrayDeque<>();
    private int unanswered;

    Requests(Connection connection) {
        this.connection = connection;
    }

    private record Request(Command command, String channel) {}

    /** Asks, as soon as enough of what was asked before has been answered. Does not wait. */
    void add(Command command, String channel) {
        try {
            later.add(new Request(command, channel));
            writeDue();
        } catch (JedisException broken) {
            // The thread finds it out by reading, and subscribes to everything again on the next connection.
            cutOff();
        } catch (RuntimeException | Error surprise) {
            // Perhaps half a request was written, or none, and the channel counts as asked for: no answer would come.
            cutOff();
            throw surprise;
        }
    }

    /** Asks for a sign of life. Does not wait. */
    void ping() {
        try {
            connection.sendCommand(Command.PING);
            connection.getMany(0);
        } catch (JedisException broken) {
            cutOff();
        }
    }

    /** One request was answered: what waited for that is asked for now. Called by who reads, and has to cope with failures. */
    void answered(byte[] channel) {
        unanswered -= size(channel);
        writeDue();
    }

    private void writeDue() {
        for (Request next = later.peek(); next != null; next = later.peek()) {
            byte[] channel = ScriptCall.bytes(next.channel());
            // Jedis would open a broken connection anew, without its password, its database and what it was subscribed
            // to.
            if (connection.isBroken() || unanswered + size(channel) > MOST_UNANSWERED) {
                return;
            }
            later.remove();
            unanswered += size(channel);
            connection.sendCommand(next.command(), channel);
            // Flushes, and reads none of the replies: these are the thread's.
            connection.getMany(0);
        }
    }

    private static int size(byte[] channel) {
        return channel.length + FRAME;
    }

    /** Ends the connection at once, whoever uses it. Thread-safe. */
    void cutOff() {
        // First: a writer that found the socket closed and the connection not marked would make Jedis connect anew.
        connection.setBroken();
        try {
            connection.disconnect();
        } catch (JedisException failure) {
            // Whoever wants it gone goes on without: its reader gives it up when it has been silent for too long.
            LOG.log(Level.DEBUG, "The connection to lock releases was not cut off", failure);
        }
    }
}
