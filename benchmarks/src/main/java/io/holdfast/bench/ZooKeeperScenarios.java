package io.holdfast.bench;

import io.holdfast.bench.Contender.Side;
import java.time.Duration;
import java.util.List;

/** The scenarios in ZooKeeper. */
final class ZooKeeperScenarios {

    private static final int SOME = 8;
    private static final int ONE_JVM = 32;
    private static final int MANY = 64;
    private static final int PROCESSES = 4;
    private static final int THREADS_EACH = 2;
    private static final int HOLDS = 10_000;

    /** Of which a third of five twelfths passes between two renewals. */
    private static final Duration SESSION = Duration.ofSeconds(30);

    private static final Contender BARE = new Contender("bare create and delete", Side.LIMIT, BareZooKeeper::new);
    private static final Contender OURS =
            new Contender("Holdfast", Side.OURS, address -> new HoldfastLocks("zookeeper://" + address));
    private static final Contender CURATOR = new Contender("Curator InterProcessMutex", Side.PEER, CuratorLocks::new);

    private static final List<Measure> COSTS =
            List.of(Measure.CYCLES, Measure.P50, Measure.P99, Measure.FAIRNESS, Measure.REQUESTS);
    private static final List<Measure> PROCESS_COSTS = List.of(
            Measure.CYCLES, Measure.P50, Measure.P99, Measure.FAIRNESS, Measure.PROCESS_FAIRNESS, Measure.REQUESTS);

    private ZooKeeperScenarios() {}

    static List<Scenario> all() {
        return List.of(
                alone("alone", "one thread", 1),
                alone("some", "8 threads with a lock each", SOME),
                alone("many", "64 threads with a lock each", MANY),
                processes(),
                handOver(),
                holds());
    }

    private static Scenario alone(String name, String title, int threads) {
        return new Scenario(
                "zookeeper-" + name,
                "ZooKeeper, " + title,
                "Locks that nobody else wants. The limit is a node that is created and deleted, by one session for all"
                        + " threads, as the others have it.",
                StoreKind.ZOOKEEPER,
                new Cycles(threads, threads),
                COSTS,
                List.of(BARE, OURS, CURATOR));
    }

    private static Scenario processes() {
        String name = "zookeeper-processes";
        return new Scenario(
                name,
                "ZooKeeper, one lock for 4 processes with 2 threads each",
                "8 threads in 4 JVMs want one lock all the time. The ratio is to Curator.",
                StoreKind.ZOOKEEPER,
                new ProcessCycles(name, PROCESSES, THREADS_EACH),
                PROCESS_COSTS,
                List.of(CURATOR, OURS));
    }

    private static Scenario handOver() {
        return new Scenario(
                "zookeeper-hand-over",
                "ZooKeeper, one lock for 32 threads of one JVM",
                "32 threads of one JVM want one lock all the time; with Curator each has a mutex object of its own."
                        + " The ratio is to Curator.",
                StoreKind.ZOOKEEPER,
                new Cycles(ONE_JVM, 1),
                COSTS,
                List.of(CURATOR, OURS));
    }

    private static Scenario holds() {
        String name = "zookeeper-holds";
        return new Scenario(
                name,
                "ZooKeeper, 10,000 locks held by a session of 30 s",
                "One thread holds 10,000 locks for 30 seconds. The heap is that of the client and what it gives to the"
                        + " application. Curator renews no lock, and so does not notice that one is gone. What a lock"
                        + " costs once is not counted: the first renewal of each reads its node, to watch it. The ratio is to"
                        + " Curator.",
                StoreKind.ZOOKEEPER,
                new ManyHolds(name, HOLDS, SESSION),
                List.of(Measure.REQUESTS_A_SECOND, Measure.HEAP, Measure.THREADS),
                List.of(CURATOR, OURS));
    }
}
