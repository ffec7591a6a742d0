package io.holdfast.evidence;

import io.holdfast.evidence.Observations.Sighting;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The tests that did not apply, by the reason. */
final class SkippedTable {

    private final Observations seen;
    private final Notes notes;

    SkippedTable(Observations seen, Notes notes) {
        this.seen = seen;
        this.notes = notes;
    }

    /** All reasons but those which the notes have already. */
    String write() {
        Map<String, List<Sighting>> byReason = seen.all()
                .filter(sighting ->
                        !sighting.test().wasRun() && !sighting.test().isControl())
                .filter(sighting -> !notes.has(sighting.test().reason()))
                .collect(Collectors.groupingBy(
                        sighting -> sighting.test().reason(), LinkedHashMap::new, Collectors.toList()));
        StringBuilder page = new StringBuilder("| not tested, as | a part of the rules | on |\n|---|---|---|\n");
        byReason.forEach((reason, skipped) -> page.append("| ")
                .append(Markdown.cell(reason))
                .append(" | ")
                .append(rules(skipped))
                .append(" | ")
                .append(providers(skipped))
                .append(" |\n"));
        return page.toString();
    }

    private static String rules(List<Sighting> skipped) {
        return skipped.stream()
                .flatMap(sighting -> sighting.test().rules().stream())
                .collect(Collectors.toCollection(() -> new TreeSet<>(RuleOrder.BY_NUMBER)))
                .stream()
                .collect(Collectors.joining(", "));
    }

    private static String providers(List<Sighting> skipped) {
        return skipped.stream()
                .map(sighting -> sighting.provider().name())
                .distinct()
                .collect(Collectors.joining(", "));
    }
}
