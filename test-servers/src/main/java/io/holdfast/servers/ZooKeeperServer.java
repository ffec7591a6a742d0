package io.holdfast.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingServer;

/**
 * A real ZooKeeper server in this JVM, on a free port, with a data directory of its own that goes with it. Not thread-safe,
 * except {@link #requests}.
 */
public final class ZooKeeperServer implements AutoCloseable {

    private static final String HOST = "127.0.0.1";
    private static final int TICK_MILLIS = 100;
    private static final int LONGEST_SESSION_MILLIS = 600_000;
    private static final String CONTAINER_CHECK = "znode.container.checkIntervalMs";
    private static final int ANY = -1;
    private static final int UNLIMITED = 0;
    private static final int TIMEOUT_MILLIS = 10_000;

    private final TestingServer server;
    private long questions;

    private ZooKeeperServer(TestingServer server) {
        this.server = server;
    }

    /**
     * Starts a server with a tick of 100 ms: sessions of 200 ms to 10 minutes, ended at most a tick late.
     *
     * @return the server
     */
    public static ZooKeeperServer start() {
        return start(Duration.ofMinutes(1));
    }

    /**
     * Starts a server that looks for empty containers more or less often.
     *
     * @param containerCheck how often it removes containers that have become empty
     * @return the server
     */
    public static synchronized ZooKeeperServer start(Duration containerCheck) {
        // One for the whole JVM, and read while the server starts: hence one at a time.
        System.setProperty(CONTAINER_CHECK, Long.toString(containerCheck.toMillis()));
        InstanceSpec spec = new InstanceSpec(
                null,
                RedisServer.freePort(),
                ANY,
                ANY,
                true,
                ANY,
                TICK_MILLIS,
                UNLIMITED,
                Map.of("maxSessionTimeout", Integer.toString(LONGEST_SESSION_MILLIS)));
        try {
            return new ZooKeeperServer(new TestingServer(spec, true));
        } catch (Exception failure) {
            // Curator declares no more than this.
            throw new IllegalStateException("The ZooKeeper server did not start", failure);
        }
    }

    /**
     * The address that the server listens on.
     *
     * @return the address
     */
    public String host() {
        return HOST;
    }

    /**
     * The port, the same after a restart.
     *
     * @return the port
     */
    public int port() {
        return server.getPort();
    }

    /**
     * The server's tick.
     *
     * @return how often it ends sessions that are over
     */
    public Duration tick() {
        return Duration.ofMillis(TICK_MILLIS);
    }

    /**
     * How many requests the server has received, heartbeats and the openings of sessions included, and these questions not.
     *
     * @return the server's own count since its start
     */
    public synchronized long requests() {
        questions++;
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port())) {
            socket.setSoTimeout(TIMEOUT_MILLIS);
            socket.getOutputStream().write("srvr".getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().flush();
            String text = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            return text.lines()
                    .filter(line -> line.startsWith("Received: "))
                    .mapToLong(line -> Long.parseLong(line.substring("Received: ".length())) - questions)
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException("The server does not tell its counts: " + text));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Ends the server. Its data stays. */
    public void stop() {
        try {
            server.stop();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Starts again on the same port with the same data, and so with the same sessions. */
    public void restart() {
        try {
            server.restart();
        } catch (Exception failure) {
            // Curator declares no more than this.
            throw new IllegalStateException("The ZooKeeper server did not start again", failure);
        }
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
