package io.holdfast.lock.tck.faults;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/**
 * A second JVM, on this JVM's class path or on another, to be paused and killed. It never outlives this JVM, also when that is
 * killed. Thread-safe.
 *
 * <p>Its standard output and error are read as lines of UTF-8 text.
 */
public final class ChildJvm implements AutoCloseable {

    private final ProcessReaper reaper;
    private final Process process;
    private final Thread reader;
    private final Thread shutdown;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final List<String> lines = new ArrayList<>();
    private int consumed;
    private boolean ended;

    private ChildJvm(ProcessReaper reaper) {
        this.reaper = reaper;
        this.process = reaper.process();
        this.shutdown = new Thread(reaper::kill, "child-jvm-shutdown");
        this.reader = new Thread(this::readLines, "child-jvm-output-" + process.pid());
        reader.setDaemon(true);
    }

    /**
     * Starts a class with a {@code main} method.
     *
     * @param main the class
     * @param arguments its arguments
     * @return the running child
     */
    public static ChildJvm start(Class<?> main, String... arguments) {
        return start(List.of(), main, arguments);
    }

    /**
     * Starts a class with a {@code main} method.
     *
     * @param options for the JVM, such as {@code -Xmx64m} or {@code -Dname=value}
     * @param main the class
     * @param arguments its arguments
     * @return the running child
     */
    public static ChildJvm start(List<String> options, Class<?> main, String... arguments) {
        return start(commandLine(options, main, arguments));
    }

    /**
     * Starts a class with a {@code main} method on a class path other than this JVM's.
     *
     * @param classPath the class path
     * @param main the name of the class
     * @param arguments its arguments
     * @return the running child
     */
    public static ChildJvm startOn(String classPath, String main, String... arguments) {
        return start(commandLine(classPath, List.of(), main, arguments));
    }

    private static ChildJvm start(List<String> line) {
        try {
            ChildJvm child = new ChildJvm(ProcessReaper.start(new ProcessBuilder(line).redirectErrorStream(true)));
            Runtime.getRuntime().addShutdownHook(child.shutdown);
            child.reader.start();
            return child;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /**
     * The command line that starts a class with a {@code main} method in another JVM.
     *
     * @param options for the JVM
     * @param main the class
     * @param arguments its arguments
     * @return the words
     */
    public static List<String> commandLine(List<String> options, Class<?> main, String... arguments) {
        return commandLine(System.getProperty("java.class.path"), options, main.getName(), arguments);
    }

    private static List<String> commandLine(String classPath, List<String> options, String main, String... arguments) {
        List<String> line = new ArrayList<>();
        line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        line.addAll(List.of("-cp", classPath, "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        line.addAll(List.of("-Dfile.encoding=UTF-8", "-Dstdout.encoding=UTF-8"));
        line.addAll(options);
        line.add(main);
        line.addAll(List.of(arguments));
        return line;
    }

    private void readLines() {
        try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                add(line);
            }
        } catch (IOException cutOff) {
            // A killed process may leave a broken stream; what came before it is kept.
            add("[output ended: " + cutOff.getMessage() + "]");
        } finally {
            end();
        }
    }

    private void add(String line) {
        change(() -> lines.add(line));
    }

    private void end() {
        change(() -> ended = true);
    }

    private void change(Runnable change) {
        lock.lock();
        try {
            change.run();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * The process id.
     *
     * @return the id
     */
    public long pid() {
        return process.pid();
    }

    /**
     * All lines so far.
     *
     * @return a copy
     */
    public List<String> lines() {
        lock.lock();
        try {
            return List.copyOf(lines);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits for a line, and passes over the ones before it: the next call looks only at what follows.
     *
     * @param wanted which line
     * @param bound how long to wait at most
     * @return the line
     * @throws IllegalStateException if it does not come; the message has all output
     */
    public String awaitLine(Predicate<String> wanted, Duration bound) {
        long left = bound.toNanos();
        lock.lock();
        try {
            while (true) {
                while (consumed < lines.size()) {
                    String line = lines.get(consumed++);
                    if (wanted.test(line)) {
                        return line;
                    }
                }
                if (ended || left <= 0) {
                    throw new IllegalStateException("The child "
                            + (ended ? "ended" : "did not print the line within " + bound) + "; its output: " + lines);
                }
                left = changed.awaitNanos(left);
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while waiting for a line", stop);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits for a line that begins with a text; see {@link #awaitLine(Predicate, Duration)}.
     *
     * @param prefix how it begins
     * @param bound how long to wait at most
     * @return the line
     */
    public String awaitLine(String prefix, Duration bound) {
        return awaitLine(line -> line.startsWith(prefix), bound);
    }

    /**
     * Writes a line to the child's standard input.
     *
     * @param line the text
     */
    public void send(String line) {
        try {
            process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().flush();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /**
     * Whether this system can stop a process.
     *
     * @return whether {@link #pause} works
     */
    public static boolean canBePaused() {
        return PosixSignals.canBeSent();
    }

    /** Stops the process where it is (SIGSTOP). */
    public void pause() {
        PosixSignals.pause(process);
    }

    /** Lets a paused process go on (SIGCONT). */
    public void resume() {
        PosixSignals.resume(process);
    }

    /** Ends the process at once (SIGKILL): no shutdown hook of it runs. */
    public void kill() {
        reaper.kill();
    }

    /**
     * Waits for the end of the process.
     *
     * @param bound how long to wait at most
     * @return the exit code; empty if it still runs
     */
    public OptionalInt awaitExit(Duration bound) {
        try {
            if (!process.waitFor(bound.toMillis(), TimeUnit.MILLISECONDS)) {
                return OptionalInt.empty();
            }
            reader.join(bound.toMillis());
            return OptionalInt.of(process.exitValue());
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while waiting for the child's end", stop);
        }
    }

    /** Ends the process if it runs. */
    @Override
    public void close() {
        Runtime.getRuntime().removeShutdownHook(shutdown);
        reaper.kill();
    }
}
