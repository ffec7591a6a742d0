package io.holdfast.bench;

import java.util.Collection;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * Threads of one JVM acquire and release.
 *
 * @param threads how many
 * @param locks how many locks they share
 */
record Cycles(int threads, int locks) implements Exercise {

    @Override
    public Figures turn(Contender contender, MeasuredStore store, long millis) throws Exception {
        try (Locks client = contender.opening().open(store.address());
                Crew crew = new Crew(client, threads, locks, Referee.of(locks))) {
            Thread.sleep(WARM_UP_MILLIS);
            StoreCost before = store.cost();
            long begun = System.nanoTime();
            crew.measure();
            Thread.sleep(millis);
            crew.stop();
            double seconds = (System.nanoTime() - begun) / 1e9;
            StoreCost cost = store.cost().since(before);
            return figures(crew.times(), seconds, cost);
        }
    }

    static Figures figures(List<Times> threads, double seconds, StoreCost cost) {
        Times all = new Times();
        threads.forEach(all::add);
        return cost.addTo(new Figures(), (double) Math.max(1, all.count()))
                .with(Measure.CYCLES, all.count() / seconds)
                .with(Measure.P50, all.micros(0.5))
                .with(Measure.P99, all.micros(0.99))
                .with(Measure.FAIRNESS, fairness(threads, Times::count));
    }

    /** The fewest in parts of the most. */
    static <T> double fairness(Collection<T> all, ToLongFunction<T> count) {
        long fewest = all.stream().mapToLong(count).min().orElse(0);
        long most = all.stream().mapToLong(count).max().orElse(0);
        return (double) fewest / Math.max(1, most);
    }
}
