package io.holdfast.bench;

import io.holdfast.bench.Contender.Side;
import java.util.List;

/** The scenarios of the engine alone, without a store. */
final class EngineScenarios {

    private static final int SOME = 8;
    private static final int HOLDS = 10_000;
    private static final String MEMORY = "memory:bench";

    private static final Contender JDK =
            new Contender("fair ReentrantLock", Side.LIMIT, unusedAddress -> new JdkLocks());
    private static final Contender OURS =
            new Contender("Holdfast in memory", Side.OURS, unusedAddress -> new HoldfastLocks(MEMORY));

    private EngineScenarios() {}

    static List<Scenario> all() {
        return List.of(alone(), many(), handOver(), timers());
    }

    private static Scenario scenario(String name, String title, String about, Exercise exercise, List<Contender> all) {
        return new Scenario(
                name,
                "The engine, " + title,
                about,
                StoreKind.NONE,
                exercise,
                List.of(Measure.CYCLES, Measure.ALLOCATION),
                all);
    }

    private static Scenario alone() {
        String name = "engine-alone";
        Contender among = new Contender(
                "Holdfast in memory, 10,000 others held",
                Side.OURS,
                unusedAddress -> holding(new HoldfastLocks(MEMORY)));
        return scenario(
                name,
                "one thread",
                "One thread acquires and releases a lock that nobody else wants, in the memory of its JVM: what the"
                        + " engine adds to the store's time.",
                new EngineCycles(name, 1, 1),
                List.of(JDK, OURS, among));
    }

    private static HoldfastLocks holding(HoldfastLocks locks) throws InterruptedException {
        for (int i = 0; i < HOLDS; i++) {
            locks.hold("held-" + i);
        }
        return locks;
    }

    private static Scenario many() {
        String name = "engine-many";
        return scenario(
                name,
                "8 threads with a lock each",
                "8 threads of one client, each of which has a lock that nobody else wants.",
                new EngineCycles(name, SOME, SOME),
                List.of(JDK, OURS));
    }

    private static Scenario handOver() {
        String name = "engine-hand-over";
        Contender never = new Contender(
                "Holdfast in memory, handOver=0",
                Side.OURS,
                unusedAddress -> new HoldfastLocks(MEMORY + "?handOver=0"));
        return scenario(
                name,
                "one lock for 8 threads",
                "8 threads of one client want one lock all the time. With `handOver=0` each hand-over goes through the"
                        + " store, which is memory here.",
                new EngineCycles(name, SOME, 1),
                List.of(JDK, OURS, never));
    }

    private static Scenario timers() {
        String name = "engine-timers";
        return scenario(
                name,
                "timers",
                "A timer of the engine is set and cancelled, alone and among 10,000 others.",
                new EngineCycles(name, 1, 1),
                List.of(
                        new Contender("a timer alone", Side.LIMIT, unusedAddress -> new EngineTimers(0)),
                        new Contender("among 10,000", Side.OURS, unusedAddress -> new EngineTimers(HOLDS))));
    }
}
