package io.holdfast.wrong;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Prints the table of wrong providers: what is wrong, and the test of the kit that rejects it. */
final class Power {

    /** The tests mostly wait. */
    private static final int AT_A_TIME = 6;

    private Power() {}

    /**
     * Prints the table, and ends the JVM with 1 if a wrong provider survives.
     *
     * @param arguments parts of the names of kinds or providers; all if there are none
     */
    public static void main(String[] arguments) throws InterruptedException, ExecutionException {
        List<Kill> wanted = Kill.all().stream()
                .filter(kill -> arguments.length == 0
                        || List.of(arguments).stream()
                                .anyMatch(part -> (kill.kind() + " " + kill.provider()).contains(part)))
                .toList();
        ExecutorService runs = Executors.newFixedThreadPool(AT_A_TIME);
        List<Future<String>> verdicts = new ArrayList<>();
        wanted.forEach(kill -> verdicts.add(runs.submit(() -> verdict(kill))));
        int survivors = 0;
        for (int i = 0; i < wanted.size(); i++) {
            String verdict = verdicts.get(i).get();
            survivors += verdict.startsWith("SURVIVES") ? 1 : 0;
            System.out.printf(
                    "%-28s %-60s %s%n", wanted.get(i).kind(), wanted.get(i).provider(), verdict);
        }
        runs.shutdown();
        System.out.println(wanted.size() + " wrong providers, " + survivors + " survive");
        System.exit(survivors == 0 ? 0 : 1);
    }

    private static String verdict(Kill kill) {
        if (kill.test().isEmpty()) {
            return "harmless: " + kill.reason();
        }
        String test = kill.test().get();
        Map<String, String> broken = KitRuns.broken(kill.level(), test, kill.wrong()::harness);
        return (broken.isEmpty() ? "SURVIVES " : "rejected by ") + test;
    }
}
