package io.holdfast.bench;

import java.util.concurrent.CompletionService;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Threads of one JVM wait for one lock. Then it is released, and each of them has it once.
 *
 * @param threads how many wait
 */
record ManyWaiters(int threads) implements Exercise {

    private static final String LOCK = "lock-0";

    @Override
    public Figures turn(Contender contender, MeasuredStore store, long millis) throws Exception {
        ExecutorService waiting = Executors.newFixedThreadPool(threads);
        try (Locks client = contender.opening().open(store.address())) {
            Referee referee = Referee.of(1);
            Section holder = client.section(LOCK);
            referee.entered(0, holder.enter());
            CountDownLatch begun = new CountDownLatch(threads);
            CompletionService<Long> served = new ExecutorCompletionService<>(waiting);
            for (int i = 0; i < threads; i++) {
                Future<Long> unusedFuture = served.submit(() -> once(client.section(LOCK), begun, referee));
            }
            if (!begun.await(1, TimeUnit.MINUTES)) {
                throw new IllegalStateException("Not all threads have begun to wait");
            }
            Thread.sleep(WARM_UP_MILLIS);
            StoreCost before = store.cost();
            Thread.sleep(millis);
            StoreCost cost = store.cost().since(before);
            long released = System.nanoTime();
            referee.leaves(0);
            holder.leave();
            long last = released;
            for (int i = 0; i < threads; i++) {
                Future<Long> one = served.poll(1, TimeUnit.MINUTES);
                if (one == null) {
                    throw new IllegalStateException(
                            "After " + i + " threads the next has not got the lock in a minute");
                }
                last = Math.max(last, one.get());
            }
            return new Figures()
                    .with(Measure.LAST_SERVED, (last - released) / 1e6)
                    .with(Measure.REQUESTS_A_SECOND, 1e3 * cost.requests() / millis)
                    .with(Measure.COMMANDS_A_SECOND, 1e3 * cost.commands() / millis);
        } finally {
            waiting.shutdownNow();
        }
    }

    /** Returns when the lock was released. */
    private static long once(Section section, CountDownLatch begun, Referee referee) throws Exception {
        begun.countDown();
        referee.entered(0, section.enter());
        referee.leaves(0);
        section.leave();
        return System.nanoTime();
    }
}
