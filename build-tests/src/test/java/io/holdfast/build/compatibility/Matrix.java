package io.holdfast.build.compatibility;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The table of the page: a row for each line, and a column for each JDK that the tests are run on.
 *
 * @param rows the cells of the JDKs by the key of the line
 */
record Matrix(Map<String, List<String>> rows) {

    static final List<Integer> JDKS = List.of(17, 21, 25);

    private static final String HEADER = "| with | version | tests | JDK 17 | JDK 21 | JDK 25 |";
    private static final String RULE = "|---|---|---|---|---|---|";

    static Matrix in(String page) {
        Map<String, List<String>> rows = new LinkedHashMap<>();
        tableOf(page).stream().skip(2).forEach(row -> {
            String[] cells = row.substring(2, row.length() - 2).split(" \\| ");
            rows.put(
                    "| " + String.join(" | ", List.of(cells).subList(0, 3)) + " |",
                    List.of(cells).subList(3, cells.length));
        });
        return new Matrix(rows);
    }

    /** The table of the lines that are declared now, with what this run says in the column of its JDK. */
    Matrix after(List<VersionLine> lines, int jdk, Function<VersionLine, Result> results) {
        Map<String, List<String>> updated = new LinkedHashMap<>();
        for (VersionLine line : lines) {
            List<String> cells = new ArrayList<>(
                    rows.getOrDefault(line.key(), Collections.nCopies(JDKS.size(), Result.NOT_RUN.word())));
            Result result = results.apply(line);
            // A run without containers keeps the results of a run with them.
            boolean keeps = result == Result.NOT_RUN && line.tests() == VersionLine.Tests.KIT;
            if (JDKS.contains(jdk) && !keeps) {
                cells.set(JDKS.indexOf(jdk), result.word());
            }
            updated.put(line.key(), List.copyOf(cells));
        }
        return new Matrix(updated);
    }

    /** The page with this table in place of the old one. */
    String writtenInto(String page) {
        List<String> table = new ArrayList<>(List.of(HEADER, RULE));
        rows.forEach((key, cells) -> table.add(key + " " + String.join(" | ", cells) + " |"));
        return page.replace(String.join("\n", tableOf(page)), String.join("\n", table));
    }

    /** The result of a line on a JDK; "not run" if the page has no such row or column. */
    String cell(VersionLine line, int jdk) {
        List<String> cells = rows.get(line.key());
        return cells == null || !JDKS.contains(jdk) ? Result.NOT_RUN.word() : cells.get(JDKS.indexOf(jdk));
    }

    private static List<String> tableOf(String page) {
        List<String> table = page.lines()
                .dropWhile(line -> !line.equals(HEADER))
                .takeWhile(line -> line.startsWith("|"))
                .toList();
        if (table.isEmpty()) {
            throw new AssertionError("The page has no table with the header " + HEADER);
        }
        return table;
    }
}
