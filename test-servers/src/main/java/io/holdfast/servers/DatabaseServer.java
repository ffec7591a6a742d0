package io.holdfast.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A real database server in a process of its own, on a free port of this machine, with a data directory of its own. It never
 * outlives this JVM, also when the JVM is killed. Not thread-safe.
 */
public abstract sealed class DatabaseServer implements AutoCloseable permits PostgreSqlServer, MariaDbServer {

    static final String HOST = "127.0.0.1";
    private static final Duration READY_WITHIN = Duration.ofSeconds(60);
    private static final int POLL_MILLIS = 10;
    private static final int PORT_ATTEMPTS = 5;

    private final TemporaryDirectory directory;
    private final Thread shutdown = new Thread(this::destroy, "database-server-shutdown");
    private int port;
    private volatile @Nullable Leash leash;

    DatabaseServer(String product) {
        this.directory = TemporaryDirectory.create("holdfast-" + product);
        Runtime.getRuntime().addShutdownHook(shutdown);
    }

    /** Makes the data directory. */
    abstract void initialize();

    /** The command line of the server. */
    abstract List<String> commandLine();

    /** Where the programs are; it goes with this JVM. */
    abstract TemporaryDirectory binaries();

    /** What the server logs when it takes connections. */
    abstract String ready();

    /** What the server logs when somebody else has its port. */
    abstract String portTaken();

    /** Whether the server ended for a reason that passes by itself. */
    abstract boolean mayStartLater(String log);

    /**
     * The JDBC URL by another port, such as that of a proxy.
     *
     * @param throughPort the port
     * @return the URL
     */
    public abstract String url(int throughPort);

    final void startOnAFreePort() {
        boolean started = false;
        try {
            initialize();
            for (int attempt = 1; ; attempt++) {
                port = RedisServer.freePort();
                if (launch() || attempt == PORT_ATTEMPTS) {
                    break;
                }
            }
            started = true;
        } finally {
            if (!started) {
                close();
            }
        }
    }

    /**
     * The JDBC URL of an empty database, for a user who may do everything and needs no password.
     *
     * @return the URL
     */
    public final String url() {
        return url(port);
    }

    /**
     * The address that the server listens on.
     *
     * @return the address
     */
    public final String host() {
        return HOST;
    }

    /**
     * The port, the same after a restart.
     *
     * @return the port
     */
    public final int port() {
        return port;
    }

    /** Stops all processes of the server where they are (SIGSTOP): connections stay open, nothing is answered. */
    public final void pause() {
        // The main process first, so that it makes no new ones.
        Signals.pause(started().process());
        started().process().descendants().forEach(child -> Signals.send("-STOP", child.pid()));
    }

    /** Lets paused processes go on (SIGCONT). */
    public final void resume() {
        started().process().descendants().forEach(child -> Signals.send("-CONT", child.pid()));
        Signals.resume(started().process());
    }

    /** Ends the server at once (SIGKILL), as a crash would. The data directory stays. */
    public final void kill() {
        List<ProcessHandle> children = started().process().descendants().toList();
        started().kill();
        children.forEach(ProcessHandle::destroyForcibly);
        children.forEach(child -> child.onExit().join());
    }

    /** Starts again on the same port with the same data, killing the server first if it runs. */
    public final void restart() {
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
    public final String log() {
        return text(logFile());
    }

    private Leash started() {
        Leash current = leash;
        if (current == null) {
            throw new IllegalStateException("The server was never started");
        }
        return current;
    }

    final Path directory() {
        return directory.path();
    }

    private Path logFile() {
        return directory().resolve("server.log");
    }

    /** Runs a program that prepares something, to its end. */
    final void run(List<String> line, Optional<Path> input) {
        Path log = directory().resolve("preparation.log");
        try {
            ProcessBuilder builder =
                    new ProcessBuilder(line).redirectErrorStream(true).redirectOutput(log.toFile());
            input.ifPresent(file -> builder.redirectInput(file.toFile()));
            if (Signals.awaitExit(builder.start()) != 0) {
                throw new IllegalStateException(line.get(0) + " failed: " + text(log));
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Starts the server; returns false if somebody else has the port. */
    private boolean launch() {
        long deadline = System.nanoTime() + READY_WITHIN.toNanos();
        while (System.nanoTime() < deadline) {
            try {
                ProcessBuilder server = new ProcessBuilder(commandLine())
                        .redirectErrorStream(true)
                        .redirectOutput(logFile().toFile());
                Leash started = Leash.start(server, directory(), binaries().path());
                leash = started;
                if (awaitReady(started.process(), deadline)) {
                    return true;
                }
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
            String said = log();
            if (said.contains(portTaken())) {
                return false;
            }
            if (!mayStartLater(said)) {
                throw new IllegalStateException("The server ended: " + said);
            }
        }
        throw new IllegalStateException("The server did not start within " + READY_WITHIN + ": " + log());
    }

    /** Returns false if the process ended. */
    private boolean awaitReady(Process started, long deadline) {
        while (System.nanoTime() < deadline) {
            if (log().contains(ready())) {
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
    public final void close() {
        Runtime.getRuntime().removeShutdownHook(shutdown);
        destroy();
    }
}
