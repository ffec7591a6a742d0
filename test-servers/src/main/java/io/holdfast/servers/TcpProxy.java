package io.holdfast.servers;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A TCP proxy in this JVM that stands between a client and a server and makes the network fail on demand. Thread-safe.
 */
public final class TcpProxy implements AutoCloseable {

    /** The two directions of a connection. */
    public enum Direction {
        /** From the client to the server. */
        REQUESTS,
        /** From the server to the client. */
        REPLIES
    }

    private static final int BUFFER = 64 * 1024;
    private static final int CONNECT_MILLIS = 2_000;
    private static final int POLL_MILLIS = 5;

    private final InetSocketAddress target;
    private final Duration patience;
    private final int port;
    private final Set<Link> links = ConcurrentHashMap.newKeySet();
    private final Map<Direction, Traffic> traffic = new EnumMap<>(Direction.class);
    private final AtomicLong accepted = new AtomicLong();
    private final AtomicLong roundTrips = new AtomicLong();
    private final AtomicBoolean dropNextReply = new AtomicBoolean();
    private final CountDownLatch closed = new CountDownLatch(1);
    private @Nullable Listener listener;

    /** The socket that takes new connections, and the thread that waits at it. */
    private record Listener(ServerSocket socket, Thread thread) {

        void close() {
            closeNow(socket);
            try {
                // The kernel goes on accepting until the thread has left the socket.
                thread.join();
            } catch (InterruptedException stop) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** What happens to one direction, and what has gone through it. */
    private static final class Traffic {
        private volatile boolean swallowed;
        private volatile long delayMillis;
        private final AtomicLong bytes = new AtomicLong();
    }

    private TcpProxy(String host, int port, Duration patience) {
        this.target = new InetSocketAddress(host, port);
        this.patience = patience;
        for (Direction direction : Direction.values()) {
            traffic.put(direction, new Traffic());
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
     */
    static TcpProxy waitingFor(String host, int port, Duration patience) {
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
        of(direction).swallowed = false;
        of(direction).delayMillis = 0;
    }

    /**
     * Takes everything and passes on nothing: a black hole, in which connections stay open.
     *
     * @param direction which way
     */
    public void swallow(Direction direction) {
        of(direction).swallowed = true;
    }

    /**
     * Holds up whatever arrives.
     *
     * @param direction which way
     * @param time how long
     */
    public void delay(Direction direction, Duration time) {
        of(direction).delayMillis = time.toMillis();
    }

    /** Once: forwards requests as before, but throws away the next reply and resets its connection instead. */
    public void dropNextReply() {
        dropNextReply.set(true);
    }

    /** Resets (RST) all open connections, on both sides. */
    public void reset() {
        links.forEach(Link::reset);
    }

    /** Refuses new connections; open ones stay. */
    public synchronized void refuse() {
        Listener open = listener;
        listener = null;
        if (open != null) {
            open.close();
        }
    }

    /** Accepts new connections again, on the same port. */
    public synchronized void accept() {
        if (listener == null) {
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
        return of(direction).bytes.get();
    }

    /**
     * How often requests followed replies, or a connection's start: the turns of the conversation. A pipeline that is
     * answered while it is still being sent counts more than once; a {@link #delay} of the replies prevents that.
     *
     * @return the count
     */
    public long roundTrips() {
        return roundTrips.get();
    }

    private Traffic of(Direction direction) {
        return Objects.requireNonNull(traffic.get(direction));
    }

    private synchronized int listen(int wanted) {
        try {
            ServerSocket socket = new ServerSocket();
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), wanted));
            listener = new Listener(socket, daemon("proxy-accept", () -> acceptLoop(socket)));
            return socket.getLocalPort();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private void acceptLoop(ServerSocket socket) {
        while (!socket.isClosed()) {
            Socket client = null;
            try {
                client = socket.accept();
                Socket server = connect();
                accepted.incrementAndGet();
                new Link(client, server).start();
            } catch (IOException | InterruptedException closedOrTargetGone) {
                if (client != null) {
                    abort(client);
                }
            }
        }
    }

    private Socket connect() throws IOException, InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        while (true) {
            Socket server = new Socket();
            try {
                server.connect(target, CONNECT_MILLIS);
                return server;
            } catch (IOException nobody) {
                server.close();
                if (System.nanoTime() - deadline >= 0 || closed.await(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
                    throw nobody;
                }
            }
        }
    }

    private static Thread daemon(String name, Runnable body) {
        Thread thread = new Thread(body, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private static void abort(Socket socket) {
        try {
            // A zero linger time makes the close a reset instead of an orderly end.
            socket.setSoLinger(true, 0);
        } catch (IOException alreadyClosed) {
            return;
        }
        closeNow(socket);
    }

    private static void closeNow(Closeable socket) {
        try {
            socket.close();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Override
    public void close() {
        closed.countDown();
        refuse();
        reset();
    }

    /** One client's connection and the one made for it to the server. */
    private final class Link {
        private final Socket client;
        private final Socket server;
        private final AtomicBoolean requesting = new AtomicBoolean();

        private Link(Socket client, Socket server) {
            this.client = client;
            this.server = server;
        }

        private void start() throws IOException {
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
            links.add(this);
            daemon("proxy-requests", () -> pump(Direction.REQUESTS, client, server));
            daemon("proxy-replies", () -> pump(Direction.REPLIES, server, client));
        }

        private void pump(Direction direction, Socket from, Socket to) {
            byte[] buffer = new byte[BUFFER];
            Traffic here = of(direction);
            try {
                InputStream in = from.getInputStream();
                for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                    here.bytes.addAndGet(n);
                    count(direction);
                    if (direction == Direction.REPLIES && dropNextReply.compareAndSet(true, false)) {
                        break;
                    }
                    if (here.delayMillis > 0 && closed.await(here.delayMillis, TimeUnit.MILLISECONDS)) {
                        break;
                    }
                    if (!here.swallowed) {
                        to.getOutputStream().write(buffer, 0, n);
                    }
                }
                endAfter(direction);
            } catch (IOException | InterruptedException broken) {
                reset();
            }
        }

        private void count(Direction direction) {
            if (direction == Direction.REPLIES) {
                requesting.set(false);
            } else if (requesting.compareAndSet(false, true)) {
                roundTrips.incrementAndGet();
            }
        }

        /** A swallowed direction hides also the other side's end: a black hole sends no FIN. */
        private void endAfter(Direction direction) {
            if (!of(direction).swallowed) {
                reset();
            }
        }

        private void reset() {
            links.remove(this);
            abort(client);
            abort(server);
        }
    }
}
