package io.holdfast.lock.tck;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.core.memory.MemoryLockProvider;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.tck.faults.Fault;
import io.holdfast.lock.tck.faults.Faults;
import io.holdfast.lock.tck.faults.LostReply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The in-memory store with every fault, played: the calls of its providers fail or wait as if it were a server. */
final class FaultyStore implements Faults {

    /** How long a call waits for its reply. */
    private static final Duration TIME_OUT = Duration.ofSeconds(1);

    /**
     * How long a connection hangs at most: longer than the leases of a test that is repeated, which are longer than those of its
     * first run.
     */
    private static final Duration HANGS = Duration.ofSeconds(8);

    private static final String FULL = "the store takes no changes";
    private static final String LOADING = "the store is loading its data";

    private final MemoryLockProvider operator;
    private final Map<String, Duration> leases = new ConcurrentHashMap<>();
    private final List<Runnable> unread = new ArrayList<>();

    /** What was sent over the connection that hangs. */
    private final Queue<Supplier<?>> late = new ConcurrentLinkedQueue<>();

    private final AtomicBoolean stallsNext = new AtomicBoolean();
    private final AtomicBoolean losesNextReply = new AtomicBoolean();
    private final AtomicInteger endedSessions = new AtomicInteger();
    private volatile CountDownLatch stalled = new CountDownLatch(0);
    private volatile boolean down;
    private final AtomicInteger outages = new AtomicInteger();
    private volatile boolean lostData;
    private volatile boolean full;
    private volatile boolean losesReplies;
    private volatile @Nullable String refusal;
    private volatile Duration delay = Duration.ZERO;
    private boolean paused;

    FaultyStore(MemoryLockProvider operator) {
        this.operator = operator;
    }

    /** A provider that reaches the store through the faults. */
    LockProvider over(LockProvider provider) {
        return new DistantProvider(this, provider, new AtomicBoolean(), ConcurrentHashMap.newKeySet());
    }

    boolean isDown() {
        return down;
    }

    /** Whether a failure is an answer of the store. */
    static boolean isAnswer(LockStoreException failure) {
        return isLoading(failure) || String.valueOf(failure.getMessage()).endsWith(FULL);
    }

    /** Whether a failure is an answer of a store that loads its data: the second kind of error. */
    static boolean isLoading(LockStoreException failure) {
        return String.valueOf(failure.getMessage()).endsWith(LOADING);
    }

    /** How often it has been down. */
    int outages() {
        return outages.get();
    }

    boolean hasLostData() {
        return lostData;
    }

    /** Whether its replies are lost now. */
    boolean losesReplies() {
        return losesReplies;
    }

    /** How many sessions of its providers have ended. */
    int endedSessions() {
        return endedSessions.get();
    }

    private void goDown() {
        outages.incrementAndGet();
        down = true;
    }

    void knows(String name, Duration lease) {
        leases.put(name, lease);
    }

    /** Carries a call to the store and its reply back. */
    <T> T carry(AtomicBoolean connected, Supplier<T> call) {
        check(!down, "the store is down");
        check(connected.get() || !full, "no connection is left");
        connected.set(true);
        if (stallsNext.compareAndSet(true, false)) {
            late.add(call);
            stall();
        }
        String refused = refusal;
        check(refused == null, String.valueOf(refused));
        CompletableFuture<T> reply = new CompletableFuture<>();
        arrive(() -> run(call, reply));
        T answer = result(reply);
        Pace.pass(delay);
        check(!losesReplies && !losesNextReply.compareAndSet(true, false), "the reply was lost");
        return answer;
    }

    private static void check(boolean works, String problem) {
        if (!works) {
            throw new LockStoreException("The test plays a fault: " + problem);
        }
    }

    private void stall() {
        try {
            boolean unused = stalled.await(HANGS.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        check(false, "the connection hung");
    }

    private void arrive(Runnable command) {
        synchronized (unread) {
            if (paused) {
                unread.add(command);
                return;
            }
        }
        command.run();
    }

    private static <T> void run(Supplier<T> call, CompletableFuture<T> reply) {
        try {
            reply.complete(call.get());
        } catch (RuntimeException failure) {
            reply.completeExceptionally(failure);
        }
    }

    private static <T> T result(CompletableFuture<T> reply) {
        try {
            return reply.get(TIME_OUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException failed) {
            throw (RuntimeException) failed.getCause();
        } catch (TimeoutException late) {
            throw new LockStoreException("The test plays a fault: no reply", late);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new LockStoreException("The test plays a fault: interrupted", interrupted);
        }
    }

    private void paused(boolean now) {
        synchronized (unread) {
            paused = now;
            unread.forEach(Runnable::run);
            unread.clear();
        }
    }

    private void forget(@Nullable Duration leasesUpTo) {
        leases.forEach((name, lease) -> {
            if (leasesUpTo == null || lease.compareTo(leasesUpTo) <= 0) {
                operator.remove(name);
            }
        });
    }

    @Override
    public Optional<Fault> outage() {
        return Optional.of(new Fault(this::goDown, () -> down = false));
    }

    @Override
    public Optional<Fault> lostReplies() {
        return Optional.of(new Fault(() -> losesReplies = true, () -> losesReplies = false));
    }

    @Override
    public Optional<LostReply> lostReply() {
        Fault fault = new Fault(() -> losesNextReply.set(true), () -> losesNextReply.set(false));
        return Optional.of(new LostReply(fault, () -> !losesNextReply.get()));
    }

    @Override
    public List<Fault> errorReplies() {
        return Stream.of(FULL, LOADING)
                .map(kind -> new Fault(() -> refusal = kind, () -> refusal = null))
                .toList();
    }

    @Override
    public Optional<Fault> stalledConnection() {
        return Optional.of(new Fault(
                () -> {
                    stalled = new CountDownLatch(1);
                    stallsNext.set(true);
                },
                () -> {
                    stallsNext.set(false);
                    stalled.countDown();
                    for (Supplier<?> call = late.poll(); call != null; call = late.poll()) {
                        Object unused = call.get();
                    }
                }));
    }

    @Override
    public Optional<Function<Duration, Fault>> slowNetwork() {
        return Optional.of(late -> new Fault(() -> delay = late, () -> delay = Duration.ZERO));
    }

    @Override
    public Optional<Fault> pause() {
        return Optional.of(new Fault(() -> paused(true), () -> paused(false)));
    }

    @Override
    public Optional<Fault> crash() {
        return outage();
    }

    @Override
    public Optional<Fault> dataLoss() {
        return Optional.of(new Fault(this::goDown, () -> {
            lostData = true;
            forget(null);
            down = false;
        }));
    }

    @Override
    public Optional<Consumer<LockProvider>> sessionEnd() {
        return Optional.of(provider -> {
            endedSessions.incrementAndGet();
            DistantProvider.of(provider).names().forEach(operator::remove);
        });
    }

    @Override
    public Optional<Function<Duration, Fault>> clockStep() {
        return Optional.of(forward -> new Fault(() -> forget(forward), () -> {}));
    }

    @Override
    public Optional<Fault> exhaustion() {
        return Optional.of(new Fault(() -> full = true, () -> full = false));
    }
}
