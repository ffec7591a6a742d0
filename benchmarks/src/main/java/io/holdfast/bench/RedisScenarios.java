package io.holdfast.bench;

import io.holdfast.bench.Contender.Side;
import java.time.Duration;
import java.util.List;

/** The scenarios in Redis. */
final class RedisScenarios {

    private static final int MANY = 64;
    private static final int SOME = 8;
    private static final int PROCESSES = 4;
    private static final int THREADS_EACH = 2;
    private static final int WAITERS = 200;
    private static final int HOLDS = 10_000;
    private static final Duration SHORT_LEASE = Duration.ofSeconds(10);

    private static final Contender BARE = new Contender("bare SET and script", Side.LIMIT, BareRedis::set);
    private static final Contender QUEUE = new Contender("bare BLPOP and LPUSH", Side.LIMIT, BareRedis::queue);
    private static final Contender HASH = ours("Holdfast hash", "redis", "");
    private static final Contender STRING = ours("Holdfast string", "redis", "?layout=string");
    private static final Contender LONGER = ours("Holdfast hash, handOver=64", "redis", "?handOver=64");
    private static final Contender ON_REDISSON = ours("Holdfast on Redisson", "redisson", "");
    private static final Contender REDISSON = new Contender("Redisson RLock", Side.PEER, RedissonLocks::new);
    private static final Contender SPRING = new Contender("Spring Integration", Side.PEER, SpringLocks::new);
    private static final Contender TEXTBOOK = new Contender("textbook on Jedis", Side.TEXTBOOK, JedisLocks::new);

    private static final List<Contender> ALONE = List.of(BARE, HASH, STRING, ON_REDISSON, REDISSON, SPRING, TEXTBOOK);
    private static final List<Contender> WAITING =
            List.of(QUEUE, HASH, LONGER, STRING, ON_REDISSON, REDISSON, SPRING, TEXTBOOK);
    private static final List<Measure> COSTS = List.of(
            Measure.CYCLES,
            Measure.P50,
            Measure.P99,
            Measure.FAIRNESS,
            Measure.SERVER_CPU,
            Measure.SCRIPTS,
            Measure.REQUESTS,
            Measure.COMMANDS);
    private static final List<Measure> PROCESS_COSTS = List.of(
            Measure.CYCLES,
            Measure.P50,
            Measure.P99,
            Measure.FAIRNESS,
            Measure.PROCESS_FAIRNESS,
            Measure.SERVER_CPU,
            Measure.REQUESTS,
            Measure.COMMANDS);

    private static final String TEXTBOOK_WAIT =
            "The textbook's lock sleeps 5 ms after each refusal, so the thread that releases it mostly has it again at"
                    + " once: many cycles for a few, long waits for the others, as p50 and p99 show.";

    private RedisScenarios() {}

    private static Contender ours(String name, String scheme, String parameters) {
        return new Contender(name, Side.OURS, address -> new HoldfastLocks(scheme + "://" + address + parameters));
    }

    static List<Scenario> all() {
        return List.of(alone(), many(), handOver(), processes(), waiters(), holds());
    }

    private static Scenario scenario(
            String name, String title, String about, Exercise exercise, List<Measure> measures, List<Contender> all) {
        return new Scenario("redis-" + name, title, about, StoreKind.REDIS, exercise, measures, all);
    }

    private static Scenario alone() {
        return scenario(
                "alone",
                "Redis, one thread",
                "One thread acquires and releases a lock that nobody else wants.",
                new Cycles(1, 1),
                COSTS,
                ALONE);
    }

    private static Scenario many() {
        return scenario(
                "many",
                "Redis, 64 threads with a lock each",
                "64 threads of one JVM, each of which has a lock that nobody else wants: what the connections of a"
                        + " client carry.",
                new Cycles(MANY, MANY),
                COSTS,
                ALONE);
    }

    private static Scenario handOver() {
        return scenario(
                "hand-over",
                "Redis, one lock for 8 threads of one JVM",
                "8 threads of one JVM want one lock all the time. Ours pass it on within the client up to 16 times in"
                        + " a row, without a question to the server; `handOver=64` makes that 64 times. "
                        + TEXTBOOK_WAIT,
                new Cycles(SOME, 1),
                COSTS,
                WAITING);
    }

    private static Scenario processes() {
        String name = "processes";
        return scenario(
                name,
                "Redis, one lock for 4 processes with 2 threads each",
                "8 threads in 4 JVMs want one lock all the time. Fairness is the fewest cycles of a thread in parts of"
                        + " the most of another one, and the same for the processes. " + TEXTBOOK_WAIT,
                new ProcessCycles("redis-" + name, PROCESSES, THREADS_EACH),
                PROCESS_COSTS,
                WAITING);
    }

    private static Scenario waiters() {
        return scenario(
                "waiters",
                "Redis, 200 threads wait for one lock",
                "200 threads of one JVM wait for a lock that one of its threads holds. Then it is released, and each"
                        + " of them acquires and releases it once. The requests and commands are those while all wait.",
                new ManyWaiters(WAITERS),
                List.of(Measure.LAST_SERVED, Measure.REQUESTS_A_SECOND, Measure.COMMANDS_A_SECOND),
                WAITING);
    }

    private static Scenario holds() {
        String name = "holds";
        Contender hash = ours("Holdfast hash", "redis", "?lease=10s");
        Contender string = ours("Holdfast string", "redis", "?layout=string&lease=10s");
        Contender onRedisson = ours("Holdfast on Redisson", "redisson", "?lease=10s");
        Contender redisson =
                new Contender("Redisson RLock", Side.PEER, address -> new RedissonLocks(address, SHORT_LEASE));
        Contender spring = new Contender(
                "Spring Integration, renewed", Side.PEER, address -> SpringLocks.renewed(address, SHORT_LEASE));
        return scenario(
                name,
                "Redis, 10,000 locks held with a lease of 10 s",
                "One thread holds 10,000 locks for 10 seconds, which the library renews. The heap is that of the"
                        + " client and what it gives to the application; the threads are those that there were not before"
                        + " the client was opened. The server reads up to 16 KB at once, so that a request of ours, which"
                        + " renews 500 locks, counts as three.",
                new ManyHolds("redis-" + name, HOLDS, SHORT_LEASE),
                List.of(Measure.REQUESTS_A_SECOND, Measure.COMMANDS_A_SECOND, Measure.HEAP, Measure.THREADS),
                List.of(redisson, hash, string, onRedisson, spring));
    }
}
