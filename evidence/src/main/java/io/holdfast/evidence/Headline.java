package io.holdfast.evidence;

import io.holdfast.evidence.Observations.Sighting;
import io.holdfast.lock.tck.report.Verdict;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The top of the page: what was run on what, and everything that did not pass. */
final class Headline {

    private final Observations seen;

    Headline(Observations seen) {
        this.seen = seen;
    }

    String write() {
        return "* **Runs:** " + seen.runs().size() + ", " + days() + ", of "
                + Markdown.counted(seen.seen().size(), "provider") + "\n"
                + "* **Code:** commit `" + seen.commit() + "`\n"
                + "* **Machine:** " + String.join("; ", seen.facts("on")) + "\n"
                + "* **Stores and libraries:** " + versions() + "\n"
                + "* **Tests of rules:** " + counts(false) + "\n"
                + "* **Controls of the harnesses**, which prove of each fault that it does something: " + counts(true)
                + "\n\n"
                + failures();
    }

    private String days() {
        LocalDate first = seen.runs().get(0).day();
        LocalDate last = seen.runs().get(seen.runs().size() - 1).day();
        return first.equals(last) ? "on " + first : "from " + first + " to " + last;
    }

    private String versions() {
        return seen.facts("with").stream()
                .flatMap(with -> Arrays.stream(with.split(", ")))
                .distinct()
                .sorted(String.CASE_INSENSITIVE_ORDER)
                .collect(Collectors.joining(", "));
    }

    private String counts(boolean controls) {
        StringBuilder text = new StringBuilder();
        text.append(number(seen.count(test -> test.isControl() == controls && test.wasRun())))
                .append(" run, ")
                .append(number(seen.count(test -> test.isControl() == controls && test.passed())))
                .append(" passed");
        for (Verdict verdict : List.of(Verdict.BROKEN, Verdict.INCONCLUSIVE, Verdict.DEVIATION)) {
            long count = seen.count(test -> test.isControl() == controls && test.verdict() == verdict);
            if (count > 0 || verdict == Verdict.BROKEN) {
                text.append(", ").append(number(count)).append(' ').append(verdict.word());
            }
        }
        long skipped = seen.count(test -> test.isControl() == controls && !test.wasRun());
        return text.append("; ")
                .append(number(skipped))
                .append(" did not apply")
                .toString();
    }

    private static String number(long count) {
        return String.format(Locale.ROOT, "%,d", count);
    }

    private String failures() {
        Map<Verdict, List<Sighting>> byVerdict = seen.all()
                .filter(sighting -> sighting.test().wasRun() && !sighting.test().passed())
                .collect(Collectors.groupingBy(
                        sighting -> sighting.test().verdict(), TreeMap::new, Collectors.toList()));
        return table("Broken", byVerdict.getOrDefault(Verdict.BROKEN, List.of()))
                + table(
                        "Inconclusive: the machine was too slow to tell",
                        byVerdict.getOrDefault(Verdict.INCONCLUSIVE, List.of()))
                + table("Declared deviations", byVerdict.getOrDefault(Verdict.DEVIATION, List.of()));
    }

    private static String table(String title, List<Sighting> failed) {
        if (failed.isEmpty()) {
            return "";
        }
        StringBuilder table = new StringBuilder(title + ":\n\n| provider | rules | test | seen |\n|---|---|---|---|\n");
        for (Sighting sighting : failed) {
            table.append("| ")
                    .append(sighting.provider().name())
                    .append(" | ")
                    .append(
                            sighting.test().isControl()
                                    ? "control"
                                    : String.join(", ", sighting.test().rules()))
                    .append(" | `")
                    .append(sighting.test().name())
                    .append("` | ")
                    .append(Markdown.cell(sighting.test().text()))
                    .append(" |\n");
        }
        return table.append('\n').toString();
    }
}
