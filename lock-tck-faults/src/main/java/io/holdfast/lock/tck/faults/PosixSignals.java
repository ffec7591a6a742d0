package io.holdfast.lock.tck.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The POSIX signals that {@link Process} has no method for. */
final class PosixSignals {

    private static final long POLL_NANOS = 200_000;

    private static final Duration STOPS_WITHIN = Duration.ofSeconds(10);
    private static final Duration ENDS_WITHIN = Duration.ofMinutes(2);

    private PosixSignals() {}

    /** Returns when the process has stopped: the signal takes effect a moment after it was sent. */
    static void pause(Process process) {
        send("-STOP", process.pid());
        long end = System.nanoTime() + STOPS_WITHIN.toNanos();
        while (!isStopped(process)) {
            if (System.nanoTime() - end > 0) {
                throw new IllegalStateException(
                        "The process " + process.pid() + " did not stop within " + STOPS_WITHIN);
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    private static boolean isStopped(Process process) {
        Path stat = Path.of("/proc", Long.toString(process.pid()), "stat");
        if (!Files.exists(stat)) {
            // Not Linux: there is no such file to wait for.
            return true;
        }
        try {
            String text = Files.readString(stat);
            // The state follows the command's name, which stands in parentheses and may contain any character.
            return text.charAt(text.lastIndexOf(')') + 2) == 'T';
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    static void resume(Process process) {
        send("-CONT", process.pid());
    }

    static void kill(Process process) {
        // SIGKILL ends a stopped process as well.
        process.destroyForcibly();
        awaitExit(process);
    }

    /** Waits for the exit code of a program. One that does not end is killed. */
    static int awaitExit(Process process) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    if (process.waitFor(ENDS_WITHIN.toSeconds(), TimeUnit.SECONDS)) {
                        return process.exitValue();
                    }
                    process.destroyForcibly();
                    throw new IllegalStateException("The program did not end within " + ENDS_WITHIN + ": "
                            + process.info().commandLine().orElse("unknown command"));
                } catch (InterruptedException again) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Whether this system has a program that sends them. */
    static boolean canBeSent() {
        try {
            return runKill("-0", ProcessHandle.current().pid()) == 0;
        } catch (IOException noSuchProgram) {
            return false;
        }
    }

    static void send(String signal, long pid) {
        try {
            if (runKill(signal, pid) != 0) {
                throw new IllegalStateException("kill " + signal + " " + pid + " failed");
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static int runKill(String signal, long pid) throws IOException {
        return awaitExit(new ProcessBuilder("kill", signal, Long.toString(pid)).start());
    }
}
