package io.holdfast.examples.demo;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** The program of a child JVM: plays the role that its arguments describe, over its standard input and output. */
final class WorkerProcess {

    private WorkerProcess() {}

    /**
     * Runs the program.
     *
     * @param arguments the order of a role
     */
    public static void main(String[] arguments) throws SQLException, InterruptedException {
        StandardWire wire = new StandardWire();
        Thread reader = new Thread(wire::readCommands, "commands");
        reader.setDaemon(true);
        reader.start();
        Role.of(List.of(arguments)).play(wire);
    }

    private static final class StandardWire implements Wire {
        private final BlockingQueue<String> commands = new LinkedBlockingQueue<>();

        @Override
        public void report(String line) {
            System.out.println(line);
            System.out.flush();
        }

        @Override
        public String nextCommand() throws InterruptedException {
            return commands.take();
        }

        @Override
        public boolean hasCommand() {
            return !commands.isEmpty();
        }

        void readCommands() {
            try (BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
                for (String line = input.readLine(); line != null; line = input.readLine()) {
                    commands.add(line);
                }
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            } finally {
                // The director has ended, and would not stop this process any more.
                Runtime.getRuntime().halt(1);
            }
        }
    }
}
