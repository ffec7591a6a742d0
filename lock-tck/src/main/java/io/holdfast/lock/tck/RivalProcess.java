package io.holdfast.lock.tck;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.tck.History.Entry;
import io.holdfast.lock.tck.History.Kind;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The main class of a process that acquires a lock again and again, and writes down what it is told. Under the lock it adds one to a number
 * in a file.
 */
final class RivalProcess {

    /** Printed, with the monotonic clock, when everything is loaded and connected. */
    static final String READY = "ready ";

    private static final int WARM_UPS = 10;

    private final LockClient client;
    private final String name;
    private final LockOptions options;
    private final FencedFile resource;
    private final FileChannel log;
    private final boolean fenced;

    private RivalProcess(LockClient client, String name, Duration lease, Path directory, FileChannel log) {
        this.client = client;
        this.name = name;
        // This process renews by itself: it has to know when each renewal was called.
        this.options = LockOptions.DEFAULTS.withLeaseTime(lease).withoutRenewal();
        this.resource = new FencedFile(directory.resolve("number"));
        this.log = log;
        this.fenced = Capability.FENCED.isMetBy(client.capabilities());
    }

    /**
     * Competes until a line says {@code end}.
     *
     * @param arguments the name of the lock, its lease in milliseconds, the directory of all processes, and the file of this one; the URI
     *     is the first line of the standard input, as all users can read the arguments of a process
     */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        Path directory = Path.of(arguments[2]);
        try (LockClient client = LockClient.connect(in.readLine());
                FileChannel log = FileChannel.open(
                        directory.resolve(arguments[3]), StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            warmUp(client.lock(arguments[0] + "-warm-up-" + arguments[3]));
            RivalProcess rival = new RivalProcess(
                    client, arguments[0], Duration.ofMillis(Long.parseLong(arguments[1])), directory, log);
            System.out.println(READY + System.nanoTime());
            in.readLine();
            Call<String> end = Call.start(in::readLine);
            while (!end.isDone()) {
                rival.compete();
            }
        }
    }

    /** The first calls load classes and connect, and may take longer than a call may take. */
    private static void warmUp(DistributedLock other) throws InterruptedException {
        for (int i = 1; ; i++) {
            try {
                // Not close(), which throws if the lock was lost meanwhile.
                boolean unused = other.acquire().release();
                return;
            } catch (LockStoreException | LockLostException slow) {
                if (i == WARM_UPS) {
                    throw slow;
                }
            }
        }
    }

    private void compete() throws IOException, InterruptedException {
        long called = Pace.now();
        write(Kind.ASK, called, 0, 0);
        Optional<LockHandle> granted = Optional.empty();
        try {
            granted = client.lock(name, options).tryAcquire(options.leaseTime().multipliedBy(4));
        } catch (LockStoreException | LockLostException stopped) {
            // A process that was stopped for long finds its connections broken, or its grant over.
        }
        if (granted.isEmpty()) {
            write(Kind.REFUSED, called, 0, 0);
            return;
        }
        LockHandle held = granted.get();
        write(Kind.GRANT, called, token(held), until(held));
        update(held);
        if (ThreadLocalRandom.current().nextInt(3) == 0) {
            renew(held);
        }
        end(held);
    }

    private void end(LockHandle held) throws IOException {
        long called = Pace.now();
        write(held.isHeld() ? Kind.RELEASING : Kind.LOST, called, token(held), 0);
        try {
            boolean unused = held.release();
        } catch (LockStoreException unknown) {
            // The lease ends it.
        }
        write(Kind.RELEASED, called, token(held), 0);
    }

    private void renew(LockHandle held) throws IOException {
        long called = Pace.now();
        try {
            if (held.renew()) {
                write(Kind.RENEWED, called, token(held), until(held));
            }
        } catch (LockStoreException unknown) {
            // The earlier deadline stands.
        }
    }

    /** Reads the number, takes its time, and writes one more. Between the two only the token protects it. */
    private void update(LockHandle held) throws IOException {
        if (!fenced) {
            return;
        }
        long called = Pace.now();
        OptionalLong number = resource.read(token(held));
        Pace.pass(Duration.ofMillis(ThreadLocalRandom.current().nextInt(5)));
        boolean accepted = number.isPresent() && resource.write(token(held), number.getAsLong() + 1);
        write(accepted ? Kind.WROTE : Kind.STALE, called, token(held), 0);
    }

    private long token(LockHandle held) {
        return fenced ? held.fencingToken().value() : 0;
    }

    /** Until when this process relies on its lock. The clock is read first: the time between the two is not relied on. */
    private static long until(LockHandle held) {
        long now = Pace.now();
        return now + held.remaining().toNanos();
    }

    private void write(Kind kind, long called, long token, long until) throws IOException {
        Entry entry = new Entry(kind, name, called, Pace.now(), token, until);
        ByteBuffer line = ByteBuffer.wrap(entry.line().getBytes(StandardCharsets.UTF_8));
        while (line.hasRemaining()) {
            log.write(line);
        }
    }
}
