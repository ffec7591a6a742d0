package io.holdfast.servers;

import io.holdfast.lock.tck.faults.FreePorts;
import io.holdfast.lock.tck.faults.FreePorts.PortTaken;
import io.holdfast.lock.tck.faults.ServerProcess;
import io.holdfast.lock.tck.faults.ServerProcess.ServerEnded;
import io.holdfast.lock.tck.faults.StoreServer;
import io.holdfast.lock.tck.faults.TemporaryDirectory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;

/**
 * A real database server in a separate process, on a free port of this machine, with a new data directory. It never outlives this
 * JVM, not even when the JVM is killed. Not thread-safe.
 */
public abstract sealed class DatabaseServer implements FreePorts.Listening, StoreServer
        permits PostgreSqlServer, MariaDbServer {

    static final String HOST = ServerProcess.HOST;
    private static final Duration READY_WITHIN = Duration.ofSeconds(60);

    private final int port;
    private final ServerProcess process;

    DatabaseServer(String product, int port, String portTaken) {
        this.port = port;
        this.process = ServerPermit.process(product, portTaken);
    }

    static <S extends DatabaseServer> S startOnAFreePort(IntFunction<S> make) {
        return FreePorts.start(1, ports -> make.apply(ports.get(0)), server -> {
            server.initialize();
            server.launch();
        });
    }

    /** Makes the data directory. */
    abstract void initialize();

    /** The command line of the server. */
    abstract List<String> commandLine();

    /** The directory of the programs, which is removed with this JVM. */
    abstract TemporaryDirectory binaries();

    /** What the server logs when it takes connections. */
    abstract String ready();

    /** Whether the server ended for a reason that may pass. */
    abstract boolean mayStartLater(String log);

    /**
     * The JDBC URL by another port, such as that of a proxy.
     *
     * @param throughPort the port
     * @return the URL
     */
    public abstract String url(int throughPort);

    /**
     * The JDBC URL of an empty database, for a user with all permissions and no password.
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
    @Override
    public final String host() {
        return HOST;
    }

    /**
     * The port, the same after a restart.
     *
     * @return the port
     */
    @Override
    public final int port() {
        return port;
    }

    /** Stops all processes of the server where they are (SIGSTOP): connections stay open, nothing is answered. */
    @Override
    public final void pause() {
        process.pause();
    }

    /** Lets paused processes go on (SIGCONT). */
    @Override
    public final void resume() {
        process.resume();
    }

    /** Ends the server at once (SIGKILL), as a crash would. The data directory stays. */
    @Override
    public final void kill() {
        process.kill();
    }

    /** Starts again on the same port with the same data, killing the server first if it runs. */
    @Override
    public final void restart() {
        process.kill();
        long deadline = System.nanoTime() + READY_WITHIN.toNanos();
        boolean relaunched = false;
        while (!relaunched) {
            // Each try takes as long as a start.
            relaunched = isRelaunched(deadline);
        }
    }

    /** A child that was born while its server was killed may have its port for a moment. */
    private boolean isRelaunched(long deadline) {
        try {
            launch();
            return true;
        } catch (PortTaken taken) {
            if (System.nanoTime() - deadline > 0) {
                throw taken;
            }
            return false;
        }
    }

    /**
     * What the server has written to its log since it was started last.
     *
     * @return the text
     */
    public final String log() {
        return process.log();
    }

    final Path directory() {
        return process.directory();
    }

    /** Runs a preparing program to its end. */
    final void run(List<String> line, Optional<Path> input) {
        process.prepare(line, input);
    }

    final void launch() {
        long deadline = System.nanoTime() + READY_WITHIN.toNanos();
        boolean ready = false;
        while (!ready) {
            process.launch(commandLine(), binaries());
            try {
                process.awaitReady(() -> log().contains(ready()), READY_WITHIN);
                ready = true;
            } catch (ServerEnded ended) {
                if (!mayStartLater(log()) || System.nanoTime() - deadline > 0) {
                    throw ended;
                }
            }
        }
    }

    /** Ends the server and removes its data. */
    @Override
    public final void close() {
        process.close();
    }
}
