package io.holdfast.bench;

import io.holdfast.bench.Contender.Side;
import java.util.Locale;

/** A scenario's first measure as bars, in SVG without scripts or fonts, legible on light and dark pages. */
final class BarPicture {

    private static final int LEFT = 290;
    private static final int LONGEST = 360;
    private static final int WIDTH = LEFT + LONGEST + 190;
    private static final int TOP = 44;
    private static final int LINE = 26;
    private static final int BAR = 16;

    private static final String STYLE = """
          <style>
            text { font: 13px system-ui, sans-serif; fill: #1f2328; }
            .title { font-weight: 600; }
            .page { fill: #ffffff; }
            .limit { fill: #afb8c1; }
            .peer, .textbook { fill: #6e7781; }
            .ours { fill: #0969da; }
            @media (prefers-color-scheme: dark) {
              text { fill: #e6edf3; }
              .page { fill: #0d1117; }
              .limit { fill: #484f58; }
              .peer, .textbook { fill: #8b949e; }
              .ours { fill: #4493f8; }
            }
          </style>
        """;

    private final Results results;
    private final StringBuilder svg = new StringBuilder();

    BarPicture(Results results) {
        this.results = results;
    }

    String svg() {
        Scenario scenario = results.scenario();
        int height = TOP + LINE * scenario.contenders().size() + 6;
        String title = escaped(scenario.title() + ": " + scenario.measure().explainedTitle());
        svg.append(String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\""
                        + " role=\"img\">%n",
                WIDTH,
                height,
                WIDTH,
                height));
        svg.append(String.format("  <title>%s</title>%n", title)).append(STYLE);
        svg.append(String.format("  <rect class=\"page\" width=\"%d\" height=\"%d\"/>%n", WIDTH, height));
        svg.append(String.format("  <text class=\"title\" x=\"12\" y=\"24\">%s</text>%n", title));
        double most = scenario.contenders().stream()
                .mapToDouble(contender -> results.of(contender, scenario.measure()))
                .max()
                .orElse(1);
        for (int i = 0; i < scenario.contenders().size(); i++) {
            bar(scenario.contenders().get(i), most, TOP + i * LINE);
        }
        return svg.append("</svg>\n").toString();
    }

    private void bar(Contender contender, double most, int y) {
        Measure measure = results.scenario().measure();
        double value = results.of(contender, measure);
        long length = Math.max(1, Math.round(LONGEST * value / most));
        int text = y + BAR - 3;
        svg.append(String.format(
                "  <text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>%n",
                LEFT - 10, text, escaped(contender.name())));
        svg.append(String.format(
                "  <rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>%n",
                kind(contender.side()), LEFT, y, length, BAR));
        svg.append(String.format(
                "  <text x=\"%d\" y=\"%d\">%s (%s)</text>%n",
                LEFT + length + 8, text, measure.text(value), escaped(Results.percent(results.ratio(contender)))));
    }

    private static String kind(Side side) {
        return side.name().toLowerCase(Locale.ROOT);
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
