package io.holdfast.bench;

import io.holdfast.bench.Contender.Side;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The page {@code docs/performance.md} with its pictures, of one run. */
final class PerformancePage {

    private static final String NAME = "performance";

    /** Below that the page says that ours is behind: closer ones change places from run to run. */
    private static final double LEVEL = 0.95;

    private final List<Results> all;
    private final Machine machine;

    PerformancePage(List<Results> all, Machine machine) {
        this.all = all;
        this.machine = machine;
    }

    /** Writes the page and its pictures below a folder. */
    void write(Path docs) throws IOException {
        Path pictures = Files.createDirectories(docs.resolve("images"));
        for (Results results : all) {
            Files.writeString(pictures.resolve(picture(results)), new BarPicture(results).svg());
        }
        Files.writeString(docs.resolve(NAME + ".md"), text());
    }

    private static String picture(Results results) {
        return NAME + "-" + results.scenario().name() + ".svg";
    }

    String text() {
        return """
            # Performance

            What a lock costs here, in other libraries, and in the store alone. This page is written by

            ```
            ./bench --report
            ```

            which starts the servers, lets all contenders of a scenario take turns, and takes the median of the rounds. A time is about one machine: look at the
            ratios. `./bench redis` runs the scenarios whose names contain that word, and `./bench --help` lists the options. It needs what
            [the build](../CONTRIBUTING.md#build) needs, and takes about 25 minutes. `--redis FILE` measures another Redis or Valkey server than the one that the
            build fetches, such as that of a distribution.

            %s

            * **of limit** is what the store can do without a library, in the same run: at 100%% a lock costs no more than the bare requests. More is possible where a hand-over needs no
              request. **ratio** compares with the first line of the table, which is another library.
            * Each cycle is an acquire and a release, with nothing in between. Each was checked: a lock with two holders at once, or a fencing token that was not greater than the one
              before, would have ended the run.
            * **p50** and **p99** are the times of a cycle with its wait; **fairness** is the fewest cycles of a thread in parts of the most; **cpu** and **lua** are the server's time and that in scripts for each
              cycle, **requests** and **commands** what it got and what it ran, those inside scripts too.
            * Ours renews, fences and wakes waiters in each scenario, which not all others do: [what they promise](coming-from.md). The textbook's lock on Jedis does none of it: it is what a few lines cost.

            ## In short

            %s
            Below 100%% ours is behind; the tables say behind whom.

            ## The machine

            %s
            %s\
            """.formatted(
                        busy(),
                        summary(),
                        machine.list(),
                        all.stream().map(this::section).collect(Collectors.joining("\n")));
    }

    private String summary() {
        StringBuilder table = new StringBuilder("""
            | scenario | contender | of the limit | of the best library | of the textbook |
            |---|---|---:|---:|---:|
            """);
        for (Results results : all) {
            for (Contender contender : of(results, Side.OURS)) {
                table.append("| [%s](#%s) | %s | %s | %s | %s |%n"
                        .formatted(
                                results.scenario().name(),
                                results.scenario().name(),
                                contender.name(),
                                limit(results, contender),
                                best(results, contender, Side.PEER),
                                best(results, contender, Side.TEXTBOOK)));
            }
        }
        return table.toString();
    }

    private static String limit(Results results, Contender contender) {
        return results.scenario().reference().side() == Side.LIMIT ? Results.percent(results.ratio(contender)) : "–";
    }

    private static List<Contender> of(Results results, Side side) {
        return results.scenario().contenders().stream()
                .filter(contender -> contender.side() == side)
                .toList();
    }

    /** How good ours is in parts of the best one of a side, with its name if there are several. */
    private static String best(Results results, Contender ours, Side side) {
        List<Contender> all = of(results, side);
        return all.stream()
                .max(Comparator.comparingDouble(
                        other -> results.ratio(other, results.scenario().reference())))
                .map(other ->
                        Results.percent(results.ratio(ours, other)) + (all.size() > 1 ? " of " + other.name() : ""))
                .orElse("–");
    }

    private String busy() {
        return machine.wasBusy() ? "**Others used the machine during this run**, so its figures are worth little." : "";
    }

    /** Where ours is behind, with each peer that is ahead; empty if it is not. */
    private static String behind(Results results) {
        String pairs = of(results, Side.OURS).stream()
                .flatMap(ours -> Stream.concat(of(results, Side.PEER).stream(), of(results, Side.TEXTBOOK).stream())
                        .filter(peer -> results.ratio(ours, peer) < LEVEL)
                        .map(peer -> ours.name() + " at " + Results.percent(results.ratio(ours, peer)) + " of "
                                + peer.name()))
                .collect(Collectors.joining("; "));
        return pairs.isEmpty() ? "" : "\nBehind: " + pairs + ".\n";
    }

    private String section(Results results) {
        Scenario scenario = results.scenario();
        StringBuilder section = new StringBuilder();
        section.append("## %s%n%n**%s.** %s%n%n".formatted(scenario.name(), scenario.title(), scenario.about()));
        section.append("![%s](images/%s)%n%n".formatted(scenario.title(), picture(results)));
        List<List<String>> table = results.table();
        for (int i = 0; i < table.size(); i++) {
            section.append("| ").append(String.join(" | ", table.get(i))).append(" |\n");
            if (i == 0) {
                section.append("|---")
                        .append("|---:".repeat(table.get(0).size() - 1))
                        .append("|\n");
            }
        }
        return section.append(behind(results)).toString();
    }
}
