package io.holdfast.evidence;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Fault by provider: a table for each family of providers. */
final class FaultTables {

    private final Observations seen;
    private final Notes notes;
    private final StringBuilder page = new StringBuilder();

    FaultTables(Observations seen, Notes notes) {
        this.seen = seen;
        this.notes = notes;
    }

    String write() {
        seen.seen().stream().map(TestedProvider::family).distinct().forEach(this::family);
        return page.toString();
    }

    private void family(String family) {
        List<TestedProvider> providers = seen.seen().stream()
                .filter(provider -> provider.family().equals(family))
                .toList();
        page.append("### ").append(family).append("\n\n| while | rules |");
        providers.forEach(provider -> page.append(' ').append(provider.name()).append(" |"));
        page.append("\n|---|---|").append("---|".repeat(providers.size())).append('\n');
        Map<String, List<String>> without = new LinkedHashMap<>();
        for (TestedFault fault : TestedFault.values()) {
            List<FaultCell> cells = providers.stream()
                    .map(provider -> FaultCell.of(fault, seen.testsOf(provider)))
                    .toList();
            if (cells.stream().allMatch(FaultCell::isEmpty)) {
                without.computeIfAbsent(mark(cells), mark -> new ArrayList<>()).add(fault.words());
            } else {
                row(fault, cells);
            }
        }
        if (!without.isEmpty()) {
            page.append("\nNot tested with any of these:\n\n");
            without.forEach((mark, faults) -> page.append("* ")
                    .append(String.join("; ", faults))
                    .append(' ')
                    .append(mark)
                    .append('\n'));
        }
        page.append('\n');
    }

    private void row(TestedFault fault, List<FaultCell> cells) {
        Set<String> proven = cells.stream()
                .flatMap(cell -> cell.proven().stream())
                .collect(Collectors.toCollection(() -> new TreeSet<>(RuleOrder.BY_NUMBER)));
        boolean named = fault != TestedFault.NONE;
        page.append("| ")
                .append(fault.words())
                .append(" | ")
                .append(named ? String.join(", ", proven) : Markdown.counted(proven.size(), "rule"))
                .append(" |");
        cells.forEach(cell ->
                page.append(' ').append(text(cell, named ? proven : Set.of())).append(" |"));
        page.append('\n');
    }

    private String text(FaultCell cell, Set<String> provenByOthers) {
        if (cell.isEmpty()) {
            return "– " + mark(List.of(cell));
        }
        String counts = cell.passed() + "/" + cell.run();
        String missing = provenByOthers.stream()
                .filter(rule -> !cell.proven().contains(rule))
                .collect(Collectors.joining(", "));
        return (cell.passed() == cell.run() ? counts : "**" + counts + "**")
                + (missing.isEmpty() ? "" : ", not " + missing);
    }

    private String mark(List<FaultCell> cells) {
        return notes.mark(cells.stream()
                .flatMap(cell -> cell.reasons().stream())
                .distinct()
                .toList());
    }
}
