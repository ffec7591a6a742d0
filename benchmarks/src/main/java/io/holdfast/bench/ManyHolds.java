package io.holdfast.bench;

import io.holdfast.lock.tck.faults.ChildJvm;
import java.time.Duration;
import java.util.List;

/**
 * One thread of a JVM that has nothing else holds many locks, for half a lease and then, measured, for a whole one.
 *
 * @param scenario the name of the scenario, by which the JVM finds the contender
 * @param locks how many
 * @param lease the lease that the contenders were opened with
 */
record ManyHolds(String scenario, int locks, Duration lease) implements Exercise {

    private static final Duration BOUND = Duration.ofMinutes(2);
    private static final List<String> OPTIONS = List.of("-XX:TieredStopAtLevel=4", "-Xmx512m");

    @Override
    public Figures turn(Contender contender, MeasuredStore store, long millis) throws Exception {
        try (ChildJvm child = ChildJvm.start(
                OPTIONS, HoldsProcess.class, scenario, contender.name(), store.address(), Integer.toString(locks))) {
            String[] held = child.awaitLine(HoldsProcess.HELD, BOUND).split(" ", -1);
            // The first renewal of a lock may cost more than those that follow: by then each has had one.
            Thread.sleep(lease.dividedBy(2).toMillis());
            StoreCost before = store.cost();
            // A whole lease, as renewals come at once: a part of one has many or none.
            Thread.sleep(lease.toMillis());
            StoreCost cost = store.cost().since(before);
            if (store.locks() < locks) {
                throw new IllegalStateException("Of " + locks + " locks " + store.locks() + " are left");
            }
            child.send(HoldsProcess.RELEASE);
            String unusedLine = child.awaitLine(HoldsProcess.RELEASED, BOUND);
            double seconds = lease.toMillis() / 1e3;
            return new Figures()
                    .with(Measure.REQUESTS_A_SECOND, cost.requests() / seconds)
                    .with(Measure.COMMANDS_A_SECOND, cost.commands() / seconds)
                    .with(Measure.HEAP, Double.parseDouble(held[1]))
                    .with(Measure.THREADS, Double.parseDouble(held[2]));
        }
    }

    @Override
    public long compilerMillis() {
        return 0;
    }

    /** Once: what it counts is the same each time. */
    @Override
    public int rounds(int wanted) {
        return 1;
    }
}
