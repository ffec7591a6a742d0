package io.holdfast.build.spec;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Compares the rules of a specification with the rules that tests cite. */
final class SpecCoverage {

    private SpecCoverage() {}

    static List<String> problems(SpecText spec, Set<String> cited) {
        List<String> problems = new ArrayList<>(spec.problems());
        if (spec.rules().isEmpty()) {
            problems.add("The specification has no rules");
        }
        for (SpecRule rule : spec.rules()) {
            boolean tested = cited.contains(rule.id());
            if (tested && rule.untested()) {
                problems.add("Rule " + rule.id() + " says that it is not tested, but a test cites it");
            }
            if (!tested && !rule.untested() && rule.level().equals("MUST")) {
                problems.add("Rule " + rule.id() + " is a MUST without a test, and does not say why");
            }
        }
        cited.stream()
                .filter(id -> spec.rules().stream().noneMatch(rule -> rule.id().equals(id)))
                .forEach(id -> problems.add("A test cites rule " + id + ", which does not exist"));
        return problems;
    }
}
