package io.holdfast.servers;

import io.holdfast.servers.RespConnection.ServerError;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A real Redis server in a process of its own, on a free port of this machine, with a data directory of its own. It never
 * outlives this JVM, also when the JVM is killed. Not thread-safe, except {@link #command}.
 *
 * <p>Unless configured otherwise it keeps nothing on disk.
 */
public final class RedisServer implements AutoCloseable {

    /** A value of a setting: a port that is free. Should somebody else take it first, the server starts with others. */
    public static final String FREE_PORT = "a free port";

    private static final String HOST = "127.0.0.1";
    private static final Duration READY_WITHIN = Duration.ofSeconds(30);
    private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(10);
    private static final int POLL_MILLIS = 2;
    private static final int PORT_ATTEMPTS = 5;

    private final List<String> given;
    private final TemporaryDirectory directory = TemporaryDirectory.create("holdfast-redis");
    private final Thread shutdown = new Thread(this::destroy, "redis-server-shutdown");
    private List<String> config = List.of();
    private int port;
    private volatile @Nullable Leash leash;

    private RedisServer(List<String> config) {
        this.given = config;
        Runtime.getRuntime().addShutdownHook(shutdown);
    }

    /**
     * Starts a server and waits until it answers.
     *
     * @param config further settings in the form of the server's command line, for example
     *     {@code "--requirepass", "secret", "--appendonly", "yes"}; a port among them may be {@link #FREE_PORT}
     * @return the server
     */
    public static RedisServer start(String... config) {
        RedisServer server = new RedisServer(List.of(config));
        boolean started = false;
        try {
            server.launchOnAFreePort();
            started = true;
            return server;
        } finally {
            if (!started) {
                server.close();
            }
        }
    }

    private void launchOnAFreePort() {
        for (int attempt = 1; ; attempt++) {
            port = freePort();
            config = given.stream()
                    .map(word -> word.equals(FREE_PORT) ? Integer.toString(freePort()) : word)
                    .toList();
            try {
                launch();
                return;
            } catch (ServerEnded perhapsThePortWasTaken) {
                if (attempt == PORT_ATTEMPTS) {
                    throw perhapsThePortWasTaken;
                }
            }
        }
    }

    private static final class ServerEnded extends IllegalStateException {
        private static final long serialVersionUID = 1;

        ServerEnded(String message) {
            super(message);
        }
    }

    /**
     * A port of this machine that nobody listens on at this moment.
     *
     * @return the port
     */
    public static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
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
        return port;
    }

    /**
     * A further port, that a setting names, the same after a restart.
     *
     * @param setting the setting, such as {@code --tls-port}
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
        return directory.path();
    }

    /**
     * Sends a command on a connection of its own, as the default user.
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

    /** Stops the process where it is (SIGSTOP): connections stay open, nothing is answered. */
    public void pause() {
        Signals.pause(started().process());
    }

    /** Lets a paused process go on (SIGCONT). */
    public void resume() {
        Signals.resume(started().process());
    }

    /** Ends the process at once (SIGKILL). The data directory stays. */
    public void kill() {
        started().kill();
    }

    /** Starts again on the same port with what is in the data directory, killing the process first if it runs. */
    public void restart() {
        kill();
        launch();
    }

    /** As {@link #restart()}, with an empty data directory. */
    public void restartWithoutData() {
        kill();
        directory.clear();
        launch();
    }

    private Leash started() {
        Leash current = leash;
        if (current == null) {
            throw new IllegalStateException("The server was never started");
        }
        return current;
    }

    private void launch() {
        List<String> line = new ArrayList<>(List.of(RedisBinary.path().toString(), "--port", Integer.toString(port)));
        line.addAll(List.of("--bind", HOST, "--dir", directory.path().toString(), "--save", "", "--daemonize", "no"));
        line.addAll(config);
        Path log = directory.path().resolve("server.log");
        try {
            ProcessBuilder server =
                    new ProcessBuilder(line).redirectErrorStream(true).redirectOutput(log.toFile());
            // The binary is this JVM's own: it goes with the JVM.
            Leash started = Leash.start(
                    server, directory.path(), RedisBinary.directory().path());
            leash = started;
            boolean ready = false;
            try {
                awaitReady(started.process(), log);
                ready = true;
            } finally {
                if (!ready) {
                    started.kill();
                }
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private void awaitReady(Process started, Path log) throws IOException {
        long deadline = System.nanoTime() + READY_WITHIN.toNanos();
        while (System.nanoTime() < deadline) {
            if (ready()) {
                return;
            }
            try {
                if (started.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
                    throw new ServerEnded("The server ended: " + text(log));
                }
            } catch (InterruptedException stop) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("Interrupted while the server started", stop);
            }
        }
        throw new IllegalStateException("The server did not answer within " + READY_WITHIN + ": " + text(log));
    }

    private boolean ready() {
        try (RespConnection connection = RespConnection.open(HOST, port, COMMAND_TIMEOUT)) {
            connection.command("PING");
            return true;
        } catch (ServerError answer) {
            // NOAUTH, MASTERDOWN and their like come from a server that is up; LOADING passes.
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
        return text(directory.path().resolve("server.log"));
    }

    private static String text(Path log) {
        try {
            return Files.readString(log, StandardCharsets.UTF_8);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private void destroy() {
        Optional.ofNullable(leash).ifPresent(Leash::kill);
        directory.delete();
    }

    /** Ends the process and removes its data. */
    @Override
    public void close() {
        Runtime.getRuntime().removeShutdownHook(shutdown);
        destroy();
    }
}
