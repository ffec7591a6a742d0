package io.holdfast.examples.demo;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Workers in threads of this JVM, for a store that other processes cannot reach. */
final class ThreadStage implements Stage {

    @Override
    public Worker start(String name, List<String> order) {
        ThreadWorker worker = new ThreadWorker(name, Role.of(order));
        worker.thread.start();
        return worker;
    }

    @Override
    public String crews() {
        return "clients in this process";
    }

    @Override
    public String pausing() {
        return "sleeps without renewals (a thread cannot be stopped)";
    }

    @Override
    public boolean renewsSleeper() {
        return false;
    }

    private static final class ThreadWorker implements Worker, Wire {
        private static final String FAILED = "failed";

        private final Role role;
        private final Thread thread;
        private final BlockingQueue<String> commands = new LinkedBlockingQueue<>();
        private final BlockingQueue<String> reports = new LinkedBlockingQueue<>();

        ThreadWorker(String name, Role role) {
            this.role = role;
            this.thread = new Thread(this::play, name);
            thread.setDaemon(true);
        }

        private void play() {
            try {
                role.play(this);
            } catch (InterruptedException closed) {
                Thread.currentThread().interrupt();
            } catch (SQLException | RuntimeException failure) {
                report(FAILED + " " + failure);
            }
        }

        @Override
        public void report(String line) {
            reports.add(line);
        }

        @Override
        public String nextCommand() throws InterruptedException {
            return commands.take();
        }

        @Override
        public boolean hasCommand() {
            return !commands.isEmpty();
        }

        @Override
        public String place() {
            return thread.getName() + " (a thread)";
        }

        @Override
        public void tell(String command) {
            commands.add(command);
        }

        @Override
        public String await(String word, Duration bound) {
            try {
                String report = reports.poll(bound.toMillis(), TimeUnit.MILLISECONDS);
                if (report == null || !report.startsWith(word)) {
                    throw new StagingException("Worker " + thread.getName() + " did not report '" + word + "' within "
                            + bound + "; it reported: " + report);
                }
                return report.substring(word.length()).strip();
            } catch (InterruptedException stop) {
                Thread.currentThread().interrupt();
                throw new StagingException("Interrupted while waiting for a worker", stop);
            }
        }

        @Override
        public void pause() {
            // A thread that waits for a command is as good as stopped.
        }

        @Override
        public void resume() {
            // Its next command lets it go on.
        }

        @Override
        public void close() {
            thread.interrupt();
        }
    }
}
