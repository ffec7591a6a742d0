package io.holdfast.wrong;

import io.holdfast.wrong.KitRuns.Outcome;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.logging.LogManager;

/** Prints the table of wrong providers: what is wrong, and the test of the kit that rejects it. */
final class Power {

    /** The tests mostly wait. */
    private static final int AT_A_TIME = 6;

    // How it ends; the same as of the command that runs the kit.
    private static final int SURVIVOR = 1;
    private static final int TOO_SLOW = 2;
    private static final int NOTHING_TO_RUN = 3;

    private Power() {}

    /**
     * Prints the table, and ends the JVM with 1 if a wrong provider survives, with 2 if the machine was too slow to tell, and
     * with 3 if there is none of the name.
     *
     * @param arguments parts of the names of kinds or providers; all if there are none
     */
    public static void main(String[] arguments) throws InterruptedException, ExecutionException {
        List<Kill> wanted = Kill.all().stream()
                .filter(kill -> arguments.length == 0
                        || List.of(arguments).stream()
                                .anyMatch(part -> (kill.kind() + " " + kill.provider()).contains(part)))
                .toList();
        if (wanted.isEmpty()) {
            System.err.println("The table has no kind or provider with one of " + List.of(arguments) + " in its name");
            System.exit(NOTHING_TO_RUN);
        }
        // The engine complains of wrong providers, as it should; the table is what is wanted here.
        LogManager.getLogManager().reset();
        ExecutorService runs = Executors.newFixedThreadPool(AT_A_TIME);
        // The threads of a race need both cores.
        ExecutorService races = Executors.newSingleThreadExecutor();
        List<Future<Optional<Outcome>>> outcomes = new ArrayList<>();
        wanted.forEach(kill -> outcomes.add((kill.isRace() ? races : runs).submit(() -> outcome(kill))));
        Map<Outcome, Integer> lines = new EnumMap<>(Outcome.class);
        List<Kill> late = new ArrayList<>();
        for (int i = 0; i < wanted.size(); i++) {
            Optional<Outcome> outcome = outcomes.get(i).get();
            if (outcome.equals(Optional.of(Outcome.INCONCLUSIVE))) {
                late.add(wanted.get(i));
            } else {
                print(wanted.get(i), outcome, lines);
            }
        }
        runs.shutdown();
        races.shutdown();
        // Once more, with nothing of ours beside it.
        late.forEach(kill -> print(kill, outcome(kill), lines));
        System.out.println(summary(wanted, lines));
        System.exit(exitCode(lines));
    }

    private static void print(Kill kill, Optional<Outcome> outcome, Map<Outcome, Integer> lines) {
        outcome.ifPresent(each -> lines.merge(each, 1, Integer::sum));
        System.out.printf("%-24s %-60s %s%n", kill.kind(), kill.provider(), verdict(kill, outcome));
    }

    private static Optional<Outcome> outcome(Kill kill) {
        return kill.test().map(test -> KitRuns.outcome(kill));
    }

    private static String verdict(Kill kill, Optional<Outcome> outcome) {
        String test = kill.test().orElse("");
        return outcome.map(each -> switch (each) {
                    case REJECTED -> "rejected by " + test;
                    case SURVIVES -> "SURVIVES " + test;
                    case INCONCLUSIVE -> "INCONCLUSIVE, the machine was too slow for " + test;
                })
                .orElseGet(() -> "not rejected: " + kill.reason());
    }

    private static String summary(List<Kill> wanted, Map<Outcome, Integer> lines) {
        long providers = wanted.stream()
                .map(kill -> kill.kind() + " " + kill.provider())
                .distinct()
                .count();
        long unrejected = wanted.stream().filter(kill -> kill.test().isEmpty()).count();
        return providers + " wrong providers in " + wanted.size() + " lines: "
                + lines.getOrDefault(Outcome.REJECTED, 0) + " lines rejected, "
                + lines.getOrDefault(Outcome.SURVIVES, 0) + " survive, "
                + lines.getOrDefault(Outcome.INCONCLUSIVE, 0) + " inconclusive; " + unrejected
                + " are not rejected, for the reasons above";
    }

    private static int exitCode(Map<Outcome, Integer> lines) {
        if (lines.containsKey(Outcome.SURVIVES)) {
            return SURVIVOR;
        }
        return lines.containsKey(Outcome.INCONCLUSIVE) ? TOO_SLOW : 0;
    }
}
