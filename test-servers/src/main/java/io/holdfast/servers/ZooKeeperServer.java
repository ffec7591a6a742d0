package io.holdfast.servers;

import io.holdfast.lock.tck.faults.ChildJvm;
import io.holdfast.lock.tck.faults.FreePorts;
import io.holdfast.lock.tck.faults.ServerProcess;
import io.holdfast.lock.tck.faults.StoreServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.zookeeper.server.quorum.QuorumPeerMain;

/**
 * A real ZooKeeper server in another JVM, on a free port of this machine, with a new data directory. It never outlives this JVM,
 * not even when the JVM is killed. Not thread-safe, except {@link #requests} and {@link #mode}.
 *
 * <p>Its tick is 100 ms: it grants sessions of 200 ms to 10 minutes, and ends them at most a tick late. What it has acknowledged
 * survives {@link #kill}; it does not wait for the disk, which only a failure of the whole machine would notice.
 */
public final class ZooKeeperServer implements FreePorts.Listening, StoreServer {

    static final String HOST = ServerProcess.HOST;
    private static final Duration TICK = Duration.ofMillis(100);
    private static final Duration LONGEST_SESSION = Duration.ofMinutes(10);
    private static final Duration CONTAINER_CHECK = Duration.ofMinutes(1);
    private static final Duration SELDOM = Duration.ofHours(1);
    private static final Duration SERVES_WITHIN = Duration.ofSeconds(60);
    private static final Duration ANSWERS_WITHIN = Duration.ofSeconds(10);

    /** A server that is just starting accepts connections, and leaves some of them without an answer. */
    private static final Duration ANSWERS_IF_IT_SERVES = Duration.ofMillis(500);

    /** It ends silently if its port is taken: it has no logger. */
    private static final String PORT_TAKEN = "";

    private static final String SECURE_PORT = "secureClientPort=";

    private final int port;
    private final List<String> settings;
    private final Duration containerCheck;
    private final ServerProcess process = ServerPermit.process("zookeeper", PORT_TAKEN);

    private Duration longestSession = LONGEST_SESSION;

    /** How many of these questions the server has counted as requests. */
    private long questions;

    private ZooKeeperServer(int port, List<String> settings, Duration containerCheck) {
        this.port = port;
        this.settings = settings;
        this.containerCheck = containerCheck;
    }

    /**
     * Starts a server and waits until it answers.
     *
     * @return the server
     */
    public static ZooKeeperServer start() {
        return start(CONTAINER_CHECK);
    }

    /**
     * Starts a server that looks for empty containers more or less often, and waits until it answers.
     *
     * @param containerCheck how often it removes containers that have become empty; every minute in the other servers, and every
     *     hour in ensembles
     * @return the server
     */
    public static ZooKeeperServer start(Duration containerCheck) {
        return FreePorts.start(
                1, ports -> new ZooKeeperServer(ports.get(0), List.of(), containerCheck), ZooKeeperServer::restart);
    }

    /**
     * Starts a server that has a second port, for TLS, and waits until it answers.
     *
     * @param certificate what it shows to its clients, of whom it demands none
     * @return the server
     */
    public static ZooKeeperServer startSecure(SelfSignedCertificate certificate) {
        return FreePorts.start(
                2,
                ports -> new ZooKeeperServer(ports.get(0), tls(ports.get(1), certificate), CONTAINER_CHECK),
                ZooKeeperServer::restart);
    }

    private static List<String> tls(int port, SelfSignedCertificate certificate) {
        return List.of(
                SECURE_PORT + port,
                "secureClientPortAddress=" + HOST,
                "serverCnxnFactory=org.apache.zookeeper.server.NettyServerCnxnFactory",
                "ssl.clientAuth=none",
                "ssl.keyStore.location=" + certificate.store(),
                "ssl.keyStore.password=" + SelfSignedCertificate.PASSWORD,
                "ssl.trustStore.location=" + certificate.certificate());
    }

    /**
     * A member of an ensemble, not yet launched. It keeps containers that have become empty: one that went away in the midst of a
     * test would cost a request more.
     *
     * @param id its number in the ensemble
     * @param port its port for clients
     * @param ensemble the lines of its configuration that name the members
     */
    static ZooKeeperServer member(int id, int port, List<String> ensemble) {
        ZooKeeperServer server = new ZooKeeperServer(port, ensemble, SELDOM);
        server.write("myid", List.of(Integer.toString(id)));
        return server;
    }

