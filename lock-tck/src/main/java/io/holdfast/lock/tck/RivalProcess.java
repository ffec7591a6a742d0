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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;

/**
 * The main class of a process that acquires a lock again and again, and writes down what it is told. Under the lock it adds one
 * to a number in a file.
 */
final class RivalProcess {

    /** Printed, with the monotonic clock, when everything is loaded and connected. */
    static final String READY = "ready ";

    private static final int WARM_UPS = 10;

    private final LockClient client;
    private final List<String> names;
    private final LockOptions options;
    private final Path directory;
    private final FileChannel log;
    private final boolean fenced;

    private RivalProcess(LockClient client, List<String> names, Duration lease, Path log) throws IOException {
        this.client = client;
        this.names = names;
        // This process renews by itself: it has to know when each renewal was called.
        this.options = LockOptions.DEFAULTS.withLeaseTime(lease).withoutRenewal();
        this.directory = log.resolveSibling("");
        this.log = FileChannel.open(log, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        this.fenced = Capability.FENCED.isMetBy(client.capabilities());
    }

    /**
     * Competes until a line says {@code end}.
     *
     * @param arguments the names of the locks, their lease in milliseconds, the number of threads, and the file of this process.
     *     The URI is the first line of the standard input, as all users can read the arguments of a process, and properties
     *     follow it up to an empty line
     */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        List<String> names = List.of(arguments[0].split(",", -1));
        Duration lease = Duration.ofMillis(Long.parseLong(arguments[1]));
        Path log = Path.of(arguments[3]);
        try (LockClient client = connected(in)) {
            warmUp(client.lock(names.get(0) + "-warm-up-" + log.getFileName()));
            System.out.println(READY + System.nanoTime());
            in.readLine();
            Call<String> end = Call.start(in::readLine);
            compete(client, names, lease, Integer.parseInt(arguments[2]), log, end::isDone);
        }
    }

    private static LockClient connected(BufferedReader in) throws IOException {
        LockClient.Builder builder = LockClient.builder(in.readLine());
        for (String line = in.readLine(); !line.isEmpty(); line = in.readLine()) {
            int sign = line.indexOf('=');
            builder.property(line.substring(0, sign), line.substring(sign + 1));
        }
        return builder.build();
    }

    /** Competes by several threads of one client, each with a separate file, until it is enough; throws if one of them cannot. */
    static void compete(
            LockClient client, List<String> names, Duration lease, int threads, Path log, BooleanSupplier enough)
            throws IOException {
        List<Call<?>> calls = new ArrayList<>();
        for (int i = 1; i <= threads; i++) {
            RivalProcess rival = new RivalProcess(client, names, lease, file(log, i));
            calls.add(Call.running(() -> {
                try (rival.log) {
                    while (!enough.getAsBoolean()) {
                        rival.compete();
                    }
                }
            }));
        }
        while (!enough.getAsBoolean() && calls.stream().noneMatch(Call::isDone)) {
            Pace.pass(Duration.ofMillis(20));
        }
        calls.forEach(Call::result);
    }

    /** The file of a thread. */
    static Path file(Path log, int thread) {
        return log.resolveSibling(log.getFileName() + "-thread-" + thread);
    }

    /** What the lock of a name protects. */
    static FencedFile resource(Path directory, int name) {
        return new FencedFile(directory.resolve("number-" + name));
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
        int which = ThreadLocalRandom.current().nextInt(names.size());
        String name = names.get(which);
        long called = Pace.now();
        write(Kind.ASK, name, called, 0, 0);
        Optional<LockHandle> granted = Optional.empty();
        try {
            granted = client.lock(name, options).tryAcquire(options.leaseTime().multipliedBy(4));
        } catch (LockStoreException | LockLostException stopped) {
            // A process that was stopped for long finds its connections broken, or its grant over.
        }
        if (granted.isEmpty()) {
            write(Kind.REFUSED, name, called, 0, 0);
            return;
        }
        LockHandle held = granted.get();
        write(Kind.GRANT, name, called, token(held), until(held));
        update(held, resource(directory, which));
        if (ThreadLocalRandom.current().nextInt(3) == 0) {
            renew(held);
        }
        end(held);
    }

    private void end(LockHandle held) throws IOException {
        long called = Pace.now();
        write(held.isHeld() ? Kind.RELEASING : Kind.LOST, held.name(), called, token(held), 0);
        try {
            boolean unused = held.release();
        } catch (LockStoreException unknown) {
            // The lease ends it.
        }
        write(Kind.RELEASED, held.name(), called, token(held), 0);
    }

    private void renew(LockHandle held) throws IOException {
        long called = Pace.now();
        try {
            if (held.renew()) {
                write(Kind.RENEWED, held.name(), called, token(held), until(held));
            }
        } catch (LockStoreException unknown) {
            // The earlier deadline stands.
        }
    }

    /** Reads the number, takes its time, and writes one more. Between the two only the token protects it. */
    private void update(LockHandle held, FencedFile resource) throws IOException {
        if (!fenced) {
            return;
        }
        long called = Pace.now();
        OptionalLong number = resource.read(token(held));
        Pace.pass(Duration.ofMillis(ThreadLocalRandom.current().nextInt(5)));
        boolean accepted = number.isPresent() && resource.write(token(held), number.getAsLong() + 1);
        write(accepted ? Kind.WROTE : Kind.STALE, held.name(), called, token(held), 0);
    }

    private long token(LockHandle held) {
        return fenced ? held.fencingToken().value() : 0;
    }

    /** Until when this process relies on its lock. The clock is read first: the time between the two is not relied on. */
    private static long until(LockHandle held) {
        long now = Pace.now();
        return now + held.remaining().toNanos();
    }

    private void write(Kind kind, String name, long called, long token, long until) throws IOException {
        Entry entry = new Entry(kind, name, called, Pace.now(), token, until);
        ByteBuffer line = ByteBuffer.wrap(entry.line().getBytes(StandardCharsets.UTF_8));
        while (line.hasRemaining()) {
            log.write(line);
        }
    }
}
