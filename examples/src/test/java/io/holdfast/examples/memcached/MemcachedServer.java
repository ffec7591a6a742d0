package io.holdfast.examples.memcached;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A memcached server in this JVM, as far as locks need one. {@link MemcachedConversationTest} holds the same conversation with it
 * and with the real one. It evicts nothing. Thread-safe.
 */
final class MemcachedServer implements RunningMemcached {

    private final ServerSocket listener;
    private final MemcachedItems items;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();

    private MemcachedServer(MemcachedClock clock) throws IOException {
        this.items = new MemcachedItems(clock);
        this.listener = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
    }

    static MemcachedServer start() {
        return start(MemcachedClock.ofThisMachine());
    }

    static MemcachedServer start(MemcachedClock clock) {
        try {
            MemcachedServer server = new MemcachedServer(clock);
            inBackground("memcached-listener", server::listen);
            return server;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Override
    public int port() {
        return listener.getLocalPort();
    }

    @Override
    public String version() {
        return "a stand-in for memcached";
    }

    private void listen() {
        while (!listener.isClosed()) {
            try {
                Socket socket = listener.accept();
                open.add(socket);
                inBackground("memcached-session", () -> serve(socket));
            } catch (IOException closed) {
                // The loop ends if it is the listener that was closed.
            }
        }
    }

    private void serve(Socket socket) {
        try (socket;
                OutputStream out = socket.getOutputStream()) {
            socket.setTcpNoDelay(true);
            MemcachedSession session = new MemcachedSession(items, new BufferedInputStream(socket.getInputStream()));
            for (String reply = session.next(); reply != null; reply = session.next()) {
                out.write(reply.getBytes(StandardCharsets.ISO_8859_1));
            }
        } catch (IOException gone) {
            // The client has gone, or the server was closed.
        } finally {
            open.remove(socket);
        }
    }

    private static void inBackground(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }

    /** How many connections are open. */
    int connections() {
        return open.size();
    }

    /** Closes all connections, as memcached does with idle ones (option idle_timeout). */
    void closeConnections() {
        List.copyOf(open).forEach(MemcachedServer::close);
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Override
    public void close() {
        try {
            listener.close();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        closeConnections();
    }
}
