package io.holdfast.lock.tck;

import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.LockProvider;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Many threads that update a plain number under a lock: two holders at once lose an update. It measures no time, so a slow
 * machine cannot fail it.
 */
final class Hammer {

    /** The pause between a read and a write. Without it two holders at once would rarely overlap. */
    private static final Duration PAUSE = Duration.ofMillis(1);

    private static final int CLIENTS = 3;
    private static final int THREADS_OF_EACH = 2;

    private final Duration time;
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicInteger strikes = new AtomicInteger();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private volatile long start;
    private volatile int counter;

    Hammer(Duration time) {
        this.time = time;
    }

    /** The work of one thread. */
    interface Work {
        void run() throws InterruptedException;
    }

    /** What a holder does with the grant. */
    interface Holding {
        void with(Attempt.Granted granted);
    }

    /** Adds threads of several clients that acquire a lock again and again, each time with a new claim. */
    void contendFor(String name, Kit kit, Holding holding) {
        contendFor(name, kit, 1, holding);
    }

    /** As {@link #contendFor(String, Kit, Holding)}, and asks for so many tokens. */
    void contendFor(String name, Kit kit, int tokens, Holding holding) {
        for (int client = 0; client < CLIENTS; client++) {
            LockProvider provider = kit.provider();
            for (int thread = 0; thread < THREADS_OF_EACH; thread++) {
                add(() -> {
                    ClaimSpec spec = kit.claim(provider, name).lasting();
                    DrivenClaim claim = spec.make();
                    while (!isOver()) {
                        if (claim.attemptFor(tokens) instanceof Attempt.Granted granted) {
                            holding.with(granted);
                            claim.release();
                            claim = spec.make();
                        }
                    }
                    claim.release();
                });
            }
        }
    }

    void add(Work work) {
        threads.add(new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (InterruptedException | RuntimeException | AssertionError problem) {
                        failure.compareAndSet(null, problem);
                    }
                },
                "tck-hammer-" + threads.size()));
    }

    void run() throws InterruptedException {
        start = Pace.now();
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        Throwable problem = failure.get();
        if (problem != null) {
            throw new AssertionError("a thread that hammered at the lock failed: " + problem, problem);
        }
    }

    boolean isOver() {
        return failure.get() != null || Pace.since(start).compareTo(time) > 0;
    }

    /** The critical section: read, pause, write, protected by the lock alone. */
    void strike() {
        int read = counter;
        Pace.pass(PAUSE);
        counter = read + 1;
        strikes.incrementAndGet();
    }

    /** Fails if two holders were in the critical section at once. */
    void mustHaveLostNoUpdate() {
        if (counter != strikes.get()) {
            throw new CertainError("updates under the lock were lost, so two held it at once: of " + strikes.get()
                    + " updates " + counter + " are left");
        }
    }
}
