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
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisNoScriptException;

/**
 * The requests on the connection to one node: those that wait to be sent, and those that wait for an answer, in the order in
 * which they were made. A write never waits for the node, as no more is sent without an answer than a send buffer takes.
 * Thread-safe.
 */
final class NodeQueue {

    /** In bytes, without an answer: a fraction of the smallest common send buffer. */
    private static final int MOST_UNANSWERED = 8 * 1024;

    /** The bytes of a word of a command around the word, at most. */
    private static final int FRAME = 16;

    /** A connection whose node is silent is kept at least for so long: a short time-out must not end one that is merely slow. */
    private static final Duration LEAST_KEPT = Duration.ofSeconds(1);

    private final NodeIdentity identity;
    private final Duration timeout;

    // All below is guarded by the monitor.
    private final Deque<NodeRequest> unsent = new ArrayDeque<>();
    private final Deque<NodeRequest> unanswered = new ArrayDeque<>();
    private final Set<Script> known = new HashSet<>();
    private int unansweredBytes;
    private @Nullable Connection open;
    private @Nullable Throwable down;

    NodeQueue(NodeIdentity identity, Duration timeout) {
        this.identity = identity;
        this.timeout = timeout;
    }

    /** Whether no connection could be had. */
    synchronized boolean isDown() {
        return down != null;
    }

    /** Why the node counts as silent; null if it does not. */
    synchronized @Nullable OwnReason whySilent() {
        if (isSilentFor(timeout)) {
            return new OwnReason("a request has had no answer for " + timeout.toMillis() + " ms");
        }
        // A given pool may make the reader wait for a connection without a limit.
        NodeRequest first = open == null ? unsent.peek() : null;
        return first != null && first.isWaitingFor(timeout)
                ? new OwnReason("no connection was to be had for " + timeout.toMillis() + " ms")
                : null;
    }

    /** Whether the request that was sent first has been without an answer for so long. */
    private boolean isSilentFor(Duration time) {
        NodeRequest first = unanswered.peek();
        return first != null && first.isOlderThan(time);
    }

    synchronized boolean hasUnsent() {
        return !unsent.isEmpty();
    }

    /** Adds a request, and sends what the connection takes. Returns why the request cannot be sent; null if it can. */
    synchronized @Nullable Throwable add(NodeRequest request) {
        Throwable refusal = refusal(request);
        if (refusal == null) {
            unsent.add(request);
            if (open != null) {
                sendDue(open);
            }
        }
        if (open != null && isSilentFor(LEAST_KEPT) && isSilentFor(timeout)) {
            Requests.cutOff(open);
        }
        return refusal;
    }

    private @Nullable Throwable refusal(NodeRequest request) {
        if (down != null || request.isTakingBack()) {
            return down;
        }
        OwnReason silent = whySilent();
        return silent == null && request.isGranting() ? identity.keptOut().orElse(null) : silent;
    }

    /**
     * A connection was opened.
     *
     * @param keptOut why the node must not be asked for grants; empty if it may
     * @return the requests that are refused for this reason
     */
    synchronized List<NodeRequest> begin(Connection connection, Optional<OwnReason> keptOut) {
        down = null;
        open = connection;
        known.clear();
        List<NodeRequest> refused = new ArrayList<>();
        if (keptOut.isPresent()) {
            unsent.stream().filter(NodeRequest::isGranting).forEach(refused::add);
            unsent.removeAll(refused);
        }
        sendDue(connection);
        return refused;
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
            Requests.cutOff(connection);
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

    /** The request that a reply belongs to. One whose script the node has forgotten is sent again. */
    synchronized NodeRequest answered(Connection connection, @Nullable Object reply) {
        NodeRequest answered = unanswered.remove();
        unansweredBytes -= answered.bytes();
        if (reply instanceof JedisNoScriptException) {
            known.remove(answered.call().script());
            if (answered.isGranting()) {
                answered.again();
            }
            unsent.add(answered);
        }
        sendDue(connection);
        return answered;
    }

    /**
     * The connection was lost. What was sent on it waits to be sent once more; what was sent twice, or longer ago than a caller
     * waits, is given up, and taken back on the next connection.
     *
     * @return what was given up
     */
    synchronized List<NodeRequest> end() {
        open = null;
        unansweredBytes = 0;
        List<NodeRequest> givenUp = new ArrayList<>();
        while (!unanswered.isEmpty()) {
            NodeRequest last = unanswered.removeLast();
            if (last.isRepeated() || last.isOlderThan(timeout)) {
                last.takingBack().ifPresent(unsent::addFirst);
                givenUp.add(last);
            } else {
                last.again();
                unsent.addFirst(last);
            }
        }
        return givenUp;
    }

    /**
     * No connection can be had. What takes back earlier requests stays for the next one, but its callers do not wait for that.
     *
     * @return the requests whose callers wait
     */
    synchronized List<NodeRequest> fail(Throwable why) {
        down = why;
        List<NodeRequest> failed = new ArrayList<>();
        List<NodeRequest> kept = new ArrayList<>();
        for (NodeRequest each : unsent) {
            if (each.isRepeated() || each.isTakingBack()) {
                each.takingBack().ifPresent(kept::add);
            }
            if (!each.isNobodys()) {
                failed.add(each);
            }
        }
        unsent.clear();
        unsent.addAll(kept);
        return failed;
    }

    /** Ends the open connection; the reader finds out. */
    synchronized void cutOff() {
        if (open != null) {
            Requests.cutOff(open);
        }
    }
}
