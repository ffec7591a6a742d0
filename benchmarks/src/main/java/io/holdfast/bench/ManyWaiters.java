package io.holdfast.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
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
            List<Future<Long>> served = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                served.add(waiting.submit(() -> once(client.section(LOCK), begun, referee)));
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
            for (Future<Long> one : served) {
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
