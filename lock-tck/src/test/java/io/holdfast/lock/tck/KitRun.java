package io.holdfast.lock.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import java.util.List;
import java.util.function.Supplier;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Event;
import org.junit.platform.testkit.engine.Events;

/** One run of the kit, or of one of its rules, inside a test of the kit. */
final class KitRun {

    private final Events tests;
    private final Events classes;

    private KitRun(EngineExecutionResults results) {
        this.tests = results.testEvents();
        this.classes = results.containerEvents();
    }

    static KitRun ofRule(Class<? extends KitCase> level, String method, Supplier<LockHarness> harness) {
        return run(selectMethod(level, method), harness);
    }

    static KitRun whole(Class<? extends KitCase> level, Supplier<LockHarness> harness) {
        return run(selectClass(level), harness);
    }

    private static KitRun run(DiscoverySelector selector, Supplier<LockHarness> harness) {
        String candidate = CandidateTck.add(harness);
        try {
            return new KitRun(EngineTestKit.engine("junit-jupiter")
                    .configurationParameter(CandidateTck.NUMBER, candidate)
                    .configurationParameter("junit.jupiter.execution.parallel.enabled", "true")
                    .configurationParameter("junit.jupiter.execution.parallel.config.strategy", "fixed")
                    .configurationParameter("junit.jupiter.execution.parallel.config.fixed.parallelism", "8")
                    .selectors(selector)
                    .execute());
        } finally {
            CandidateTck.remove(candidate);
        }
    }

    /** The messages of the tests that failed. */
    List<String> failures() {
        return messages(tests.failed());
    }

    /** The messages of the tests that were aborted. */
    List<String> aborts() {
        return messages(tests.aborted());
    }

    /** The messages of the classes that failed before or after their tests. */
    List<String> classFailures() {
        return messages(classes.failed());
    }

    private static List<String> messages(Events events) {
        return events.stream()
                .map(event -> event.getRequiredPayload(TestExecutionResult.class))
                .map(result -> result.getThrowable().orElseThrow().getMessage())
                .toList();
    }

    /** The reasons of the tests that were skipped. */
    List<String> skips() {
        return tests.skipped().stream()
                .map(Event::getPayload)
                .map(reason -> (String) reason.orElseThrow())
                .toList();
    }

    long succeeded() {
        return tests.succeeded().count();
    }

    void mustFailAlone(String because) {
        assertThat(failures()).singleElement().asString().startsWith(because);
    }
}
