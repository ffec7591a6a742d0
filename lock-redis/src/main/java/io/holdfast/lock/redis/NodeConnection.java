package io.holdfast.lock.redis;

import io.holdfast.lock.redis.RedisFailures.OwnReason;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisNoScriptException;

/**
 * The connection to one node of a quorum. All threads send on it, in the order of their calls, and wait for nothing; one daemon
 * thread connects and reads the replies. Thread-safe.
 *
 * <p>A node that is down or silent costs its callers no time. While no connection can be had, each request fails at once; so does
 * one that {@linkplain NodeRequest#isTakingBack does not take something back} while an earlier request has been without an answer
 * for the time-out. A connection that breaks is replaced at once, and what was sent on it is sent again. What the node may have
 * granted to requests that were given up is taken back on the next connection.
 */
final class NodeConnection implements AutoCloseable {

    private static final Logger LOG = System.getLogger("io.holdfast.lock");

    /** A connection without a reply for so long may be dead: the next request gets a new one. */
    private static final Duration QUIET_LIMIT = Duration.ofSeconds(30);

    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(50);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);
    private static final Duration CLOSED_WITHIN = Duration.ofSeconds(10);

    private final Supplier<Connection> connecting;
    private final NodeIdentity identity;
    private final RedisFailures failures;
    private final NodeQueue queue;
    private final Thread reader;
    private final CountDownLatch contacted = new CountDownLatch(1);
    private volatile boolean started;
    private volatile boolean closed;

    /** Whether the latest try to connect has failed. The reader's own. */
    private boolean out;

    /** Before the next connection, if this one fails. The reader's own. */
    private long pauseNanos = SHORTEST_PAUSE.toNanos();

    /**
     * Makes the thread, which connects when {@link #start} was called.
     *
     * @param connecting opens a connection
     * @param identity asks the node on a new connection whether it may take part
     * @param timeout after which an unanswered request means that the node is silent
     */
    NodeConnection(Supplier<Connection> connecting, NodeIdentity identity, RedisFailures failures, Duration timeout) {
        this.connecting = connecting;
        this.identity = identity;
        this.failures = failures;
        this.queue = new NodeQueue(identity, timeout);
        this.reader = new Thread(this::run, "holdfast-redlock-replies");
        reader.setDaemon(true);
        reader.start();
    }

    /** Makes the thread connect. */
    void start() {
        if (!started) {
            started = true;
            LockSupport.unpark(reader);
        }
    }

    /** Waits until the node was reached or not. */
    void awaitFirstContact(Duration limit) {
        try {
            boolean unused = contacted.await(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException stop) {
            // The requests that follow wait for their answers anyway.
            Thread.currentThread().interrupt();
        }
    }

    /** Sends requests when the connection takes them, or fails them at once. */
    void send(List<NodeRequest> requests) {
        boolean accepted = false;
        for (NodeRequest request : requests) {
            Throwable refusal = closed ? closing() : queue.add(request);
            accepted |= refusal == null;
            if (refusal != null) {
                fail(List.of(request), refusal);
            }
        }
        if (accepted) {
            // Not after a refusal: it would end the pause before the next try to connect.
            LockSupport.unpark(reader);
        }
    }

    /** Why the node counts as silent; null if it does not. */
    @Nullable
    OwnReason whySilent() {
        return queue.whySilent();
    }

    private void run() {
        while (awaitRequests()) {
            Connection connection = connected();
            if (connection != null) {
                serve(connection);
            }
        }
        OwnReason end = closing();
        fail(queue.fail(end), end);
    }

    /** A node that is down is tried again without requests, as they would find it down. */
    private boolean awaitRequests() {
        while (!closed && (!started || (contacted.getCount() == 0 && !queue.isDown() && !queue.hasUnsent()))) {
            LockSupport.park(this);
            Resubscription.forgetInterrupt();
        }
        return !closed;
    }

    private @Nullable Connection connected() {
        Connection connection = null;
        try {
            connection = connecting.get();
            identity.check(connection);
            connection.setSoTimeout((int) QUIET_LIMIT.toMillis());
            Optional<OwnReason> keptOut = identity.keptOut();
            List<NodeRequest> refused = queue.begin(connection, keptOut);
            keptOut.ifPresent(why -> fail(refused, why));
            contacted.countDown();
            tell(null);
            pauseNanos = SHORTEST_PAUSE.toNanos();
            return connection;
        } catch (RuntimeException | Error failure) {
            // Also what is unexpected: nothing restarts this thread.
            if (connection != null) {
                giveBack(connection);
            }
            fail(queue.fail(failure), failure);
            contacted.countDown();
            tell(failure);
            // Jittered, so that the clients of a restarted node do not all come back at the same moment.
            LockSupport.parkNanos(this, ThreadLocalRandom.current().nextLong(pauseNanos / 2, pauseNanos));
            Resubscription.forgetInterrupt();
            pauseNanos = Math.min(2 * pauseNanos, LONGEST_PAUSE.toNanos());
            return null;
        }
    }

    /**
     * Warns of the begin and the end of each outage: a quorum works on without a minority, and nobody would see that it is gone.
     */
    private void tell(@Nullable Throwable failure) {
        boolean isOut = failure != null && !closed;
        if (isOut != out) {
            out = isOut;
            try {
                LOG.log(
                        Level.WARNING,
                        failure == null
                                ? "Redlock: the server " + identity.address() + " is back"
                                : "Redlock: no connection to the server "
                                        + failures.ofNode(failure).getMessage());
            } catch (RuntimeException | Error broken) {
                // A handler of the application's log must not end this thread, which nothing restarts.
                return;
            }
        }
    }

    private void serve(Connection connection) {
        try {
            while (!closed) {
                read(connection);
            }
        } catch (RuntimeException | Error broken) {
            // What was sent is sent again on the next connection, which is tried at once.
        } finally {
            List<NodeRequest> givenUp = queue.end();
            giveBack(connection);
            fail(givenUp, new OwnReason("the connection was lost"));
        }
    }

    /** Replies may still be on their way on it, so a pool must not lend it again. */
    private static void giveBack(Connection connection) {
        Requests.cutOff(connection);
        try {
            connection.close();
        } catch (JedisException ignored) {
            // The pool was closed.
        }
    }

    private void read(Connection connection) {
        Object reply;
        try {
            reply = connection.getUnflushedObject();
        } catch (JedisDataException refused) {
            reply = refused;
        }
        NodeRequest answered = queue.answered(connection, reply);
        if (reply instanceof JedisNoScriptException) {
            return;
        }
        failures.understood();
        if (reply instanceof JedisDataException refused) {
            answered.fail(failures.ofNode(refused));
        } else {
            pass(reply, answered);
        }
    }

    private void pass(@Nullable Object reply, NodeRequest answered) {
        Optional<Instant> time = LockScripts.time(reply);
        time.ifPresent(told -> identity.heedTime(told, answered));
        Optional<OwnReason> keptOut = time.isPresent() && answered.isGranting() ? identity.keptOut() : Optional.empty();
        if (keptOut.isPresent()) {
            // Another claim may be in force whose lease the node has ended too early.
            answered.takingBack().ifPresent(taking -> send(List.of(taking)));
            fail(List.of(answered), keptOut.get());
            return;
        }
        try {
            answered.receiver().answered(reply, answered.isRepeated());
        } catch (RuntimeException unreadable) {
            // Of a record that another program changed. The thread goes on: other callers wait for their replies.
            fail(List.of(answered), unreadable);
        }
    }

    private void fail(List<NodeRequest> requests, Throwable why) {
        requests.forEach(each -> each.fail(failures.ofNode(why)));
    }

    private static OwnReason closing() {
        return new OwnReason("the provider is closed");
    }

    /** Begins to close: refuses requests, and ends those that wait for an answer. */
    void cutOff() {
        closed = true;
        queue.cutOff();
        // Ends a pause, and the wait for a connection of a given pool, which may have no limit.
        reader.interrupt();
    }

    @Override
    public void close() {
        cutOff();
        try {
            TimeUnit.NANOSECONDS.timedJoin(reader, CLOSED_WITHIN.toNanos());
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }
}
