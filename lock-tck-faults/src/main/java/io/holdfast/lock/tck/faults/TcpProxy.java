package io.holdfast.lock.tck.faults;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A TCP proxy in this JVM that stands between a client and a server and makes the network fail on demand. Thread-safe.
 */
public final class TcpProxy implements Lifeline {

    /** The two directions of a connection. */
    public enum Direction {
        /** From the client to the server. */
        REQUESTS,
        /** From the server to the client. */
        REPLIES
    }

    private final ProxyListener.Target target;
    private final int port;
    private final Set<ProxyLink> links = ConcurrentHashMap.newKeySet();
    private final Map<Direction, ProxyFlow> flows = new EnumMap<>(Direction.class);
    private final AtomicLong accepted = new AtomicLong();
    private final AtomicLong roundTrips = new AtomicLong();
    private final AtomicLong answers = new AtomicLong();
    private final AtomicBoolean dropNextReply = new AtomicBoolean();
    private final AtomicBoolean stallsNext = new AtomicBoolean();
    private volatile Predicate<String> losesReplyTo = request -> false;
    private volatile UnaryOperator<byte[]> changeOfReplies = UnaryOperator.identity();
    private @Nullable ProxyListener listener;
    /** Keeps the port while nobody listens on it. */
    private @Nullable Socket kept;

    private boolean closed;

    private TcpProxy(String host, int port, Duration patience) {
        this.target = new ProxyListener.Target(new InetSocketAddress(host, port), patience);
        for (Direction direction : Direction.values()) {
            flows.put(direction, new ProxyFlow());
        }
        this.port = listen(0);
    }

    /**
     * Starts a proxy on a free port of this machine.
     *
     * @param host the target's host
     * @param port the target's port
     * @return the proxy
     */
    public static TcpProxy to(String host, int port) {
        return new TcpProxy(host, port, Duration.ZERO);
    }

    /**
     * As {@link #to}, for a target that may not listen yet when it is connected to: the connection is reset only if the target
     * does not listen for so long.
     *
     * @param host the target's host
     * @param port the target's port
     * @param patience for how long
     * @return the proxy
     */
    public static TcpProxy waitingFor(String host, int port, Duration patience) {
        return new TcpProxy(host, port, patience);
    }

    /**
     * The port that the proxy listens on.
     *
     * @return the port
     */
    public int port() {
        return port;
    }

    /**
     * Lets everything through again at once, for open and new connections.
     *
     * @param direction which way
     */
    public void pass(Direction direction) {
        flow(direction).pass();
    }

    /**
     * Accepts everything and passes on nothing: a black hole, in which connections stay open.
     *
     * @param direction which way
     */
    public void swallow(Direction direction) {
        flow(direction).swallow();
    }

    /** Swallows all requests. */
    @Override
    public void cut() {
        swallow(Direction.REQUESTS);
    }

    /** Lets requests through again. */
    @Override
    public void restore() {
        pass(Direction.REQUESTS);
    }

    /**
     * Delays all data that arrives.
     *
     * @param direction which way
     * @param time how long
     */
    public void delay(Direction direction, Duration time) {
        flow(direction).delay(time);
    }

    /**
     * Holds all data that arrives until {@link #pass}.
     *
     * @param direction which way
     */
    public void hold(Direction direction) {
        flow(direction).hold();
    }

    /** Once: forwards requests as before, but throws away the next reply and resets its connection instead. */
    public void dropNextReply() {
        dropNextReply.set(true);
    }

    /**
     * Until {@link #keepReplies}: forwards requests as before, but throws away the replies to some and resets their connections
     * instead.
     *
     * @param to tells by the bytes of a request that arrive at once, as Latin-1 text, whether its reply is lost
     */
    public void loseReplies(Predicate<String> to) {
        losesReplyTo = to;
    }

    /** Ends {@link #loseReplies}. */
    public void keepReplies() {
        losesReplyTo = request -> false;
    }

    /**
     * Lets the connection hang that carries the next request: from that on it stays open, and nothing passes until
     * {@link #unstall}.
     */
    public void stallNext() {
        stallsNext.set(true);
    }

    /** Ends {@link #stallNext}: what was held passes. */
    public void unstall() {
        stallsNext.set(false);
        links.forEach(ProxyLink::unstall);
    }

    /**
     * Changes what servers reply from now on.
     *
     * @param change of the bytes that arrive at once: usually whole replies, if few are under way
     */
    public void changeReplies(UnaryOperator<byte[]> change) {
        changeOfReplies = change;
    }

    /** Resets (RST) all open connections, on both sides. */
    @Override
    public void reset() {
        // A copy: a client that reconnects at once is not reset again.
        List.copyOf(links).forEach(ProxyLink::reset);
    }

    /** Refuses new connections; open ones stay. */
    public synchronized void refuse() {
        if (listener != null) {
            stopListening();
            kept = FreePorts.keep(port);
        }
    }

    /** Accepts new connections again, on the same port. Does nothing once it is closed: others may have the port by then. */
    public synchronized void accept() {
        if (listener == null && !closed) {
            letGo();
            listen(port);
        }
    }

    /**
     * How many connections were accepted so far.
     *
     * @return the count
     */
    public long accepted() {
        return accepted.get();
    }

    /**
     * How many connections are open.
     *
     * @return the count
     */
    public int open() {
        return links.size();
    }

    /**
     * How many bytes arrived.
     *
     * @param direction which way
     * @return the count
     */
    public long bytes(Direction direction) {
        return flow(direction).bytes();
    }

    /**
     * How often requests followed replies, or a connection's start. A pipeline that is
     * answered while it is still being sent counts more than once; a {@link #delay} of the replies prevents that.
     *
     * @return the count
     */
    public long roundTrips() {
        return roundTrips.get();
    }

    /**
     * How often replies followed requests, or a connection's start: what clients have waited for. Unlike {@link #roundTrips}, it
     * counts the greeting of a server that speaks first, but not the goodbye of a client, which has no answer.
     *
     * @return the count
     */
    public long answers() {
        return answers.get();
    }

    private synchronized void stopListening() {
        ProxyListener open = listener;
        listener = null;
        if (open != null) {
            open.close();
        }
    }

    private synchronized void letGo() {
        if (kept != null) {
            FreePorts.close(kept);
            kept = null;
        }
    }

    private synchronized int listen(int wanted) {
        ProxyListener opened = new ProxyListener(wanted, target, this::connected);
        listener = opened;
        return opened.port();
    }

    private void connected(Socket client, Socket server) throws IOException {
        accepted.incrementAndGet();
        ProxyLink link = new ProxyLink(this, client, server);
        links.add(link);
        link.start();
    }

    ProxyFlow flow(Direction direction) {
        return Objects.requireNonNull(flows.get(direction));
    }

    boolean dropsThisReply() {
        return dropNextReply.compareAndSet(true, false);
    }

    boolean losesReplyTo(String request) {
        return losesReplyTo.test(request);
    }

    boolean stallsThisLink() {
        return stallsNext.compareAndSet(true, false);
    }

    byte[] changed(Direction direction, byte[] data) {
        return direction == Direction.REPLIES ? changeOfReplies.apply(data) : data;
    }

    void countRoundTrip() {
        roundTrips.incrementAndGet();
    }

    void countAnswer() {
        answers.incrementAndGet();
    }

    void forget(ProxyLink link) {
        links.remove(link);
    }

    private synchronized void end() {
        closed = true;
        stopListening();
        letGo();
    }

    @Override
    public void close() {
        end();
        flows.values().forEach(ProxyFlow::close);
        reset();
    }
}
