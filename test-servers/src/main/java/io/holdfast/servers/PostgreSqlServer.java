package io.holdfast.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
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
 * A real PostgreSQL server in a process of its own, on a free port of this machine, with a data directory of its own. It never
 * outlives this JVM, also when the JVM is killed. Not thread-safe.
 *
 * <p>Its user {@code postgres} needs no password. It logs every statement.
 */
public final class PostgreSqlServer implements AutoCloseable {

    private static final String HOST = "127.0.0.1";
    private static final Duration READY_WITHIN = Duration.ofSeconds(60);
    private static final int POLL_MILLIS = 10;
    private static final int PORT_ATTEMPTS = 5;
    private static final String READY = "database system is ready to accept connections";

    /** What a killed server's children leave behind until they have noticed. */
    private static final String STILL_ENDING = "pre-existing shared memory block";

    private final List<String> config;
    private final TemporaryDirectory directory = TemporaryDirectory.create("holdfast-postgresql");
    private final Thread shutdown = new Thread(this::destroy, "postgresql-server-shutdown");
    private int port;
    private volatile @Nullable Leash leash;

    private PostgreSqlServer(List<String> config) {
        this.config = config;
        Runtime.getRuntime().addShutdownHook(shutdown);
    }

    /**
     * Starts a server and waits until it takes connections.
     *
     * @param config further settings, such as {@code "max_connections=10"}
     * @return the server
     */
    public static PostgreSqlServer start(String... config) {
        PostgreSqlServer server = new PostgreSqlServer(List.of(config));
        boolean started = false;
        try {
            server.initialize();
            for (int attempt = 1; ; attempt++) {
                server.port = RedisServer.freePort();
                if (server.launch() || attempt == PORT_ATTEMPTS) {
                    break;
                }
            }
            started = true;
            return server;
        } finally {
            if (!started) {
                server.close();
            }
        }
    }

    /**
     * The JDBC URL of the database {@code postgres} for the user {@code postgres}.
     *
     * @return the URL
     */
    public String url() {
        return url(port);
    }

    /**
     * The JDBC URL by another port, such as that of a proxy.
     *
     * @param throughPort the port
     * @return the URL
     */
    public String url(int throughPort) {
        return "jdbc:postgresql://" + HOST + ":" + throughPort + "/postgres?user=postgres";
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

    /** Stops all processes of the server where they are (SIGSTOP): connections stay open, nothing is answered. */
    public void pause() {
        // The main process first, so that it makes no new ones.
        Signals.pause(started().process());
        started().process().descendants().forEach(child -> Signals.send("-STOP", child.pid()));
    }

    /** Lets paused processes go on (SIGCONT). */
    public void resume() {
        started().process().descendants().forEach(child -> Signals.send("-CONT", child.pid()));
        Signals.resume(started().process());
    }

    /** Ends the server at once (SIGKILL), as a crash would. The data directory stays. */
    public void kill() {
        List<ProcessHandle> children = started().process().descendants().toList();
        started().kill();
        children.forEach(ProcessHandle::destroyForcibly);
        children.forEach(child -> child.onExit().join());
    }

    /** Starts again on the same port with the same data, killing the server first if it runs. */
    public void restart() {
        kill();
        if (!launch()) {
            throw new IllegalStateException("The server did not start again: " + log());
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

    private Leash started() {
        Leash current = leash;
        if (current == null) {
            throw new IllegalStateException("The server was never started");
        }
        return current;
    }

    private Path data() {
        return directory.path().resolve("data");
    }

    private void initialize() {
        Path log = directory.path().resolve("initdb.log");
        List<String> line = new ArrayList<>(unprivileged());
        line.addAll(List.of(PostgreSqlBinaries.program("initdb").toString(), "-D", data().toString()));
        line.addAll(List.of("-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"));
        try {
            Process initdb = new ProcessBuilder(line)
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            if (Signals.awaitExit(initdb) != 0) {
                throw new IllegalStateException("initdb failed: " + text(log));
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** PostgreSQL refuses to run as root; in a user namespace of its own it does not see that it does. */
    private static List<String> unprivileged() {
        return System.getProperty("user.name").equals("root") ? List.of("unshare", "-U") : List.of();
    }

    /** Starts the server; returns false if somebody else has the port. */
    private boolean launch() {
        List<String> line = new ArrayList<>(unprivileged());
        line.addAll(List.of(PostgreSqlBinaries.program("postgres").toString(), "-D", data().toString()));
        line.addAll(List.of("-p", Integer.toString(port), "-h", HOST, "-k", ""));
        List<String> settings = new ArrayList<>(List.of("shared_buffers=16MB", "max_connections=200"));
        settings.addAll(List.of("log_statement=all", "log_line_prefix=%p %e ", "lc_messages=C"));
        settings.addAll(config);
        settings.forEach(setting -> line.addAll(List.of("-c", setting)));
        Path log = directory.path().resolve("server.log");
        long deadline = System.nanoTime() + READY_WITHIN.toNanos();
        while (System.nanoTime() < deadline) {
            try {
                ProcessBuilder server =
                        new ProcessBuilder(line).redirectErrorStream(true).redirectOutput(log.toFile());
                Leash started = Leash.start(
                        server, directory.path(), PostgreSqlBinaries.directory().path());
                leash = started;
                if (awaitReady(started.process(), log, deadline)) {
                    return true;
                }
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
            String said = text(log);
            if (said.contains("could not bind")) {
                return false;
            }
            if (!said.contains(STILL_ENDING)) {
                throw new IllegalStateException("The server ended: " + said);
            }
        }
        throw new IllegalStateException("The server did not start within " + READY_WITHIN + ": " + text(log));
    }

    /** Returns false if the process ended. */
    private static boolean awaitReady(Process started, Path log, long deadline) {
        while (System.nanoTime() < deadline) {
            if (text(log).contains(READY)) {
                return true;
            }
            try {
                if (started.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
                    return false;
                }
            } catch (InterruptedException stop) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("Interrupted while the server started", stop);
            }
        }
        return false;
    }

    private static String text(Path log) {
        try {
            return Files.exists(log) ? Files.readString(log, StandardCharsets.UTF_8) : "";
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private void destroy() {
        Optional.ofNullable(leash).ifPresent(running -> {
            List<ProcessHandle> children = running.process().descendants().toList();
            running.kill();
            children.forEach(ProcessHandle::destroyForcibly);
        });
        directory.delete();
    }

    /** Ends the server and removes its data. */
    @Override
    public void close() {
        Runtime.getRuntime().removeShutdownHook(shutdown);
        destroy();
    }
}
