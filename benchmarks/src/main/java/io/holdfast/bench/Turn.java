package io.holdfast.bench;

import io.holdfast.servers.RedisServer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** One contender's turn in a scenario. */
final class Turn {

    private static final int WARMING_UP = 0;
    private static final int MEASURING = 1;
    private static final int ENDED = 2;

    private final Scenario scenario;
    private final RedisServer server;
    private final long warmUpMillis;
    private final long millis;
    private final AtomicInteger phase = new AtomicInteger(WARMING_UP);

    Turn(Scenario scenario, RedisServer server, long warmUpMillis, long millis) {
        this.scenario = scenario;
        this.server = server;
        this.warmUpMillis = warmUpMillis;
        this.millis = millis;
    }

    TurnResult run(Contender contender) throws Exception {
        server.command("FLUSHALL");
        List<Referee> referees = IntStream.range(0, scenario.locks())
                .mapToObj(i -> new Referee())
                .toList();
        ExecutorService threads = Executors.newFixedThreadPool(scenario.threads());
        try (Locks locks = contender.opening().call()) {
            List<Future<Times>> running = new ArrayList<>();
            for (int thread = 0; thread < scenario.threads(); thread++) {
                int lock = thread % scenario.locks();
                running.add(threads.submit(cycles(locks, "lock-" + lock, referees.get(lock))));
            }
            Thread.sleep(warmUpMillis);
            ServerCost before = ServerCost.of(server);
            long begun = System.nanoTime();
            phase.set(MEASURING);
            Thread.sleep(millis);
            phase.set(ENDED);
            double seconds = (System.nanoTime() - begun) / 1e9;
            ServerCost after = ServerCost.of(server);
            List<Times> times = new ArrayList<>();
            for (Future<Times> thread : running) {
                times.add(thread.get());
            }
            return result(times, seconds, before, after);
        } finally {
            threads.shutdownNow();
        }
    }

    private Callable<Times> cycles(Locks locks, String name, Referee referee) {
        return () -> {
            Section section = locks.section(name);
            Times times = new Times();
            while (phase.get() != ENDED) {
                long begun = System.nanoTime();
                referee.entered(section.enter());
                referee.leaves();
                section.leave();
                if (phase.get() == MEASURING) {
                    times.add(System.nanoTime() - begun);
                }
            }
            return times;
        };
    }

    private static TurnResult result(List<Times> threads, double seconds, ServerCost before, ServerCost after) {
        long[] sorted = threads.stream()
                .flatMapToLong(times -> LongStream.of(times.all()))
                .sorted()
                .toArray();
        long[] counts = threads.stream().mapToLong(Times::count).sorted().toArray();
        int cycles = Math.max(1, sorted.length);
        return new TurnResult(
                cycles / seconds,
                sorted.length == 0 ? Double.NaN : sorted[sorted.length / 2] / 1e3,
                sorted.length == 0 ? Double.NaN : sorted[(int) (sorted.length * 0.99)] / 1e3,
                (double) counts[0] / Math.max(1, Arrays.stream(counts).max().orElse(1)),
                after.since(before, ServerCost::cpuMicros) / cycles,
                after.since(before, ServerCost::scriptMicros) / cycles,
                after.since(before, ServerCost::commands) / cycles);
    }
}
