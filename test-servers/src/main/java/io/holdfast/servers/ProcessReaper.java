package io.holdfast.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Ties a process to this JVM: when the JVM ends, also by SIGKILL, the process is killed and its directories are removed.
 *
 * <p>A shutdown hook does not run then. So a shell waits at the end of a pipe that only this JVM writes to: it is told the
 * process id, and the end of the pipe is the end of the JVM.
 */
final class ProcessReaper {

    /** A signal from the keyboard goes to the whole group of processes; it must not end the one that cleans up. */
    private static final String SCRIPT = """
            trap '' HUP INT TERM
            read -r process || exit 0
            read -r never || { kill -KILL "$process"; [ "$#" -eq 0 ] || rm -rf -- "$@"; }
            """;

    private final Process shell;
    private final Process tied;

    private ProcessReaper(Process shell, Process tied) {
        this.shell = shell;
        this.tied = tied;
    }

    /**
     * Starts a process on a leash.
     *
     * @param builder what to start
     * @param directories removed if this JVM ends before the process is killed
     */
    static ProcessReaper start(ProcessBuilder builder, Path... directories) throws IOException {
        List<String> line = new ArrayList<>(List.of("/bin/sh", "-c", SCRIPT, "leash"));
        for (Path directory : directories) {
            line.add(directory.toString());
        }
        // The shell comes first: between the start of the process and the line below there is next to no time.
        Process shell = new ProcessBuilder(line)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            ProcessReaper leash = new ProcessReaper(shell, builder.start());
            leash.tie();
            // Process ids are given out again: nothing may stay tied to one whose process has ended by itself.
            var unused = leash.tied.onExit().thenRun(shell::destroyForcibly);
            return leash;
        } catch (IOException | RuntimeException failure) {
            PosixSignals.kill(shell);
            throw failure;
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

    /** Ends the process at once (SIGKILL), and the leash with it. The directories stay. */
    void kill() {
        // In this order: a leash that outlives its process for a moment does no harm, the reverse might.
        PosixSignals.kill(tied);
        PosixSignals.kill(shell);
    }
}
