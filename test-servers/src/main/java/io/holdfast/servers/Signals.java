package io.holdfast.servers;

import java.io.IOException;
import java.io.UncheckedIOException;

/** The POSIX signals that {@link Process} has no method for. */
final class Signals {

    private Signals() {}

    static void pause(Process process) {
        send("-STOP", process);
    }

    static void resume(Process process) {
        send("-CONT", process);
    }

    static void kill(Process process) {
        // SIGKILL ends a stopped process as well.
        process.destroyForcibly();
        awaitExit(process);
    }

    static int awaitExit(Process process) {
        boolean interrupted = false;
        while (true) {
            try {
                int code = process.waitFor();
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
                return code;
            } catch (InterruptedException again) {
                interrupted = true;
            }
        }
    }

    private static void send(String signal, Process process) {
        try {
            Process kill = new ProcessBuilder("kill", signal, Long.toString(process.pid())).start();
            if (awaitExit(kill) != 0) {
                throw new IllegalStateException("kill " + signal + " " + process.pid() + " failed");
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
