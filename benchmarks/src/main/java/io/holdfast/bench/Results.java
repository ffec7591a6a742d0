package io.holdfast.bench;

import io.holdfast.bench.Contender.Side;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;

/** What a scenario showed, in rounds in which each contender had a turn. Not thread-safe. */
final class Results {

    private final Scenario scenario;
    private final Map<Contender, List<Figures>> rounds = new LinkedHashMap<>();

    Results(Scenario scenario) {
        this.scenario = scenario;
        scenario.contenders().forEach(contender -> rounds.put(contender, new ArrayList<>()));
    }

    void add(Contender contender, Figures figures) {
        of(contender).add(figures);
    }

    Scenario scenario() {
        return scenario;
    }

    private List<Figures> of(Contender contender) {
        return Objects.requireNonNull(rounds.get(contender));
    }

    /** The median of the rounds. */
    double of(Contender contender, Measure measure) {
        return median(of(contender).stream()
                .mapToDouble(figures -> figures.of(measure))
                .toArray());
    }

    /** How good a contender is in parts of the reference, in the scenario's first measure: the median of the rounds' ratios. */
    double ratio(Contender contender) {
        return ratio(contender, scenario.reference());
    }

    /** How good a contender is in parts of another one. */
    double ratio(Contender contender, Contender other) {
        Measure measure = scenario.measure();
        List<Figures> others = of(other);
        List<Figures> own = of(contender);
        return median(IntStream.range(0, Math.min(own.size(), others.size()))
                .mapToDouble(
                        i -> measure.ratio(own.get(i).of(measure), others.get(i).of(measure)))
                .toArray());
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted.length == 0 ? Double.NaN : sorted[sorted.length / 2];
    }

    /** The cells of the table, with the line of titles. */
    List<List<String>> table() {
        List<List<String>> lines = new ArrayList<>();
        List<String> titles = new ArrayList<>(List.of("", scenario.measure().title(), ratioTitle()));
        List<Measure> others =
                scenario.measures().subList(1, scenario.measures().size());
        others.forEach(measure -> titles.add(measure.title()));
        lines.add(titles);
        for (Contender contender : scenario.contenders()) {
            List<String> line = new ArrayList<>(List.of(
                    contender.name(),
                    scenario.measure().text(of(contender, scenario.measure())),
                    percent(ratio(contender))));
            others.forEach(measure -> line.add(measure.text(of(contender, measure))));
            lines.add(line);
        }
        return lines;
    }

    private String ratioTitle() {
        return scenario.reference().side() == Side.LIMIT ? "of limit" : "ratio";
    }

    static String percent(double ratio) {
        if (Double.isNaN(ratio)) {
            return "–";
        }
        if (ratio < 0.0005) {
            return "< 0.1%";
        }
        // A part of less than one in a hundred is not nothing.
        return String.format(Locale.ROOT, ratio < 0.0095 ? "%.1f%%" : "%.0f%%", 100 * ratio);
    }
}
