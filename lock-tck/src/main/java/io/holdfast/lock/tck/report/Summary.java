package io.holdfast.lock.tck.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A report in as many lines as somebody reads in a terminal. */
public final class Summary {

    private static final int SHOWN = 12;

    private final Report report;
    private final RuleBook book = RuleBook.ofThisKit();
    private final List<String> lines = new ArrayList<>();

    private Summary(Report report) {
        this.report = report;
    }

    /**
     * Writes the summary.
     *
     * @param report of a run
     * @return lines that end with a line feed
     */
    public static String of(Report report) {
        return new Summary(report).write();
    }

    private String write() {
        lines.add(headline());
        broken();
        inconclusive();
        repeated();
        deviations();
        report.skipped()
                .forEach((reason, subjects) -> lines.add("  skipped, as " + reason.replace("not applicable: ", "")
                        + ": " + String.join(", ", subjects)));
        if (report.notRun() > 0) {
            lines.add("  not run, until that is mended: " + report.notRun() + " tests");
        }
        if (report.isGreen()) {
            lines.add(report.subject() + " " + report.praise() + ".");
        }
        return String.join("\n", lines) + "\n";
    }

    private String headline() {
        List<String> counts = new ArrayList<>();
        for (Verdict verdict : Verdict.values()) {
            if (report.count(verdict) > 0) {
                counts.add(report.count(verdict) + " " + verdict.word());
            }
        }
        return report.subject() + ": " + (counts.isEmpty() ? "no test was run" : String.join(", ", counts)) + " ("
                + report.took().toSeconds() + " s)";
    }

    private void broken() {
        List<Finding> broken = report.with(Verdict.BROKEN);
        if (broken.isEmpty()) {
            return;
        }
        Map<String, List<Finding>> bySubject = new LinkedHashMap<>();
        broken.forEach(finding -> bySubject
                .computeIfAbsent(finding.subject(), subject -> new ArrayList<>())
                .add(finding));
        lines.add("");
        lines.add("BROKEN. Mend " + broken.get(0).subject() + " first"
                + (bySubject.size() == 1 ? ":" : "; those further down may only follow from it:"));
        bySubject.entrySet().stream().limit(SHOWN).forEach(each -> brokenRule(each.getKey(), each.getValue()));
        if (bySubject.size() > SHOWN) {
            lines.add("  ... and " + (bySubject.size() - SHOWN) + " more");
        }
        lines.add("");
    }

    private void brokenRule(String subject, List<Finding> findings) {
        List<String> rules = findings.get(0).rules();
        String text = rules.isEmpty()
                ? ""
                : book.rule(rules.get(0)).map(rule -> ": " + rule.text()).orElse("");
        lines.add("  " + subject + text);
        // Some sentences say only what was expected; the longer ones also say what was seen.
        findings.stream()
                .max(Comparator.comparing(finding -> finding.text().length()))
                .ifPresent(finding -> lines.add("      seen: " + firstLine(finding) + " [" + finding.test() + "]"));
        if (findings.size() > 1) {
            lines.add("      and in " + (findings.size() - 1) + " more of its tests");
        }
    }

    private void inconclusive() {
        List<Finding> unsure = report.with(Verdict.INCONCLUSIVE);
        if (unsure.isEmpty()) {
            return;
        }
        lines.add("");
        lines.add("INCONCLUSIVE: the machine was too slow to tell. Run these again on a quieter one:");
        unsure.forEach(
                finding -> lines.add("  " + finding.subject() + " [" + finding.test() + "]: " + firstLine(finding)));
        lines.add("");
    }

    private void repeated() {
        List<String> repeated = report.with(Verdict.PASS).stream()
                .filter(finding -> !finding.text().isEmpty())
                .map(Finding::subject)
                .distinct()
                .toList();
        if (!repeated.isEmpty()) {
            lines.add("  repeated, as the machine or the store stood still: " + String.join(", ", repeated));
        }
    }

    /** What comes after it is evidence, for the page. */
    private static String firstLine(Finding finding) {
        return finding.text().lines().findFirst().orElse("");
    }

    private void deviations() {
        report.with(Verdict.DEVIATION).forEach(finding -> lines.add("  deviation: " + finding.text()));
    }
}
