package io.holdfast.lock.tck.faults;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Accepts the connections of a proxy and opens one to the server for each. */
final class ProxyListener implements AutoCloseable {

    private static final int CONNECT_MILLIS = 2_000;
    private static final int POLL_MILLIS = 5;

    private final Target target;
    private final Pairs pairs;
    private final ServerSocket socket;
    private final Thread thread;
    private final CountDownLatch closed = new CountDownLatch(1);

    /**
     * The address of the server.
     *
     * @param address host and port
     * @param patience how long a connection waits for the server to listen before it is reset
     */
    record Target(InetSocketAddress address, Duration patience) {}

    /** Receives the accepted connections. */
    interface Pairs {
        void connected(Socket client, Socket server) throws IOException;
    }

    /**
     * Listens.
     *
     * @param port the port; 0 for a free one
     */
    ProxyListener(int port, Target target, Pairs pairs) {
        this.target = target;
        this.pairs = pairs;
        this.socket = port == 0 ? FreePorts.listen() : FreePorts.listen(port);
        this.thread = daemon("proxy-accept", this::accept);
    }

    int port() {
        return socket.getLocalPort();
    }

    private void accept() {
        while (!socket.isClosed()) {
            Socket client = null;
            try {
                client = socket.accept();
                pairs.connected(client, connect());
            } catch (IOException | InterruptedException closedOrTargetGone) {
                if (client != null) {
                    abort(client);
                }
            }
        }
    }

    private Socket connect() throws IOException, InterruptedException {
        long deadline = System.nanoTime() + target.patience().toNanos();
        while (true) {
            Socket server = new Socket();
            try {
                server.connect(target.address(), CONNECT_MILLIS);
                return server;
            } catch (IOException refused) {
                server.close();
                if (System.nanoTime() - deadline >= 0 || closed.await(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
                    throw refused;
                }
            }
        }
    }

    static Thread daemon(String name, Runnable body) {
        Thread thread = new Thread(body, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    static void abort(Socket socket) {
        try {
            // A zero linger time makes the close a reset instead of an orderly end.
            socket.setSoLinger(true, 0);
        } catch (IOException alreadyClosed) {
            return;
        }
        FreePorts.close(socket);
    }

    @Override
    public void close() {
        closed.countDown();
        FreePorts.close(socket);
        try {
            // The kernel goes on accepting until the thread has left the socket.
            thread.join();
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }
}
