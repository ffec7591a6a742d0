package io.holdfast.evidence;

import io.holdfast.evidence.Observations.Sighting;
import io.holdfast.lock.tck.report.Rule;
import io.holdfast.lock.tck.report.RuleBook;
import io.holdfast.lock.tck.report.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** Rule by provider. */
final class RuleTable {

    private final Observations seen;
    private final RuleBook book;

    RuleTable(Observations seen, RuleBook book) {
        this.seen = seen;
        this.book = book;
    }

    String write() {
        StringBuilder page = new StringBuilder(
                "| rule | what must be true | tests | providers | remarks |\n|---|---|---|---|---|\n");
        for (Rule rule : book.rules()) {
            page.append("| [")
                    .append(rule.number())
                    .append("](")
                    .append(anchor(rule))
                    .append(") | ")
                    .append(rule.tag().isEmpty() ? "" : "[" + rule.tag() + "] ")
                    .append(Markdown.cell(rule.text()))
                    .append(" | ");
            page.append(result(rule));
            page.append(" |\n");
        }
        return page.toString();
    }

    private static String anchor(Rule rule) {
        String chapter = rule.number().substring(0, rule.number().indexOf('.'));
        return "../SPEC.md#" + chapter + "-"
                + rule.chapter()
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^a-z0-9 -]", "")
                        .replace(' ', '-');
    }

    private String result(Rule rule) {
        List<Sighting> own = seen.all()
                .filter(sighting -> sighting.test().rules().contains(rule.number()))
                .toList();
        if (own.isEmpty() && !rule.notTested().isEmpty()) {
            return "– | – | Not in the kit: " + Markdown.cell(rule.notTested());
        }
        List<Sighting> passed =
                own.stream().filter(sighting -> sighting.test().passed()).toList();
        long tests = passed.stream()
                .map(sighting -> sighting.test().level() + " " + sighting.test().name())
                .distinct()
                .count();
        List<String> on = names(passed);
        List<String> remarks = new ArrayList<>();
        for (Verdict verdict : List.of(Verdict.BROKEN, Verdict.INCONCLUSIVE, Verdict.DEVIATION)) {
            List<String> names = names(own.stream()
                    .filter(sighting -> sighting.test().verdict() == verdict)
                    .toList());
            if (!names.isEmpty()) {
                remarks.add("**" + verdict.word() + "** on " + String.join(", ", names));
            }
        }
        remark(on).ifPresent(remarks::add);
        if (!rule.notTested().isEmpty()) {
            remarks.add("only in part: " + Markdown.cell(rule.notTested()));
        }
        return tests + " | " + on.size() + " of " + seen.seen().size() + " | " + String.join("; ", remarks);
    }

    /** The shorter one of the lists of providers with it and without. */
    private Optional<String> remark(List<String> with) {
        List<String> without = seen.seen().stream()
                .map(TestedProvider::name)
                .filter(name -> !with.contains(name))
                .toList();
        if (without.isEmpty() || with.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(
                with.size() < without.size()
                        ? "only on " + String.join(", ", with)
                        : "not on " + String.join(", ", without));
    }

    private static List<String> names(List<Sighting> sightings) {
        return sightings.stream()
                .map(sighting -> sighting.provider().name())
                .distinct()
                .collect(Collectors.toList());
    }
}
