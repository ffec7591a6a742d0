package io.holdfast.wrong;

import io.holdfast.wrong.KitRuns.Outcome;
import io.holdfast.wrong.text.TextMutations;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.logging.LogManager;
import java.util.stream.IntStream;

/** Runs the kit over the mutants of scripts and statements, each until a test rejects it, and prints those that it accepts. */
final class Mutations {

    /** The tests mostly wait. */
    private static final int AT_A_TIME = 6;

    /** A run that a busy machine has spoilt is not repeated more often. */
    private static final int TRIES = 2;

    private static final int NOTHING_TO_RUN = 3;

    private Mutations() {}

    /**
     * Prints what the kit says of mutants.
     *
     * @param arguments a number n, to run only every n-th mutant, then parts of the names of mutants; all if there are none
     */
    public static void main(String[] arguments) throws InterruptedException, ExecutionException {
        if (arguments.length == 0 || !arguments[0].matches("[1-9][0-9]{0,4}")) {
            System.err.println("The first argument is "
                    + (arguments.length == 0 ? "missing" : "'" + arguments[0] + "'")
                    + "; allowed is a number, such as 10 for every tenth mutant");
            System.exit(NOTHING_TO_RUN);
        }
        int step = Integer.parseInt(arguments[0]);
        List<String> parts = List.of(arguments).subList(1, arguments.length);
        List<? extends WrongProvider> wanted = TextMutations.reachable()
                .filter(mutant -> parts.isEmpty() || parts.stream().anyMatch(mutant.name()::contains))
                .toList();
        LogManager.getLogManager().reset();
        ExecutorService runs = Executors.newFixedThreadPool(AT_A_TIME);
        Map<WrongProvider, Future<Outcome>> outcomes = new LinkedHashMap<>();
        IntStream.range(0, wanted.size())
                .filter(i -> i % step == 0)
                .mapToObj(wanted::get)
                .filter(TextMutations::runs)
                .forEach(mutant -> outcomes.put(mutant, runs.submit(() -> outcome(mutant))));
        Map<Outcome, Integer> numbers = new EnumMap<>(Outcome.class);
        for (Map.Entry<WrongProvider, Future<Outcome>> each : outcomes.entrySet()) {
            Outcome outcome = each.getValue().get();
            numbers.merge(outcome, 1, Integer::sum);
            System.out.println(outcome + " " + each.getKey().name());
        }
        runs.shutdown();
        System.out.println(outcomes.size() + " mutants that run: " + numbers);
        System.exit(0);
    }

    private static Outcome outcome(WrongProvider mutant) {
        List<Outcome> seen = new ArrayList<>();
        for (Class<?> level : List.of(SuspectTck.OfProvider.class, SuspectTck.OfClient.class)) {
            Outcome outcome = KitRuns.outcome(level, mutant::harness);
            for (int i = 1; i < TRIES && outcome == Outcome.INCONCLUSIVE; i++) {
                outcome = KitRuns.outcome(level, mutant::harness);
            }
            if (outcome == Outcome.REJECTED) {
                return outcome;
            }
            seen.add(outcome);
        }
        return seen.contains(Outcome.INCONCLUSIVE) ? Outcome.INCONCLUSIVE : Outcome.SURVIVES;
    }
}
