package io.holdfast.lock.tck;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.tck.faults.ChildJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/** Another process that holds a lock until it is killed, and the main class of that process. */
final class HolderProcess implements AutoCloseable {

    /** Printed, with the token if there is one, when the process holds the lock. */
    private static final String HELD = "held:";

    private static final Duration STARTS_WITHIN = Duration.ofMinutes(2);
    private static final int TRIES = 10;

    private final ChildJvm process;
    private final String token;

    private HolderProcess(ChildJvm process, String token) {
        this.process = process;
        this.token = token;
    }

    /** Starts a process, and waits until it holds the lock for a lease that it renews. */
    static HolderProcess start(LockHarness harness, String name, Duration lease) {
        ChildJvm process = ChildJvm.start(HolderProcess.class, name, Long.toString(lease.toMillis()));
        try {
            process.send(harness.uri().orElseThrow());
            String held = process.awaitLine(HELD, STARTS_WITHIN);
            return new HolderProcess(process, held.substring(HELD.length()));
        } catch (RuntimeException failure) {
            process.close();
            throw new AssertionError(
                    "a process that connects by the URI must acquire the lock, and did not: " + failure.getMessage(),
                    failure);
        }
    }

    /** The token of its grant; empty where there are none. */
    Optional<FencingToken> token() {
        return Optional.of(token)
                .filter(number -> !number.isEmpty())
                .map(number -> new FencingToken(Long.parseLong(number)));
    }

    /** Ends the process as a power failure would. */
    void kill() {
        process.kill();
    }

    @Override
    public void close() {
        process.close();
    }

    /**
     * Acquires a lock, says so, and stays.
     *
     * @param arguments the name of the lock and its lease in milliseconds. The URI is the first line of the standard input, as
     *     all users can read the arguments of a process
     */
    public static void main(String[] arguments) throws InterruptedException, IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        LockOptions options = LockOptions.DEFAULTS.withLeaseTime(Duration.ofMillis(Long.parseLong(arguments[1])));
        try (LockClient client = LockClient.connect(in.readLine())) {
            warmUp(client.lock(arguments[0] + "-warm-up"));
            try (LockHandle held = acquired(client.lock(arguments[0], options))) {
                System.out.println(HELD + token(client, held));
                // Without an end: the process is killed.
                in.readLine();
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
