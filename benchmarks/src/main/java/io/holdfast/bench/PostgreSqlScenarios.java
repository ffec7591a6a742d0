package io.holdfast.bench;

import io.holdfast.bench.Contender.Side;
import java.util.List;

/** The scenarios in PostgreSQL. */
final class PostgreSqlScenarios {

    private static final int SOME = 8;
    private static final int MANY = 64;
    private static final int PROCESSES = 4;
    private static final int THREADS_EACH = 2;

    private static final Contender BARE = new Contender("bare INSERT and DELETE", Side.LIMIT, BarePostgreSql::new);
    private static final Contender OURS = new Contender("Holdfast", Side.OURS, HoldfastLocks::withTable);
    private static final Contender SPRING = new Contender("Spring Integration", Side.PEER, SpringTableLocks::new);
    private static final Contender SHED_LOCK = new Contender("ShedLock", Side.PEER, ShedLocks::new);

    private static final List<Measure> COSTS = List.of(Measure.CYCLES, Measure.P50, Measure.P99, Measure.FAIRNESS);

    private PostgreSqlScenarios() {}

    static List<Scenario> all() {
        return List.of(
                alone("alone", "one thread", 1),
                alone("some", "8 threads with a lock each", SOME),
                alone("many", "64 threads with a lock each", MANY),
                processes());
    }

    private static Scenario alone(String name, String title, int threads) {
        return new Scenario(
                "postgresql-" + name,
                "PostgreSQL, " + title,
                "Locks that nobody else wants. The limit is a row that is inserted and deleted, by a connection for"
                        + " each thread; the libraries have pools of 8. Each commit waits for the disk.",
                StoreKind.POSTGRESQL,
                new Cycles(threads, threads),
                COSTS,
                List.of(BARE, OURS, SPRING, SHED_LOCK));
    }

    private static Scenario processes() {
        String name = "postgresql-processes";
        return new Scenario(
                name,
                "PostgreSQL, one lock for 4 processes with 2 threads each",
                "8 threads in 4 JVMs want one lock all the time. ShedLock cannot wait for a lock. The ratio is to"
                        + " Spring Integration.",
                StoreKind.POSTGRESQL,
                new ProcessCycles(name, PROCESSES, THREADS_EACH),
                List.of(Measure.CYCLES, Measure.P50, Measure.P99, Measure.FAIRNESS, Measure.PROCESS_FAIRNESS),
                List.of(SPRING, OURS));
    }
}
