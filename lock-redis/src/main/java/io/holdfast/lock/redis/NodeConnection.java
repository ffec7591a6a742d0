package io.holdfast.lock.redis;

import io.holdfast.lock.redis.RedisFailures.OwnReason;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisNoScriptException;

/**
 * The connection to one node of a quorum. All threads send on it, in the order of their calls, and wait for nothing; one daemon thread
 * connects and reads the replies. Thread-safe.
 *
 * <p>A node that is down or silent costs its callers no time. While no connection can be had, each request fails at once; so does one that
 * {@linkplain NodeRequest#isTakingBack does not take something back} while an earlier request has been without an answer for the time-out. A connection that breaks
 * is replaced at once, and what was sent on it is sent again. What the node may have granted to requests that were given up is taken back
 * on the next connection.
 */
final class NodeConnection implements AutoCloseable {

    /** A connection without a reply for so long may be dead: the next request gets a new one. */
    private static final Duration IDLE = Duration.ofSeconds(30);

    /** A connection whose node is silent for so long while requests are unanswered is replaced. */
    private static final Duration SILENCE = Duration.ofSeconds(1);

    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(50);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);
    private static final Duration CLOSED_WITHIN = Duration.ofSeconds(10);

    /** In bytes: a fraction of the smallest common send buffer, as a write that blocks would stall all callers. */
    private static final int MOST_UNANSWERED = 8 * 1024;

    /** The bytes of a word of a command around the word, at most. */
    private static final int FRAME = 16;

    private final Supplier<Connection> connecting;
    private final NodeIdentity identity;
    private final RedisFailures failures;
    private final Duration timeout;
    private final Thread reader;
    private final CountDownLatch contacted = new CountDownLatch(1);
    private volatile boolean started;
    private volatile boolean closed;

    /** Before the next connection, if this one fails. The reader's own. */
    private long pauseNanos = SHORTEST_PAUSE.toNanos();

    // All below is guarded by the monitor.
    private final Deque<NodeRequest> unsent = new ArrayDeque<>();
    private final Deque<NodeRequest> unanswered = new ArrayDeque<>();
    private final Set<Script> known = new HashSet<>();
    private int unansweredBytes;
    private @Nullable Connection open;
    /** Why the latest connection could not be had. */
    private @Nullable Throwable down;

    /**
     * Starts the thread, which connects when there is the first request.
     *
     * @param connecting opens a connection
     * @param identity asks the node on a new connection whether it may take part
     * @param timeout after which an unanswered request means that the node is silent
     */
    NodeConnection(Supplier<Connection> connecting, NodeIdentity identity, RedisFailures failures, Duration timeout) {
        this.connecting = connecting;
        this.identity = identity;
        this.failures = failures;
        this.timeout = timeout;
        this.reader = new Thread(this::run, "holdfast-redlock-node");
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
        List<NodeRequest> refused = new ArrayList<>();
        Throwable why = null;
        synchronized (this) {
            for (NodeRequest request : requests) {
                Throwable refusal = refusal(request);
                if (refusal == null) {
                    unsent.add(request);
                } else {
                    why = refusal;
                    refused.add(request);
                }
            }
            if (open == null) {
                LockSupport.unpark(reader);
            } else if (isSilentFor(SILENCE) && isSilentFor(timeout)) {
                cutOff(open);
            } else {
                sendDue(open);
            }
        }
        if (why != null) {
            fail(refused, why);
        }
    }

    /** Why a request cannot be sent now; null if it can. */
    private @Nullable Throwable refusal(NodeRequest request) {
        if (closed) {
            return new OwnReason("the provider is closed");
        }
        if (down != null) {
            return down;
        }
        if (!request.isTakingBack()) {
            OwnReason silence = silence();
            if (silence != null) {
                return silence;
            }
        }
        return request.isGranting() ? identity.keptOut().orElse(null) : null;
    }

    /** Why the node counts as silent; null if it does not. */
    synchronized @Nullable OwnReason silence() {
        return isSilentFor(timeout)
                ? new OwnReason("a request has had no answer for " + timeout.toMillis() + " ms")
                : null;
    }

    private boolean isSilentFor(Duration time) {
        NodeRequest first = unanswered.peek();
        return first != null && first.nanosSinceSent() > time.toNanos();
    }

    private void sendDue(Connection connection) {
        try {
            while (!unsent.isEmpty() && !connection.isBroken() && sendNext(connection)) {
                unanswered.add(unsent.remove());
            }
            // Flushes, and reads none of the replies, which the reader does.
            connection.getMany(0);
        } catch (JedisException broken) {
            // The reader finds out as well. Half a request may have been written.
            cutOff(connection);
        }
    }

    private boolean sendNext(Connection connection) {
        NodeRequest next = unsent.element();
        Script script = next.call().script();
        byte[][] words =
                known.contains(script) ? next.call().byDigest() : next.call().bySource();
        int bytes = FRAME * words.length;
        for (byte[] word : words) {
            bytes += word.length;
        }
        if (unansweredBytes > 0 && unansweredBytes + bytes > MOST_UNANSWERED) {
            return false;
        }
        next.sent(bytes);
        unansweredBytes += bytes;
        connection.sendCommand(known.add(script) ? Command.EVAL : Command.EVALSHA, words);
        return true;
    }

    /** Closes the socket at once, also while another thread uses it. Thread-safe. */
    private static void cutOff(Connection connection) {
        // First: a writer that finds the socket closed and the connection not marked would make Jedis reconnect.
        connection.setBroken();
        try {
            connection.disconnect();
        } catch (JedisException ignored) {
            // It was closed already.
        }
    }

    private void run() {
        while (awaitRequests()) {
            Connection connection = connected();
            if (connection != null) {
                serve(connection);
            }
        }
        end(new OwnReason("the provider is closed"));
    }

    private boolean awaitRequests() {
        while (!closed && isUnused()) {
            LockSupport.park(this);
            forgetInterrupt();
        }
        return !closed;
    }

    /** A node that is down is tried again without requests: they would find it down. */
    private synchronized boolean isUnused() {
        return !started || (unsent.isEmpty() && down == null && contacted.getCount() == 0);
    }

    /** An interrupt would end every later wait at once. The only one that is meant comes with {@link #closed}. */
    private static void forgetInterrupt() {
        boolean unused = Thread.interrupted();
    }

    private @Nullable Connection connected() {
        Connection connection = null;
        try {
            connection = connecting.get();
            identity.check(connection);
            connection.setSoTimeout((int) IDLE.toMillis());
            begin(connection);
            pauseNanos = SHORTEST_PAUSE.toNanos();
            return connection;
        } catch (RuntimeException | Error failure) {
            // Also what is unexpected: nothing restarts this thread.
            if (connection != null) {
                giveBack(connection);
            }
            end(failure);
            // Jittered, so that the clients of a restarted node do not all come back at the same moment.
            LockSupport.parkNanos(this, ThreadLocalRandom.current().nextLong(pauseNanos / 2, pauseNanos));
            forgetInterrupt();
            pauseNanos = Math.min(2 * pauseNanos, LONGEST_PAUSE.toNanos());
            return null;
        }
    }

    private void begin(Connection connection) {
        List<NodeRequest> refused = new ArrayList<>();
        Optional<OwnReason> keptOut = identity.keptOut();
        synchronized (this) {
            down = null;
            open = connection;
            known.clear();
            if (closed) {
                cutOff(connection);
            }
            if (keptOut.isPresent()) {
                unsent.stream().filter(NodeRequest::isGranting).forEach(refused::add);
                unsent.removeAll(refused);
            }
            sendDue(connection);
        }
        keptOut.ifPresent(reason -> fail(refused, reason));
        contacted.countDown();
    }

    private void serve(Connection connection) {
        try {
            while (!closed) {
                read(connection);
            }
        } catch (RuntimeException | Error broken) {
            // What was sent is sent again on the next connection, which is tried at once.
        } finally {
            synchronized (this) {
                open = null;
            }
            giveBack(connection);
            repeatUnanswered();
        }
    }

    /** Replies may still be on their way on it, so a pool must not lend it again. */
    private static void giveBack(Connection connection) {
        cutOff(connection);
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
        NodeRequest answered = taken(connection, reply);
        if (reply instanceof JedisNoScriptException) {
            return;
        }
        failures.understood();
        if (reply instanceof JedisDataException refused) {
            answered.fail(failures.ofNode(refused));
        } else {
            answered.receiver().answered(reply, answered.isRepeated());
        }
    }

    private synchronized NodeRequest taken(Connection connection, @Nullable Object reply) {
        NodeRequest answered = unanswered.remove();
        unansweredBytes -= answered.bytes();
        if (reply instanceof JedisNoScriptException) {
            known.remove(answered.call().script());
            unsent.add(answered);
        }
        sendDue(connection);
        return answered;
    }

    /** Sends each unanswered request once more; one that was sent twice, or whose caller has gone, is given up. */
    private void repeatUnanswered() {
        List<NodeRequest> givenUp = new ArrayList<>();
        synchronized (this) {
            unansweredBytes = 0;
            while (!unanswered.isEmpty()) {
                NodeRequest last = unanswered.removeLast();
                if (last.isRepeated() || last.nanosSinceSent() > timeout.toNanos()) {
                    last.undoing().ifPresent(unsent::addFirst);
                    givenUp.add(last);
                } else {
                    last.again();
                    unsent.addFirst(last);
                }
            }
        }
        fail(givenUp, new OwnReason("the connection was lost"));
    }

    /** The connection cannot be had: fails all requests. Those that take back what was sent stay for the next connection. */
    private void end(Throwable why) {
        List<NodeRequest> failed = new ArrayList<>();
        synchronized (this) {
            down = why;
            List<NodeRequest> kept = new ArrayList<>();
            for (NodeRequest each : unsent) {
                if (each.isRepeated()) {
                    each.undoing().ifPresent(kept::add);
                }
                if (each.isNobodys()) {
                    kept.add(each);
                } else {
                    failed.add(each);
                }
            }
            unsent.clear();
            unsent.addAll(kept);
        }
        fail(failed, why);
        contacted.countDown();
    }

    private void fail(List<NodeRequest> requests, Throwable why) {
        requests.forEach(each -> each.fail(failures.ofNode(why)));
    }

    /** Begins to close: refuses requests, and ends those that wait for an answer. */
    synchronized void cutOff() {
        closed = true;
        if (open != null) {
            cutOff(open);
        }
    }

    @Override
    public void close() {
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
