package io.holdfast.build.spec;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the rules out of the text of SPEC.md. */
final class SpecText {

    private static final Pattern RULE =
            Pattern.compile("- \\*\\*(\\d+\\.\\d+[a-z]?) (MUST|SHOULD|MAY)(?: \\[[^\\]]+])?\\*\\* \\S.*");
    private static final Pattern RULE_LIKE = Pattern.compile("\\s*[-*]\\s*\\*\\*\\s*\\d+\\.\\d+.*");
    private static final String INTENT = "  *Intent:* ";
    private static final String NOT_TESTED = "  *Not tested:* ";

    private final List<SpecRule> rules = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();

    private SpecText() {}

    static SpecText parse(String text) {
        SpecText spec = new SpecText();
        List<String> lines = text.lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            Matcher rule = RULE.matcher(lines.get(i));
            if (rule.matches()) {
                spec.add(rule.group(1), rule.group(2), indentedAfter(lines, i));
            } else if (RULE_LIKE.matcher(lines.get(i)).matches()) {
                spec.problems.add("Not in the form of a rule: " + lines.get(i));
            }
        }
        return spec;
    }

    List<SpecRule> rules() {
        return rules;
    }

    /** What is wrong with the text itself. */
    List<String> problems() {
        return problems;
    }

    private void add(String id, String level, List<String> remarks) {
        if (rules.stream().anyMatch(rule -> rule.id().equals(id))) {
            problems.add("Rule " + id + " is there twice");
        }
        if (remarks.stream().noneMatch(line -> line.startsWith(INTENT))) {
            problems.add("Rule " + id + " has no intent");
        }
        rules.add(new SpecRule(
                id,
                level,
                remarks.stream().anyMatch(line -> line.startsWith(NOT_TESTED) && line.length() > NOT_TESTED.length())));
    }

    private static List<String> indentedAfter(List<String> lines, int rule) {
        return lines.subList(rule + 1, lines.size()).stream()
                .takeWhile(line -> line.startsWith("  "))
                .toList();
    }
}
