package io.holdfast.lock.tck.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;

/**
 * Ties a process to this JVM: when the JVM ends, also by SIGKILL, the process is killed and its directories are removed.
 *
 * <p>A shutdown hook does not run then. So a shell reads a pipe that only this JVM writes to: first the process id, and
 * the end of the pipe means the end of the JVM.
 */
final class ProcessReaper {

    /** A signal from the keyboard goes to the whole process group. It must not end the shell that cleans up. */
    private static final String SCRIPT = """
            trap '' HUP INT TERM
            read -r process || exit 0
            read -r never || { kill -KILL "$process"; [ "$#" -eq 0 ] || rm -rf -- "$@"; }
            """;

    /** The error of a program that somebody has open for writing, as JDK 17 and 25 report it. */
    private static final Pattern TEXT_FILE_BUSY = Pattern.compile("\\berror(=|: )26\\b");

    private static final int MOST_TRIES = 100;
    private static final Duration BETWEEN_TRIES = Duration.ofMillis(20);

    private final Process shell;
    private final Process tied;

    private ProcessReaper(Process shell, Process tied) {
        this.shell = shell;
        this.tied = tied;
    }

    /**
     * Starts a process that ends with this JVM.
     *
     * @param builder what to start
     * @param directories removed if this JVM ends before the process is killed
     */
    static ProcessReaper start(ProcessBuilder builder, Path... directories) throws IOException {
        List<String> line = new ArrayList<>(List.of("/bin/sh", "-c", SCRIPT, "reaper"));
        for (Path directory : directories) {
            line.add(directory.toString());
        }
        // The shell comes first: between the start of the process and the line below there is next to no time.
        Process shell = new ProcessBuilder(line)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            ProcessReaper reaper = new ProcessReaper(shell, started(builder));
            reaper.tie();
            // Process ids are reused: the shell must forget the id of a process that has ended.
            var unused = reaper.tied.onExit().thenRun(shell::destroyForcibly);
            return reaper;
        } catch (IOException | RuntimeException failure) {
            PosixSignals.kill(shell);
            throw failure;
        }
    }

    /**
     * Starts a process, whose program may have been written just now: a child that another thread starts at the time has the file
     * open for writing until it runs its own program.
     */
    static Process started(ProcessBuilder builder) throws IOException {
        for (int tries = 1; ; tries++) {
            try {
                return builder.start();
            } catch (IOException failure) {
                if (tries == MOST_TRIES
                        || !TEXT_FILE_BUSY
                                .matcher(String.valueOf(failure.getMessage()))
                                .find()) {
                    throw failure;
                }
                LockSupport.parkNanos(BETWEEN_TRIES.toNanos());
            }
        }
    }

    private void tie() {
        try {
            shell.getOutputStream().write((tied.pid() + "\n").getBytes(StandardCharsets.US_ASCII));
            shell.getOutputStream().flush();
        } catch (IOException failure) {
            PosixSignals.kill(tied);
            throw new UncheckedIOException(failure);
        }
    }

    Process process() {
        return tied;
    }

    /** Ends the process at once (SIGKILL), and the shell with it. The directories stay. */
    void kill() {
        // In this order: a shell may outlive its process, but not the reverse.
        PosixSignals.kill(tied);
        PosixSignals.kill(shell);
    }
}
