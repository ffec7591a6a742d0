package io.holdfast.wrong;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import io.holdfast.lock.tck.LockHarness;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Event;

/** Runs of the kit over one provider each. */
final class KitRuns {

    private static final String BROKEN = "broken: ";
    private static final String INCONCLUSIVE = "inconclusive: ";

    /** A machine that is busy for so long is busy for ever. */
    private static final int TRIES = 5;

    private KitRuns() {}

    /** The messages of the broken rules of a level, by the names of their tests. */
    static Map<String, String> broken(Class<?> level, Supplier<LockHarness> harness) {
        return only(BROKEN, failures(selectClass(level), harness));
    }

    /** The same for one test, which is repeated while the machine is too slow for it. */
    static Map<String, String> broken(Class<?> level, String test, Supplier<LockHarness> harness) {
        Map<String, String> failures = failures(selectMethod(level, test), harness);
        for (int i = 1; i < TRIES && !only(INCONCLUSIVE, failures).isEmpty(); i++) {
            failures = failures(selectMethod(level, test), harness);
        }
        return only(BROKEN, failures);
    }

    private static Map<String, String> only(String verdict, Map<String, String> failures) {
        Map<String, String> some = new LinkedHashMap<>(failures);
        some.values().removeIf(message -> !message.contains(" is " + verdict) && !message.contains(" are " + verdict));
        return some;
    }

    private static Map<String, String> failures(DiscoverySelector tests, Supplier<LockHarness> harness) {
        String suspect = SuspectTck.add(harness);
        try {
            Map<String, String> failures = new LinkedHashMap<>();
            for (Event event : EngineTestKit.engine("junit-jupiter")
                    .configurationParameter(SuspectTck.NUMBER, suspect)
                    .configurationParameter("junit.jupiter.execution.parallel.enabled", "true")
                    .configurationParameter("junit.jupiter.execution.parallel.config.strategy", "fixed")
                    .configurationParameter("junit.jupiter.execution.parallel.config.fixed.parallelism", "8")
                    .selectors(tests)
                    .execute()
                    .testEvents()
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
