package io.holdfast.lock.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.tck.report.Report;
import io.holdfast.lock.tck.report.Reports;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** What a run of the kit says of itself in its report. */
class ReportedRunTest {

    /** A separate class, as reports are passed on by class. */
    static final class Reported extends CandidateTck.OfProvider {
        Reported(Supplier<LockHarness> candidate) {
            super(candidate);
        }
    }

    @Test
    void reportNamesTheVersionsAndOfEachTestTheHooksThatItNeeds() {
        List<Report> reports = new ArrayList<>();
        Reports.passOn(Reported.class, reports::add);

        KitRun.ofRule(Reported.class, "rule85_theRemovalOfOneLockIsNoLossOfAnother", () -> new MemoryHarness() {
            @Override
            public List<String> versions() {
                return List.of("Store 1.2", "Client 3.4");
            }
        });

        assertThat(reports).singleElement().satisfies(report -> {
            assertThat(report.facts()).containsEntry("with", "Store 1.2, Client 3.4");
            assertThat(report.facts().get("on")).contains(System.getProperty("java.version"), "processors");
            assertThat(report.facts().get("by")).matches("lock-tck [0-9.]+(-SNAPSHOT)?");
            assertThat(Instant.parse(report.facts().get("begun"))).isBeforeOrEqualTo(Instant.now());
            assertThat(report.findings()).singleElement().satisfies(finding -> {
                assertThat(finding.rules()).contains("8.5");
                assertThat(finding.hooks()).containsExactly("REMOVER");
            });
        });
    }
}
