package io.holdfast.bench;

import io.holdfast.bench.Contender.Side;
import io.holdfast.lock.tck.faults.ServerProcess.ServerEnded;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Runs the scenarios and prints their tables. */
public final class Benchmarks {

    private static final int FAILED = 1;
    private static final int WRONG_USE = 2;

    /**
     * It tells at each connection that the server lacks something new. Kept, as the JDK forgets the level of a logger that nobody
     * has.
     */
    private static final Logger LETTUCE = Logger.getLogger("io.lettuce");

    private Benchmarks() {}

    /**
     * Measures. Ends with 1 if a contender fails or grants a lock to two at once, and with 2 if a word is wrong.
     *
     * @param arguments as {@code ./bench --help} tells, which the script answers itself
     */
    public static void main(String[] arguments) {
        quiet();
        try {
            run(Wish.of(List.of(arguments)));
        } catch (IllegalArgumentException wrong) {
            System.err.println("bench: " + wrong.getMessage() + ". See ./bench --help");
            System.exit(WRONG_USE);
        } catch (ServerEnded refused) {
            System.err.println("bench: " + refused.getMessage());
            System.exit(FAILED);
        } catch (Exception failure) {
            // Its clients have threads that would go on.
            failure.printStackTrace();
            System.exit(FAILED);
        }
        System.exit(0);
    }

    /** What a library logs at each of its turns says nothing about locks. */
    static void quiet() {
        LETTUCE.setLevel(Level.WARNING);
    }

    private static void run(Wish wish) throws Exception {
        List<Scenario> scenarios = wish.choose(Scenarios.all());
        Optional<Machine> machine = wish.report()
                ? Optional.of(Machine.here(System.getProperty("bench.commit", "unknown"), wish))
                : Optional.empty();
        List<Results> all = new ArrayList<>();
        try (RunningStores stores = new RunningStores(wish)) {
            for (Scenario scenario : scenarios) {
                Results results = run(scenario, stores.of(scenario.store()), wish);
                print(results);
                all.add(results);
            }
            if (machine.isPresent()) {
                Path docs = Path.of(System.getProperty("bench.home", "."), "docs");
                new PerformancePage(all, machine.get().with(stores.versions())).write(docs);
                System.out.println("\nWritten: " + docs.resolve("performance.md"));
            }
        }
    }

    private static Results run(Scenario scenario, MeasuredStore store, Wish wish) throws Exception {
        Results results = new Results(scenario);
        try (Exercise exercise = scenario.exercise()) {
            if (exercise.compilerMillis() > 0) {
                round(scenario, store, exercise.compilerMillis(), new Results(scenario));
            }
            for (int round = 0; round < exercise.rounds(wish.rounds()); round++) {
                round(scenario, store, wish.millis(), results);
            }
        }
        return results;
    }

    private static void round(Scenario scenario, MeasuredStore store, long millis, Results results) throws Exception {
        for (Contender contender : scenario.contenders()) {
            store.clear();
            results.add(contender, turn(scenario.exercise(), contender, store, millis));
        }
    }

    private static Figures turn(Exercise exercise, Contender contender, MeasuredStore store, long millis) {
        try {
            return exercise.turn(contender, store, millis);
        } catch (Exception failure) {
            throw new IllegalStateException("The turn of " + contender.name() + " has failed", failure);
        }
    }

    private static void print(Results results) {
        System.out.printf(
                "%n%s: %s%n", results.scenario().name(), results.scenario().title());
        List<List<String>> table = results.table();
        List<String> marks = new ArrayList<>(List.of("  "));
        results.scenario().contenders().forEach(contender -> marks.add(contender.side() == Side.OURS ? "* " : "  "));
        for (int i = 0; i < table.size(); i++) {
            StringBuilder line = new StringBuilder(
                    String.format("%-34s", marks.get(i) + table.get(i).get(0)));
            for (int column = 1; column < table.get(i).size(); column++) {
                int width = Math.max(9, table.get(0).get(column).length()) + 2;
                line.append(String.format("%" + width + "s", table.get(i).get(column)));
            }
            System.out.println(line);
        }
    }
}
