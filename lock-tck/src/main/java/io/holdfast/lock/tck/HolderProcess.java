package io.holdfast.lock.tck;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockOptions;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assertions;

/** A process of its own that holds a lock until it is killed; and the main class of that process. */
final class HolderProcess implements AutoCloseable {

    private static final String HELD = "held";
    private static final String URI = "HOLDFAST_TCK_URI";

    private final Process process;

    private HolderProcess(Process process) {
        this.process = process;
    }

    /** Starts a process, and waits until it holds the lock. */
    static HolderProcess start(LockHarness harness, String name) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        HolderProcess.class.getName(),
                        name,
                        Long.toString(harness.lease().toMillis()))
                .redirectError(ProcessBuilder.Redirect.INHERIT);
        // Not as an argument: the URI may have a password, and everybody may see the arguments of a process.
        builder.environment().put(URI, harness.uri().orElseThrow());
        Process process = builder.start();
        BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
        Assertions.assertEquals(HELD, output.readLine(), "what a process prints that has acquired a lock by the URI");
        return new HolderProcess(process);
    }

    /** Ends the process as a power failure would. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        Assertions.assertTrue(process.waitFor(10, TimeUnit.SECONDS), "a killed process ends");
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    /**
     * Acquires a lock, says so, and stays.
     *
     * @param arguments the name of the lock and its lease in milliseconds
     */
    public static void main(String[] arguments) throws InterruptedException {
        LockOptions options = LockOptions.DEFAULTS.withLeaseTime(Duration.ofMillis(Long.parseLong(arguments[1])));
        try (LockClient client =
                        LockClient.builder(System.getenv(URI)).defaults(options).build();
                LockHandle held = client.lock(arguments[0]).acquire()) {
            System.out.println(held.isHeld() ? HELD : "lost");
            new CountDownLatch(1).await();
        }
    }
}
