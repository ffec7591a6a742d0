package io.holdfast.lock.tck.report;

import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a run of the kit found about one provider. Immutable.
 *
 * @param subject what was tested: a class of the vendor, or a URI without its password
 * @param facts what the reader should know of the provider and of the run, by name
 * @param took how long the run took
 * @param findings of all tests
 */
public record Report(String subject, Map<String, String> facts, Duration took, List<Finding> findings) {

    /** The name of the fact that says which rules were asked for, if not all. */
    public static final String ASKED_FOR = "rules asked for";

    /** The rules that others rest on, the most basic first; all others follow in the order of the document. */
    private static final List<String> BASIC =
            List.of("5.4", "1.8", "1.1", "1.3", "5.3", "5.1", "2.2", "2.1", "3.1", "3.2");

    private static final Comparator<String> IN_THE_DOCUMENT =
            Comparator.comparingInt(Report::inTheDocument).thenComparing(Comparator.naturalOrder());

    /**
     * Creates a report.
     *
     * @param subject what was tested
     * @param facts what the reader should know, by name
     * @param took how long the run took
     * @param findings of all tests
     */
    public Report {
        facts = new LinkedHashMap<>(facts);
        findings = List.copyOf(findings);
    }

    /**
     * What a green run shows.
     *
     * @return a sentence without its subject
     */
    String praise() {
        return facts.containsKey(ASKED_FOR) ? "keeps the rules that were asked for" : "keeps all rules that apply";
    }

    /**
     * Whether a pipeline should go on: nothing is broken, nothing is inconclusive, and something was tested.
     *
     * @return true if so
     */
    public boolean isGreen() {
        return worst().compareTo(Verdict.INCONCLUSIVE) < 0 && count(Verdict.PASS) > 0;
    }

    /**
     * The verdict that matters most.
     *
     * @return of all findings
     */
    public Verdict worst() {
        return worst(findings);
    }

    static Verdict worst(List<Finding> some) {
        return some.stream()
                .map(Finding::verdict)
                .max(Comparator.naturalOrder())
                .orElse(Verdict.SKIPPED);
    }

    /**
     * How many tests have a verdict.
     *
     * @param verdict which
     * @return how many
     */
    public long count(Verdict verdict) {
        return with(verdict).size();
    }

    /**
     * The findings with a verdict.
     *
     * @param verdict which
     * @return those on which others rest come first
     */
    public List<Finding> with(Verdict verdict) {
        return findings.stream()
                .filter(finding -> finding.verdict() == verdict)
                .sorted(Comparator.comparing(Report::rank))
                .toList();
    }

    /** A wrong harness spoils everything, so its controls come before all but what no provider can do without. */
    private static int rank(Finding finding) {
        return finding.test().equals(Finding.FIRST_THINGS)
                ? -2
                : finding.rules().stream().mapToInt(Report::rank).min().orElse(-1);
    }

    private static int rank(String rule) {
        int place = BASIC.indexOf(rule);
        return place >= 0 ? place : inTheDocument(rule);
    }

    /** Where a rule stands in the document, by its number; a control of the harness, which has none, stands behind all rules. */
    private static int inTheDocument(String subject) {
        int dot = subject.indexOf('.');
        return dot < 0
                ? Integer.MAX_VALUE
                : 100 * Integer.parseInt(subject.substring(0, dot)) + Integer.parseInt(subject.substring(dot + 1));
    }

    /**
     * The findings of tests that prove a rule.
     *
     * @param rule its number
     * @return the findings, the worst first
     */
    public List<Finding> of(String rule) {
        return findings.stream()
                .filter(finding -> finding.rules().contains(rule))
                .sorted(Comparator.comparing(Finding::verdict).reversed().thenComparing(Finding::test))
                .toList();
    }

    /**
     * The tests that did not apply, by the reason.
     *
     * @return the rules and the controls, in the order of the document, by what is missing
     */
    public Map<String, Set<String>> skipped() {
        Map<String, Set<String>> byReason = new TreeMap<>();
        for (Finding finding : with(Verdict.SKIPPED)) {
            if (finding.text().startsWith(Finding.NOT_RUN)) {
                continue;
            }
            byReason.computeIfAbsent(finding.text(), reason -> new TreeSet<>(IN_THE_DOCUMENT))
                    .addAll(finding.rules().isEmpty() ? List.of(finding.test()) : finding.rules());
        }
        return byReason;
    }

    /**
     * How many tests were left out because too much is broken.
     *
     * @return how many
     */
    public long notRun() {
        return with(Verdict.SKIPPED).stream()
                .filter(finding -> finding.text().startsWith(Finding.NOT_RUN))
                .count();
    }
}
