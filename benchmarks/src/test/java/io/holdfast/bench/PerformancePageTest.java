package io.holdfast.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.bench.Contender.Side;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PerformancePageTest {

    private final Contender limit = new Contender("bare <socket>", Side.LIMIT, unusedAddress -> new JdkLocks());
    private final Contender ours = new Contender("Holdfast", Side.OURS, unusedAddress -> new JdkLocks());
    private final Contender slow = new Contender("slow peer", Side.PEER, unusedAddress -> new JdkLocks());
    private final Contender fast = new Contender("fast peer", Side.PEER, unusedAddress -> new JdkLocks());
    private final Results results = new Results(new Scenario(
            "some-name",
            "Some title",
            "What it is.",
            StoreKind.NONE,
            new Cycles(1, 1),
            List.of(Measure.CYCLES, Measure.P50),
            List.of(limit, ours, slow, fast)));

    private String page() {
        add(limit, 1_000);
        add(ours, 500);
        add(slow, 100);
        add(fast, 800);
        return new PerformancePage(List.of(results), new Machine(0, List.of("2 processors"))).text();
    }

    private void add(Contender contender, double cycles) {
        results.add(contender, new Figures().with(Measure.CYCLES, cycles));
    }

    @Test
    void saysWhereOursIsBehindAndBehindWhom() {
        assertThat(page())
                .contains("| Holdfast | 50% | 63% of fast peer | – |")
                .contains("Behind: Holdfast at 63% of fast peer.\n")
                .doesNotContain("of slow peer");
    }

    @Test
    void hasATableAndAPictureForEachScenario() {
        assertThat(page())
                .contains("## some-name\n")
                .contains("![Some title](images/performance-some-name.svg)")
                .contains("| Holdfast | 500 | 50% | – |");
    }

    @Test
    void writesPicturesThatAreXml(@TempDir Path docs) throws IOException {
        page();
        new PerformancePage(List.of(results), new Machine(2, List.of())).write(docs);

        assertThat(docs.resolve("images/performance-some-name.svg")).content().contains("bare &lt;socket&gt;");
        assertThat(Files.readString(docs.resolve("performance.md"))).startsWith("# Performance\n");
    }

    @Test
    void saysThatTheMachineWasBusy() {
        assertThat(page()).doesNotContain("worth little");
        assertThat(new PerformancePage(List.of(results), new Machine(0.5, List.of())).text())
                .contains("worth little");
    }

    @Test
    void theMedianOfTheRoundsCounts() {
        for (double cycles : new double[] {1, 30, 20}) {
            add(limit, 100);
            add(ours, cycles);
        }

        assertThat(results.of(ours, Measure.CYCLES)).isEqualTo(20);
        assertThat(results.ratio(ours)).isEqualTo(0.2);
    }
}
