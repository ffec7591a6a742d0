package io.holdfast.lock.tck;

import io.holdfast.lock.tck.report.Finding;
import io.holdfast.lock.tck.report.Rule;
import io.holdfast.lock.tck.report.RuleBook;
import io.holdfast.lock.tck.report.Verdict;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.platform.commons.support.AnnotationSupport;

/** The deviations that a class of the vendor declares. Immutable. */
final class Deviations {

    private final List<Deviation> declared;

    private Deviations(List<Deviation> declared) {
        this.declared = declared;
    }

    static Deviations of(Class<?> level) {
        List<Deviation> declared = AnnotationSupport.findRepeatableAnnotations(level, Deviation.class);
        RuleBook book = RuleBook.ofThisKit();
        for (Deviation each : declared) {
            Rule rule = book.rule(each.rule())
                    .orElseThrow(() -> new AssertionError("@Deviation(rule = \"" + each.rule()
                            + "\"): there is no such rule in SPEC.md; allowed is a number such as \"7.5\""));
            if (rule.isOfSafety()) {
                throw new AssertionError("@Deviation(rule = \"" + each.rule()
                        + "\"): this is a safety rule, and nobody may deviate from these: " + rule.text());
            }
            if (each.reason().isBlank() || each.link().isBlank()) {
                throw new AssertionError("@Deviation(rule = \"" + each.rule() + "\") has no reason or no link");
            }
        }
        return new Deviations(declared);
    }

    /** What excuses a test that proves these rules; empty unless a deviation from each of them is declared. */
    Optional<String> excusing(List<String> rules) {
        List<Deviation> excuses =
                declared.stream().filter(each -> rules.contains(each.rule())).toList();
        boolean all = !rules.isEmpty()
                && rules.stream()
                        .allMatch(rule ->
                                excuses.stream().anyMatch(each -> each.rule().equals(rule)));
        return all
                ? Optional.of(String.join(
                        "; ",
                        excuses.stream()
                                .map(each -> each.reason() + " (" + each.link() + ")")
                                .toList()))
                : Optional.empty();
    }

    /** The rules that have tests among these, none of which found a deviation. */
    Stream<String> outOfDate(List<Finding> findings) {
        return declared.stream()
                .map(Deviation::rule)
                .filter(rule -> findings.stream().anyMatch(each -> excuses(rule, each)))
                .filter(rule -> findings.stream()
                        .filter(each -> excuses(rule, each))
                        .allMatch(each -> each.verdict() == Verdict.PASS));
    }

    private boolean excuses(String rule, Finding finding) {
        return finding.rules().contains(rule) && excusing(finding.rules()).isPresent();
    }
}
