package io.holdfast.lock.tck;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockStoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assertions;

/** Another process that holds a lock until it is killed, and the main class of that process. */
final class HolderProcess implements AutoCloseable {

    private static final String URI = "HOLDFAST_TCK_URI";
    private static final Duration START = Duration.ofSeconds(60);
    private static final int TRIES = 10;

    private final Process process;
    private final Path directory;
    private final Path sign;

    private HolderProcess(Process process, Path directory) {
        this.process = process;
        this.directory = directory;
        this.sign = sign(directory);
    }

    private static Path sign(Path directory) {
        return directory.resolve("held");
    }

    /** What it logs; told only if it fails. */
    private static Path complaints(Path directory) {
        return directory.resolve("complaints");
    }

    /** Starts a process, and waits until it holds the lock. */
    static HolderProcess start(LockHarness harness, String name) throws IOException {
        // A file, not the output: a logger may print there.
        Path directory = Files.createTempDirectory("lock-tck");
        ProcessBuilder builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        HolderProcess.class.getName(),
                        name,
                        Long.toString(harness.lease().toMillis()),
                        sign(directory).toString())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(complaints(directory).toFile());
        // Not as an argument: the URI may have a password, and all users can read the arguments of a process.
        builder.environment().put(URI, harness.uri().orElseThrow());
        HolderProcess holder = new HolderProcess(builder.start(), directory);
        Pace.within(START, () -> Files.exists(holder.sign) || !holder.process.isAlive());
        if (!Files.exists(holder.sign)) {
            String complaints = Files.readString(complaints(directory));
            holder.close();
            throw new AssertionError(
                    "a process that connects by the URI must acquire the lock, and did not; it said: " + complaints);
        }
        return holder;
    }

    /** The token of its grant; empty where there are none. */
    Optional<FencingToken> token() throws IOException {
        return Optional.of(Files.readString(sign))
                .filter(token -> !token.isEmpty())
                .map(token -> new FencingToken(Long.parseLong(token)));
    }

    /** Ends the process as a power failure would. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        Assertions.assertTrue(process.waitFor(10, TimeUnit.SECONDS), "a killed process ends");
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly();
        Files.deleteIfExists(sign);
        Files.deleteIfExists(complaints(directory));
        Files.deleteIfExists(directory);
    }

    /**
     * Acquires a lock, gives a sign, and stays.
     *
     * @param arguments the name of the lock, its lease in milliseconds, and the file to create as a sign, with the token if there is
     *     one
     */
    public static void main(String[] arguments) throws InterruptedException, IOException {
        LockOptions options = LockOptions.DEFAULTS.withLeaseTime(Duration.ofMillis(Long.parseLong(arguments[1])));
        try (LockClient client = LockClient.connect(System.getenv(URI))) {
            warmUp(client.lock(arguments[0] + "-warm-up"));
            try (LockHandle held = acquired(client.lock(arguments[0], options))) {
                Path sign = Path.of(arguments[2]);
                // In one step: a reader of the sign finds it complete.
                Path draft = sign.resolveSibling("draft");
                Files.writeString(draft, token(client, held));
                Files.move(draft, sign, StandardCopyOption.ATOMIC_MOVE);
                new CountDownLatch(1).await();
            }
        }
    }

    private static String token(LockClient client, LockHandle held) {
        return Capability.FENCED.isMetBy(client.capabilities())
                ? Long.toString(held.fencingToken().value())
                : "";
    }

    /** The first calls of a new JVM may take longer than the lease of a kit: they load classes and open connections. */
    private static void warmUp(DistributedLock other) throws InterruptedException {
        LockHandle held = acquired(other);
        boolean unused = held.renew();
        // Not close(), which throws if the lock was lost, as it may be in a slow warm-up.
        unused = held.release();
    }

    /** On a busy machine an answer may come too late. */
    private static LockHandle acquired(DistributedLock lock) throws InterruptedException {
        for (int i = 1; ; i++) {
            try {
                LockHandle held = lock.acquire();
                held.requireRemaining(Duration.ZERO);
                return held;
            } catch (LockStoreException | LockLostException slow) {
                if (i == TRIES) {
                    throw slow;
                }
            }
        }
    }
}
