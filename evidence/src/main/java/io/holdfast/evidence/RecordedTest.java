package io.holdfast.evidence;

import io.holdfast.lock.tck.report.Verdict;
import java.util.List;

/**
 * One test of the kit in one run.
 *
 * @param level the level of the kit, {@code provider} or {@code client}
 * @param name the name of its method
 * @param rules the numbers of the rules that it proves; none for a control of the harness
 * @param hooks the names of the hooks of the harness that it needs
 * @param verdict what became of it
 * @param text why; empty for a test that passed
 */
record RecordedTest(String level, String name, List<String> rules, List<String> hooks, Verdict verdict, String text) {

    private static final String NOT_APPLICABLE = "not applicable: ";

    /** Whether it tests the harness, and no rule. */
    boolean isControl() {
        return rules.isEmpty();
    }

    boolean wasRun() {
        return verdict != Verdict.SKIPPED;
    }

    boolean passed() {
        return verdict == Verdict.PASS;
    }

    /** Why it was skipped. */
    String reason() {
        return text.startsWith(NOT_APPLICABLE) ? text.substring(NOT_APPLICABLE.length()) : text;
    }
}
