package io.holdfast.evidence;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What was seen of one provider under one fault.
 *
 * @param run how many tests of rules were run, in all runs
 * @param passed how many of them passed
 * @param proven the rules of those that passed
 * @param reasons why none was run
 */
record FaultCell(long run, long passed, Set<String> proven, List<String> reasons) {

    private static final String CAPABILITY = "the provider declares";

    static FaultCell of(TestedFault fault, List<RecordedTest> all) {
        List<RecordedTest> tests = all.stream()
                .filter(test -> !test.isControl() && TestedFault.of(test).contains(fault))
                .toList();
        List<RecordedTest> passed = tests.stream().filter(RecordedTest::passed).toList();
        return new FaultCell(
                tests.stream().filter(RecordedTest::wasRun).count(),
                passed.size(),
                passed.stream()
                        .flatMap(test -> test.rules().stream())
                        .collect(Collectors.toCollection(() -> new TreeSet<>(RuleOrder.BY_NUMBER))),
                reasons(tests));
    }

    /** What the harness lacks says more than what the provider does not declare. */
    private static List<String> reasons(List<RecordedTest> tests) {
        List<String> reasons = tests.stream()
                .filter(test -> !test.wasRun())
                .map(RecordedTest::reason)
                .distinct()
                .toList();
        List<String> ofHarness = reasons.stream()
                .filter(reason -> !reason.startsWith(CAPABILITY))
                .toList();
        if (tests.isEmpty()) {
            return List.of("no level of the kit that was run there has a test of it");
        }
        return ofHarness.isEmpty() ? reasons : ofHarness;
    }

    boolean isEmpty() {
        return run == 0;
    }
}
