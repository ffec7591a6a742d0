package io.holdfast.bench;

import io.holdfast.bench.Contender.Side;
import io.holdfast.servers.RedisServer;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;

/** Runs the scenarios and prints their tables. */
public final class Benchmarks {

    private static final long WARM_UP_MILLIS = 700;
    private static final int WRONG_USE = 2;

    private Benchmarks() {}

    /**
     * Measures.
     *
     * @param arguments see {@link Wish#USAGE}
     * @throws Exception if a contender fails, or grants a lock to two at once
     */
    public static void main(String[] arguments) throws Exception {
        List<String> words = List.of(arguments);
        if (words.contains("--help")) {
            System.out.println(Wish.USAGE);
            return;
        }
        try (RedisServer server = RedisServer.start()) {
            Wish wish = Wish.of(words);
            for (Scenario scenario : wish.choose(RedisScenarios.of(server))) {
                run(scenario, server, wish);
            }
        } catch (IllegalArgumentException wrong) {
            System.err.println(wrong.getMessage() + "\n" + Wish.USAGE);
            System.exit(WRONG_USE);
        }
        System.exit(0);
    }

    private static void run(Scenario scenario, RedisServer server, Wish wish) throws Exception {
        Map<Contender, TurnResult[]> results = new LinkedHashMap<>();
        scenario.contenders().forEach(contender -> results.put(contender, new TurnResult[wish.rounds()]));
        for (int round = 0; round < wish.rounds(); round++) {
            for (Contender contender : scenario.contenders()) {
                TurnResult result = new Turn(scenario, server, WARM_UP_MILLIS, wish.millis()).run(contender);
                Objects.requireNonNull(results.get(contender))[round] = result;
            }
        }
        print(scenario, results);
    }

    private static void print(Scenario scenario, Map<Contender, TurnResult[]> results) {
        System.out.printf("%n%s%n", scenario.title());
        System.out.printf(
                "%-34s %10s %8s %10s %10s %9s %8s %8s %9s%n",
                "", "cycles/s", "of limit", "p50 us", "p99 us", "fairness", "cpu us", "lua us", "commands");
        TurnResult[] limit =
                Objects.requireNonNull(results.get(scenario.contenders().get(0)));
        results.forEach((contender, rounds) -> {
            double[] ratios = new double[rounds.length];
            for (int i = 0; i < rounds.length; i++) {
                ratios[i] = rounds[i].cyclesPerSecond() / limit[i].cyclesPerSecond();
            }
            System.out.printf(
                    Locale.ROOT,
                    "%-34s %10.0f %7.0f%% %10.0f %10.0f %9.2f %8.1f %8.1f %9.2f%n",
                    (contender.side() == Side.OURS ? "* " : "  ") + contender.name(),
                    median(rounds, TurnResult::cyclesPerSecond),
                    100 * median(ratios),
                    median(rounds, TurnResult::medianMicros),
                    median(rounds, TurnResult::p99Micros),
                    median(rounds, TurnResult::fairness),
                    median(rounds, TurnResult::serverMicros),
                    median(rounds, TurnResult::scriptMicros),
                    median(rounds, TurnResult::commands));
        });
        System.out.println(
                "Each figure is the median of the rounds, and cpu, lua (the scripts) and commands (those inside scripts"
                        + " too) are the server's per cycle.");
    }

    private static double median(TurnResult[] rounds, ToDoubleFunction<TurnResult> part) {
        return median(Arrays.stream(rounds).mapToDouble(part).toArray());
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
