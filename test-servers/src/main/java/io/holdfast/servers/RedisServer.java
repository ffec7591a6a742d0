package io.holdfast.servers;

import io.holdfast.lock.tck.faults.FreePorts;
import io.holdfast.lock.tck.faults.ServerProcess;
import io.holdfast.lock.tck.faults.StoreServer;
import io.holdfast.servers.RespConnection.ServerError;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;

/**
 * A real Redis server in a separate process, on a free port of this machine, with a new data directory. It never outlives this
 * JVM, not even when the JVM is killed. Not thread-safe, except {@link #command}.
 *
 * <p>Unless configured otherwise it keeps nothing on disk.
 */
public final class RedisServer implements FreePorts.Listening, StoreServer {

    /** As a value: stands for a free port of this machine. {@link #port(String)} returns it. */
    public static final String FREE_PORT = "a free port";

    private static final String HOST = ServerProcess.HOST;
    private static final Duration READY_WITHIN = Duration.ofSeconds(30);
    private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(10);

    /** The error of a server that has fewer replicas than each write needs. */
    public static final String NO_REPLICAS = "NOREPLICAS";

    /** The error of a replica that is asked to write. */
    public static final String READ_ONLY = "READONLY";

    private static final String REPLICAS = "min-replicas-to-write";
    private static final String NOBODYS_PORT = "1";

    private final int port;
    private final List<String> config;
    private final List<String> file;
    private final Path program;
    private final ServerProcess process = ServerPermit.process("redis", "Failed listening on port");

    RedisServer(List<Integer> ports, List<String> config) {
        this(ports, config, List.of());
    }

    RedisServer(List<Integer> ports, List<String> config, List<String> file) {
        this(ports, config, file, RedisBinary.path());
    }

    /**
     * Creates a server that rewrites its configuration, without starting it.
     *
     * @param ports the ports for it
     * @param config as of {@link #start}
     * @param file the lines of the configuration file that it begins with; empty if it needs none
     * @param program the program of the server
     */
    private RedisServer(List<Integer> ports, List<String> config, List<String> file, Path program) {
        this.file = file;
        this.program = program;
        Iterator<Integer> next = ports.iterator();
        this.port = next.next();
        this.config = config.stream()
                .map(word -> word.equals(FREE_PORT) ? next.next().toString() : word)
                .toList();
    }

    /**
     * Starts a server and waits until it answers.
     *
     * @param config further settings in the form of the server's command line, for example
     *     {@code "--requirepass", "secret", "--tls-port", RedisServer.FREE_PORT}
     * @return the server
     */
    public static RedisServer start(String... config) {
        List<String> settings = List.of(config);
        int ports = 1 + Collections.frequency(settings, FREE_PORT);
        return FreePorts.start(ports, chosen -> new RedisServer(chosen, settings), RedisServer::launch);
    }

    /**
     * Starts another server than that of the tests, and waits until it answers.
     *
     * @param program its program, of Redis or of one that takes the same words
     * @return the server
     */
    public static RedisServer startOther(Path program) {
        return FreePorts.start(
                1, chosen -> new RedisServer(chosen, List.of(), List.of(), program), RedisServer::launch);
    }

    /**
     * Starts a server that also speaks TLS, on the port of {@code --tls-port}.
     *
     * @param certificate what it shows, and what it trusts
     * @param authenticateClients whether it asks clients for a certificate: {@code "yes"}, {@code "no"} or {@code "optional"}
     * @return the server
     */
    public static RedisServer startWithTls(SelfSignedCertificate certificate, String authenticateClients) {
        return start(tls(certificate, authenticateClients).toArray(String[]::new));
    }

    static List<String> tls(SelfSignedCertificate certificate, String authenticateClients) {
        return List.of(
                "--tls-port",
                FREE_PORT,
                "--tls-cert-file",
                certificate.certificate().toString(),
                "--tls-key-file",
                certificate.key().toString(),
                "--tls-ca-cert-file",
                certificate.certificate().toString(),
                "--tls-auth-clients",
                authenticateClients);
    }

