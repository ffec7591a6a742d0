package io.holdfast.lock.tck.faults;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Ports of this machine that are free at this moment. Another process may take one before the server does, so start servers
 * through {@link #start}.
 */
public final class FreePorts {

    private static final int ATTEMPTS = 5;
    private static final int LOWEST = 15_000;

    /** Linux gives ports from here on to clients, other systems start higher. */
    private static final int CLIENTS_BEGIN = 32_768;

    private static final int MOST_TAKEN = 100;

    private static final Duration START_OF_A_PROCESS = Duration.ofSeconds(10);
    private static final Duration POLL = Duration.ofMillis(1);

    /** Ports of servers of this JVM, whether they have begun to listen or are stopped for a while. */
    private static final Set<Integer> GIVEN = ConcurrentHashMap.newKeySet();

    /** A part of all ports. After so many the first ones come again, whose servers have ended by then. */
    private static final int MOST_GIVEN = 10_000;

    private FreePorts() {}

    /** What listens on ports once it is started. */
    public interface Listening extends AutoCloseable {
        @Override
        void close();
    }

    /** A server ended, probably because another process has its port. */
    public static final class PortTaken extends IllegalStateException {
        private static final long serialVersionUID = 1;

        /**
         * Reports it.
         *
         * @param message what the server said
         */
        public PortTaken(String message) {
            super(message);
        }
    }

    /**
     * Starts a server, on other ports if its ports were taken meanwhile. A server that does not start is closed.
     *
     * @param <S> the kind of server
     * @param count how many ports it needs
     * @param make makes the server for these ports, without starting it
     * @param launch starts it; throws {@link PortTaken} if other ports may help
     * @return the server
     */
    public static <S extends Listening> S start(int count, Function<List<Integer>, S> make, Consumer<S> launch) {
        for (int attempt = 1; ; attempt++) {
            S server = make.apply(several(count));
            boolean started = false;
            try {
                launch.accept(server);
                started = true;
                return server;
            } catch (PortTaken taken) {
                if (attempt == ATTEMPTS) {
                    throw taken;
                }
            } finally {
                if (!started) {
                    server.close();
                }
            }
        }
    }

    /**
     * A port that is free at this moment.
     *
     * @return the port
     */
    public static int one() {
        return several(1).get(0);
    }

    /** Opens all at once, so that no port comes twice, and gives none of them again: a server listens only some time later. */
    private static List<Integer> several(int count) {
        List<ServerSocket> sockets = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            sockets.add(listen());
        }
        List<Integer> ports = sockets.stream().map(ServerSocket::getLocalPort).toList();
        if (GIVEN.size() > MOST_GIVEN) {
            GIVEN.clear();
        }
        GIVEN.addAll(ports);
        sockets.forEach(FreePorts::close);
        // A child process may have a copy of a socket, which would accept connections before the server listens. If
        // another process has taken a port, all are chosen again.
        return ports.stream().allMatch(FreePorts::fallsSilent) ? ports : several(count);
    }

    /**
     * Listens on a free port that the system gives to no client. In the clients' range a connection may take the
     * port of a server that is stopped for a while.
     */
    static ServerSocket listen() {
        for (int attempt = 1; ; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(LOWEST, CLIENTS_BEGIN);
            if (GIVEN.contains(port)) {
                continue;
            }
            try {
                close(bound(port, false));
                return listen(port);
            } catch (UncheckedIOException taken) {
                if (attempt == MOST_TAKEN) {
                    throw taken;
                }
            }
        }
    }

    static ServerSocket listen(int port) {
        try {
            ServerSocket socket = new ServerSocket();
            try {
                socket.setReuseAddress(true);
                socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
                return socket;
            } catch (IOException taken) {
                socket.close();
                throw taken;
            }
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot listen on port " + port, failure);
        }
    }

    /**
     * Waits until nobody listens on a port any more, and keeps it: connections to it are refused, and nobody who looks for a free
     * port is given it, in other JVMs neither, until the socket is closed.
     *
     * <p>Closing the socket that listened is not enough: a child process that this JVM starts at the same time has a copy of it
     * for some milliseconds, until it closes what it has inherited, and the kernel goes on accepting.
     */
    static Socket keep(int port) {
        return silent(port)
                .orElseThrow(() -> new IllegalStateException(
                        "somebody still listens on port " + port + " after " + START_OF_A_PROCESS));
    }

    private static boolean fallsSilent(int port) {
        Optional<Socket> silent = silent(port);
        silent.ifPresent(FreePorts::close);
        return silent.isPresent();
    }

    /** Empty if somebody still listens on the port after the time that a child process may need. */
    private static Optional<Socket> silent(int port) {
        long begun = System.nanoTime();
        while (true) {
            try {
                // As the port of connections that are still open, which also have the option.
                return Optional.of(bound(port, true));
            } catch (UncheckedIOException listenedOn) {
                if (!(listenedOn.getCause() instanceof BindException)) {
                    throw listenedOn;
                }
                if (System.nanoTime() - begun > START_OF_A_PROCESS.toNanos()) {
                    return Optional.empty();
                }
                LockSupport.parkNanos(POLL.toNanos());
            }
        }
    }

    /**
     * A socket that has a port and does not listen: a child process that gets a copy of it does no harm.
     *
     * @param shared whether others that do not listen may have the port, too
     */
    private static Socket bound(int port, boolean shared) {
        try {
            Socket socket = new Socket();
            try {
                socket.setReuseAddress(shared);
                socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
                return socket;
            } catch (IOException taken) {
                socket.close();
                throw taken;
            }
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot have port " + port, failure);
        }
    }

    static void close(Closeable socket) {
        try {
            socket.close();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
