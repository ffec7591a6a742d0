package io.holdfast.lock.tck.faults;

import io.holdfast.lock.tck.faults.FreePorts.PortTaken;
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
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The process of a server and its directory, with its data and its log. Neither outlives this JVM, not even when the JVM is
 * killed. Not thread-safe.
 */
public final class ServerProcess implements AutoCloseable {

    /** The address of servers on this machine. */
    public static final String HOST = "127.0.0.1";

    private static final int POLL_MILLIS = 5;

    private final String portTaken;
    private final TemporaryDirectory directory;
    private final Thread shutdown;
    private volatile @Nullable ProcessReaper reaper;

    /**
     * Makes the directory.
     *
     * @param product the name of the server's kind
     * @param portTaken a part of the message that the server prints if its port is taken
     */
    public ServerProcess(String product, String portTaken) {
        this.portTaken = portTaken;
        this.directory = TemporaryDirectory.create("holdfast-" + product);
        this.shutdown = new Thread(this::destroy, product + "-server-shutdown");
        Runtime.getRuntime().addShutdownHook(shutdown);
    }

    /** The process ended before it was ready. */
    public static final class ServerEnded extends IllegalStateException {
        private static final long serialVersionUID = 1;

        ServerEnded(String message) {
            super(message);
        }
    }

    /**
     * The directory, for the data of the server.
     *
     * @return the path
     */
    public Path directory() {
        return directory.path();
    }

    /**
     * What the process has printed since it was launched last.
     *
     * @return the text
     */
    public String log() {
        return text("server.log");
    }

    private String text(String file) {
        Path path = directory().resolve(file);
        try {
            return Files.exists(path) ? Files.readString(path, StandardCharsets.UTF_8) : "";
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /**
     * Runs a preparing program to its end.
     *
     * @param line the command line
     * @param input the file that it reads as its standard input; empty if it reads nothing
     */
    public void prepare(List<String> line, Optional<Path> input) {
        try {
            ProcessBuilder builder = printingTo("preparation.log", line);
            input.ifPresent(file -> builder.redirectInput(file.toFile()));
            if (PosixSignals.awaitExit(ProcessReaper.started(builder)) != 0) {
                throw new IllegalStateException(line.get(0) + " failed: " + text("preparation.log"));
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private ProcessBuilder printingTo(String file, List<String> line) {
        return new ProcessBuilder(line)
                .redirectErrorStream(true)
                .redirectOutput(directory().resolve(file).toFile());
    }

    /**
     * Starts the process, and does not wait for it; kills it first if it runs.
     *
     * @param line the command line
     * @param deletedWithThisJvm directories that are deleted with all that is in them if this JVM is killed, as is {@link
     *     #directory()}
     */
    public void launch(List<String> line, TemporaryDirectory... deletedWithThisJvm) {
        killIfLaunched();
        List<Path> removed = new ArrayList<>();
        for (TemporaryDirectory each : deletedWithThisJvm) {
            removed.add(each.path());
        }
        removed.add(directory());
        try {
            reaper = ProcessReaper.start(printingTo("server.log", line), removed.toArray(Path[]::new));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /**
     * Waits until the server is ready, else kills it.
     *
     * @param ready whether the server is ready
     * @param within how long it may take
     * @throws PortTaken if the process ends and has printed that its port is taken
     * @throws ServerEnded if it ends for another reason
     * @throws IllegalStateException if it takes longer than {@code within}
     */
    public void awaitReady(BooleanSupplier ready, Duration within) {
        boolean isReady = false;
        try {
            long deadline = System.nanoTime() + within.toNanos();
            do {
                // Before the question: another process may have the port and be slow to answer.
                if (launched().process().waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
                    throw ended();
                }
                if (System.nanoTime() - deadline > 0) {
                    throw new IllegalStateException("The server was not ready within " + within + ": " + log());
                }
            } while (!ready.getAsBoolean());
            isReady = true;
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while the server started", stop);
        } finally {
            if (!isReady) {
                kill();
            }
        }
    }

    private IllegalStateException ended() {
        String said = log();
        String message = "The server ended: " + said;
        return said.contains(portTaken) ? new PortTaken(message) : new ServerEnded(message);
    }

    private ProcessReaper launched() {
        ProcessReaper current = reaper;
        if (current == null) {
            throw new IllegalStateException("The server was never started");
        }
        return current;
    }

    /** Stops the process and its children where they are (SIGSTOP): connections stay open, nothing is answered. */
    public void pause() {
        // The main process first, so that it makes no new ones.
        PosixSignals.pause(launched().process());
        launched().process().descendants().forEach(child -> PosixSignals.send("-STOP", child.pid()));
    }

    /** Lets paused processes go on (SIGCONT). */
    public void resume() {
        launched().process().descendants().forEach(child -> PosixSignals.send("-CONT", child.pid()));
        PosixSignals.resume(launched().process());
    }

    /** Ends the process and its children at once (SIGKILL), as a crash would. The directory stays. */
    public void kill() {
        List<ProcessHandle> children = launched().process().descendants().toList();
        launched().kill();
        children.forEach(ProcessHandle::destroyForcibly);
        children.forEach(child -> child.onExit().join());
    }

    private void killIfLaunched() {
        if (reaper != null) {
            kill();
        }
    }

    /** Empties the directory. */
    public void forgetData() {
        directory.clear();
    }

    private void destroy() {
        killIfLaunched();
        directory.delete();
    }

    /** Ends the process and removes its directory. */
    @Override
    public void close() {
        Runtime.getRuntime().removeShutdownHook(shutdown);
        destroy();
    }
}