    /**
     * A port of this machine that is free at this moment. For the ports of a server there is {@link #FREE_PORT}.
     *
     * @return the port
     */
    public static int freePort() {
        return FreePorts.one();
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
     * A further port, the same after a restart.
     *
     * @param setting its setting, such as {@code --tls-port}
     * @return the port
     */
    public int port(String setting) {
        return Integer.parseInt(config.get(config.indexOf(setting) + 1));
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
     * Sends a command on a new connection, as the default user.
     *
     * @param words the command and its arguments
     * @return the reply, as {@link RespConnection} describes
     * @throws ServerError if the server answers with an error
     */
    public Object command(String... words) {
        try (RespConnection connection = connect()) {
            return connection.command(words);
        }
    }

    /**
     * Opens a connection as the default user.
     *
     * @return the connection
     */
    public RespConnection connect() {
        RespConnection connection = RespConnection.open(HOST, port, COMMAND_TIMEOUT);
        int password = config.indexOf("--requirepass") + 1;
        if (password > 0) {
            connection.command("AUTH", config.get(password));
        }
        return connection;
    }

    /**
     * How often the server ran a command, scripts' inner commands included.
     *
     * @param command the command in lower case, a subcommand as {@code script|load}
     * @return the count since the start or the last {@code CONFIG RESETSTAT}
     */
    public long calls(String command) {
        String prefix = "cmdstat_" + command + ":calls=";
        return command("INFO", "commandstats")
                .toString()
                .lines()
                .filter(line -> line.startsWith(prefix))
                .mapToLong(line -> Long.parseLong(line.substring(prefix.length(), line.indexOf(','))))
                .findFirst()
                .orElse(0);
    }

    /**
     * The version of the server.
     *
     * @return such as {@code 7.0.15}
     */
    public String version() {
        String named = "redis_version:";
        return command("INFO", "server")
                .toString()
                .lines()
                .filter(line -> line.startsWith(named))
                .map(line -> line.substring(named.length()))
                .findFirst()
                .orElseThrow();
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

    /** Starts again on the same port with what is in the data directory, killing the process first if it runs. */
    @Override
    public void restart() {
        process.kill();
        launch();
    }

    /** As {@link #restart()}, with an empty data directory. */
    @Override
    public void restartWithoutData() {
        process.kill();
        process.forgetData();
        launch();
    }

    /**
     * For {@link #NO_REPLICAS}, demands a replica for each write, of which there is none; for {@link #READ_ONLY}, makes this server
     * the replica of one that is not there. Its data stay.
     */
    @Override
    public void refuseChanges(String kind) {
        switch (kind) {
            case NO_REPLICAS -> command("CONFIG", "SET", REPLICAS, "1");
            case READ_ONLY -> command("REPLICAOF", HOST, NOBODYS_PORT);
            default -> throw unknown(kind);
        }
    }

    @Override
    public void takeChanges(String kind) {
        switch (kind) {
            case NO_REPLICAS -> command("CONFIG", "SET", REPLICAS, "0");
            case READ_ONLY -> command("REPLICAOF", "NO", "ONE");
            default -> throw unknown(kind);
        }
    }

    private static IllegalArgumentException unknown(String kind) {
        return new IllegalArgumentException(
                "No kind of error is '" + kind + "'; allowed are " + NO_REPLICAS + " and " + READ_ONLY);
    }

    void launch() {
        begin();
        awaitReady();
    }

    /** Launches the process, and does not wait until it answers. */
    void begin() {
        List<String> line = new ArrayList<>(List.of(program.toString()));
        if (!file.isEmpty()) {
            line.add(configurationFile().toString());
        }
        line.addAll(List.of(
                "--port",
                Integer.toString(port),
                "--bind",
                HOST,
                "--dir",
                directory().toString(),
                "--save",
                "",
                "--daemonize",
                "no"));
        line.addAll(config);
        // The binary is removed with this JVM.
        process.launch(line, RedisBinary.directory());
    }

    void awaitReady() {
        process.awaitReady(this::ready, READY_WITHIN);
    }

    private Path configurationFile() {
        Path path = directory().resolve("redis.conf");
        try {
            return Files.exists(path) ? path : Files.write(path, file);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private boolean ready() {
        try (RespConnection connection = RespConnection.open(HOST, port, COMMAND_TIMEOUT)) {
            connection.command("PING");
            return true;
        } catch (ServerError answer) {
            // An error such as NOAUTH or MASTERDOWN comes from a server that is up; LOADING passes.
            return !answer.toString().contains("LOADING");
        } catch (UncheckedIOException notYet) {
            return false;
        }
    }

    /**
     * What the server has written to its log since it was started last.
     *
     * @return the text
     */
    public String log() {
        return process.log();
    }

    /** Ends the process and removes its data. */
    @Override
    public void close() {
        process.close();
    }
}
