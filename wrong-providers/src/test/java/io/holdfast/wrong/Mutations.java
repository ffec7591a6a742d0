package io.holdfast.wrong;

import io.holdfast.wrong.KitRuns.Outcome;
import io.holdfast.wrong.text.TextMutations;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.logging.LogManager;
import java.util.stream.Stream;

/**
 * Runs the kit over the mutants of scripts and statements, each until a test rejects it, and prints what became of each. Those
 * that were {@linkplain JudgedMutants judged} to be no faults are not run.
 */
final class Mutations {

    /** The tests mostly wait. */
    private static final int AT_A_TIME = 6;

    /** A run that a busy machine has spoilt is not repeated more often. */
    private static final int TRIES = 2;

    // How it ends; the same as of the command that runs the kit.
    private static final int SURVIVOR = 1;
    private static final int TOO_SLOW = 2;
    private static final int NOTHING_TO_RUN = 3;

    private Mutations() {}

    /**
     * Prints what the kit says of mutants, and ends the JVM with 1 if one survives that nobody has judged, with 2 if the machine
     * was too slow to tell, and with 3 if there is none to run.
     *
     * @param arguments which share to run, such as {@code 10} or {@code 1/10} for the first tenth, then parts of the names of
     *     mutants; all if there are none
     */
    public static void main(String[] arguments) throws InterruptedException, ExecutionException {
        MutantShare share = MutantShare.parse(arguments.length == 0 ? "" : arguments[0])
                .orElseThrow(() -> refused("The first argument is "
                        + (arguments.length == 0 ? "missing" : "'" + arguments[0] + "'")
                        + "; allowed is a share of the mutants, such as 10 or 1/10 for the first"
                        + " tenth, 2/10 for the second"));
        List<String> parts = List.of(arguments).subList(1, arguments.length);
        List<? extends WrongProvider> wanted = share.of(TextMutations.reachable()
                .filter(mutant -> parts.isEmpty() || parts.stream().anyMatch(mutant.name()::contains))
                .toList());
        if (wanted.isEmpty()) {
            throw refused("No mutant of this share has one of " + parts + " in its name");
        }
        JudgedMutants judged = JudgedMutants.read();
        LogManager.getLogManager().reset();
        ExecutorService runs = Executors.newFixedThreadPool(AT_A_TIME);
        List<Future<Outcome>> outcomes = wanted.stream()
                .filter(mutant -> judged.reason(TextMutations.place(mutant)).isEmpty())
                .filter(TextMutations::runs)
                .map(mutant -> runs.submit(() -> printed(mutant)))
                .toList();
        Map<Outcome, Integer> numbers = new EnumMap<>(Outcome.class);
        for (Future<Outcome> each : outcomes) {
            numbers.merge(each.get(), 1, Integer::sum);
        }
        runs.shutdown();
        long known = wanted.stream()
                .filter(mutant -> judged.reason(TextMutations.place(mutant)).isPresent())
                .count();
        System.out.println(wanted.size() + " mutants: " + outcomes.size() + " run: " + numbers + "; " + known
                + " judged before, " + (wanted.size() - outcomes.size() - known) + " that the server does not parse");
        System.exit(exitCode(numbers));
    }

    private static IllegalArgumentException refused(String reason) {
        System.err.println(reason);
        System.exit(NOTHING_TO_RUN);
        return new IllegalArgumentException(reason);
    }

    /** Runs it and prints what became of it; what survives is printed as {@code survivors.txt} has it. */
    private static Outcome printed(WrongProvider mutant) {
        Outcome outcome = outcome(mutant);
        String place = outcome == Outcome.REJECTED ? "" : "\n    " + TextMutations.place(mutant);
        System.out.println(outcome + " " + mutant.name() + place);
        return outcome;
    }

    private static int exitCode(Map<Outcome, Integer> numbers) {
        if (numbers.containsKey(Outcome.SURVIVES)) {
            return SURVIVOR;
        }
        return numbers.containsKey(Outcome.INCONCLUSIVE) ? TOO_SLOW : 0;
    }

    private static Outcome outcome(WrongProvider mutant) {
        List<Outcome> seen = new ArrayList<>();
        for (Class<?> level : List.of(SuspectTck.OfProvider.class, SuspectTck.OfClient.class)) {
            Outcome outcome = Stream.generate(() -> KitRuns.outcome(level, mutant::harness))
                    .limit(TRIES)
                    .filter(each -> each != Outcome.INCONCLUSIVE)
                    .findFirst()
                    .orElse(Outcome.INCONCLUSIVE);
            if (outcome == Outcome.REJECTED) {
                return outcome;
            }
            seen.add(outcome);
        }
        return seen.contains(Outcome.INCONCLUSIVE) ? Outcome.INCONCLUSIVE : Outcome.SURVIVES;
    }
}