    /**
     * The address that the server listens on.
     *
     * @return the address
     */
    @Override
    public String host() {
        return HOST;
    }

    /**
     * The port, the same after a restart.
     *
     * @return the port
     */
    @Override
    public int port() {
        return port;
    }

    /**
     * The port for TLS of a server that was started with one.
     *
     * @return the port
     */
    public int securePort() {
        return settings.stream()
                .filter(line -> line.startsWith(SECURE_PORT))
                .map(line -> Integer.valueOf(line.substring(SECURE_PORT.length())))
                .findFirst()
                .orElseThrow();
    }

    /**
     * The server's data directory.
     *
     * @return the path
     */
    public Path directory() {
        return process.directory();
    }

    /**
     * How many requests the server has received, heartbeats and the openings of sessions included, and these questions not.
     *
     * @return the server's own count since its start
     */
    public synchronized long requests() {
        questions++;
        return line("Received: ", ANSWERS_WITHIN)
                        .map(Long::parseLong)
                        .orElseThrow(() -> new IllegalStateException("The server does not report its counts"))
                - questions;
    }

    /**
     * What the server is at this moment.
     *
     * @return {@code standalone}, {@code leader} or {@code follower}; empty if it does not serve requests
     */
    public synchronized Optional<String> mode() {
        questions++;
        return line("Mode: ", ANSWERS_IF_IT_SERVES);
    }

    private Optional<String> line(String start, Duration patience) {
        return ask("srvr", patience)
                .lines()
                .filter(line -> line.startsWith(start))
                .map(line -> line.substring(start.length()))
                .findFirst();
    }

    /** Sends a four-letter command on a new connection. Returns no text if no server answers. */
    private String ask(String word, Duration patience) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(Math.toIntExact(patience.toMillis()));
            socket.getOutputStream().write(word.getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().flush();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        } catch (IOException unreachable) {
            return "";
        }
    }

    /** Stops the process where it is (SIGSTOP): connections stay open, nothing is answered. */
    @Override
    public void pause() {
        process.pause();
    }

    /** Lets a paused process go on (SIGCONT). */
    @Override
    public void resume() {
        process.resume();
    }

    /** Ends the process at once (SIGKILL). The data directory stays. */
    @Override
    public void kill() {
        process.kill();
    }

    /** Starts again on the same port with the same data, and so with the same sessions, killing the process first if it runs. */
    @Override
    public void restart() {
        launch();
        awaitServing();
    }

    /**
     * As {@link #restart()}, with another configuration.
     *
     * @param longest the longest time-out that it grants a session from now on, also one that it had already; 10 minutes in the
     *     other servers
     */
    public void restart(Duration longest) {
        longestSession = longest;
        restart();
    }

    /** Starts the process, and does not wait for it: the members of an ensemble wait for each other. */
    void launch() {
        List<String> config = new ArrayList<>(List.of(
                "dataDir=" + directory(),
                "clientPort=" + port,
                "clientPortAddress=" + HOST,
                "tickTime=" + TICK.toMillis(),
                "maxSessionTimeout=" + longestSession.toMillis(),
                "maxClientCnxns=0",
                "admin.enableServer=false",
                "4lw.commands.whitelist=srvr,srst"));
        config.addAll(settings);
        Path file = write("zoo.cfg", config);
        List<String> options = List.of(
                "-Xmx128m",
                "-Dzookeeper.forceSync=no",
                "-Dzookeeper.preAllocSize=1024",
                "-Dzookeeper.fastleader.maxNotificationInterval=1000",
                "-Dznode.container.checkIntervalMs=" + containerCheck.toMillis());
        process.launch(ChildJvm.commandLine(options, QuorumPeerMain.class, file.toString()));
    }

    private Path write(String name, List<String> lines) {
        try {
            return Files.write(directory().resolve(name), lines, StandardCharsets.UTF_8);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Waits until the server answers requests, as a member of an ensemble with the others. */
    void awaitServing() {
        process.awaitReady(() -> mode().isPresent(), SERVES_WITHIN);
        resetCounts();
    }

    private synchronized void resetCounts() {
        ask("srst", ANSWERS_WITHIN);
        questions = 0;
    }

    /** Ends the process and removes its data. */
    @Override
    public void close() {
        process.close();
    }
}
