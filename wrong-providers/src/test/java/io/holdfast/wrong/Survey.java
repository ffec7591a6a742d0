package io.holdfast.wrong;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.holdfast.lock.tck.LockHarness;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Event;

/** Runs the whole kit over wrong providers, and prints which tests fail for each. */
final class Survey {

    private Survey() {}

    /** The failures of a run of one level of the kit: the test's name, and the first line of its message. */
    static Map<String, String> failures(Class<?> level, Supplier<LockHarness> harness) {
        String candidate = CandidateTck.add(harness);
        try {
            Map<String, String> failures = new LinkedHashMap<>();
            for (Event event : EngineTestKit.engine("junit-jupiter")
                    .configurationParameter(CandidateTck.NUMBER, candidate)
                    .configurationParameter("junit.jupiter.execution.parallel.enabled", "true")
                    .configurationParameter("junit.jupiter.execution.parallel.config.strategy", "fixed")
                    .configurationParameter("junit.jupiter.execution.parallel.config.fixed.parallelism", "8")
                    .selectors(selectClass(level))
                    .execute()
                    .testEvents()
                    .failed()
                    .list()) {
                String message = event.getRequiredPayload(TestExecutionResult.class)
                        .getThrowable()
                        .orElseThrow()
                        .getMessage();
                failures.put(
                        event.getTestDescriptor().getDisplayName(),
                        message.lines().findFirst().orElse(""));
            }
            return failures;
        } finally {
            CandidateTck.remove(candidate);
        }
    }

    /**
     * Surveys the constants of enums.
     *
     * @param arguments the names of enums that implement {@link WrongProvider}, each perhaps with a {@code #} and the name of one constant
     */
    public static void main(String[] arguments) throws ClassNotFoundException {
        int survivors = 0;
        int all = 0;
        for (String argument : arguments) {
            String[] parts = argument.split("#", 2);
            for (Object constant : Class.forName(parts[0]).getEnumConstants()) {
                WrongProvider wrong = (WrongProvider) constant;
                if (parts.length > 1 && !Arrays.asList(parts[1].split(",")).contains(wrong.name())) {
                    continue;
                }
                all++;
                boolean killed = false;
                for (Class<?> level : List.of(CandidateTck.OfProvider.class, CandidateTck.OfClient.class)) {
                    if (killed) {
                        break;
                    }
                    Map<String, String> failures = failures(level, wrong::harness);
                    killed = failures.values().stream().anyMatch(message -> message.contains(" is broken: "));
                    failures.forEach((test, message) -> System.out.println(
                            "  " + wrong.name() + " " + level.getSimpleName() + " " + test + ": " + message));
                }
                survivors += killed ? 0 : 1;
                System.out.println((killed ? "rejected " : "ACCEPTED ") + wrong.name());
            }
        }
        System.out.println(all + " wrong providers, " + survivors + " accepted");
        System.exit(survivors == 0 ? 0 : 1);
    }
}
