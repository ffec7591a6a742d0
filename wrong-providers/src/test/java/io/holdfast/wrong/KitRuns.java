package io.holdfast.wrong;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import io.holdfast.lock.tck.LockHarness;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Event;

/** Runs of the kit over one provider each. */
final class KitRuns {

    private static final String BROKEN = "broken: ";
    private static final String INCONCLUSIVE = "inconclusive: ";

    /** What the kit says of a whole level if the provider can do nothing. */
    private static final String HOPELESS = "no rule can be tested before this is mended";

    /** The same if no provider can be opened, which tells nothing of a provider. */
    private static final String NO_PROVIDER = HOPELESS + ", the harness";

    /** Each of them repeats its test, too. */
    private static final int TRIES = 2;

    /** Another process may have the cores for some runs; a gap that so many do not hit is not found. */
    private static final int RACES = 10;

    /** Whether a fault shows may depend on where in a second the test begins. */
    private static final int CHANCES = 3;

    private KitRuns() {}

    /** What a test says of a wrong provider. */
    enum Outcome {
        REJECTED,
        SURVIVES,
        /** The machine was too slow to tell. */
        INCONCLUSIVE
    }

    /** The messages of the broken rules of a level, by the names of their tests. */
    static Map<String, String> broken(Class<?> level, Supplier<LockHarness> harness) {
        return only(BROKEN, failures(selectClass(level), harness, true));
    }

    /** What a level says of a provider; it says no more than one thing of a wrong one, and says it soon. */
    static Outcome outcome(Class<?> level, Supplier<LockHarness> harness) {
        return outcome(failures(selectClass(level), harness, false));
    }

    /** What the test of a line of the table says; it is run again while it has not met the fault. */
    static Outcome outcome(Kill kill) {
        Outcome outcome = conclusive(kill);
        int tries = kill.isRace() ? RACES : CHANCES;
        for (int i = 1; i < tries && outcome == Outcome.SURVIVES; i++) {
            outcome = conclusive(kill);
        }
        return outcome;
    }

    /** The same, with more patience while the machine is too slow to tell: what it says now is said in the end. */
    static Outcome lastOutcome(Kill kill) {
        Outcome outcome = outcome(kill);
        for (int i = 1; i < CHANCES && outcome == Outcome.INCONCLUSIVE; i++) {
            outcome = outcome(kill);
        }
        return outcome;
    }

    /** One run, which is repeated while the machine is too slow for it. */
    private static Outcome conclusive(Kill kill) {
        Outcome outcome = once(kill);
        for (int i = 1; i < TRIES && outcome == Outcome.INCONCLUSIVE; i++) {
            outcome = once(kill);
        }
        return outcome;
    }

    private static Outcome once(Kill kill) {
        DiscoverySelector test = selectMethod(kill.level(), kill.test().orElseThrow());
        return outcome(failures(test, kill.wrong()::harness, true));
    }

    private static Outcome outcome(Map<String, String> failures) {
        if (!only(BROKEN, failures).isEmpty()) {
            return Outcome.REJECTED;
        }
        return only(INCONCLUSIVE, failures).isEmpty() ? Outcome.SURVIVES : Outcome.INCONCLUSIVE;
    }

    /** Whether a test failed because a rule is broken. */
    static boolean isBroken(@Nullable Throwable failure) {
        return failure != null && says(BROKEN, String.valueOf(failure.getMessage()));
    }

    private static boolean says(String verdict, String message) {
        return message.contains(" is " + verdict)
                || message.contains(" are " + verdict)
                || (verdict.equals(BROKEN) && message.startsWith(HOPELESS) && !message.startsWith(NO_PROVIDER));
    }

    private static Map<String, String> only(String verdict, Map<String, String> failures) {
        Map<String, String> some = new LinkedHashMap<>(failures);
        some.values().removeIf(message -> !says(verdict, message));
        return some;
    }

    private static Map<String, String> failures(
            DiscoverySelector tests, Supplier<LockHarness> harness, boolean toTheEnd) {
        String suspect = SuspectTck.add(harness, toTheEnd);
        try {
            Map<String, String> failures = new LinkedHashMap<>();
            for (Event event : EngineTestKit.engine("junit-jupiter")
                    .configurationParameter(SuspectTck.NUMBER, suspect)
                    .configurationParameter("junit.jupiter.execution.parallel.enabled", "true")
                    .configurationParameter("junit.jupiter.execution.parallel.config.strategy", "fixed")
                    .configurationParameter("junit.jupiter.execution.parallel.config.fixed.parallelism", "8")
                    .selectors(tests)
                    .execute()
                    .allEvents()
                    .failed()
                    .list()) {
                String message = event.getRequiredPayload(TestExecutionResult.class)
                        .getThrowable()
                        .orElseThrow()
                        .getMessage();
                String test = event.getTestDescriptor().getDisplayName();
                failures.put(
                        test.replace("()", ""),
                        String.valueOf(message).lines().findFirst().orElse(""));
            }
            return failures;
        } finally {
            SuspectTck.remove(suspect);
        }
    }
}
