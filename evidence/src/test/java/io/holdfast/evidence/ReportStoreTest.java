package io.holdfast.evidence;

import static io.holdfast.evidence.SampleReports.COMMIT;
import static io.holdfast.evidence.SampleReports.RARE;
import static io.holdfast.evidence.SampleReports.SERVER;
import static io.holdfast.evidence.SampleReports.passed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.tck.report.Finding;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportStoreTest {

    private static final Finding PASSED = passed("rule11_a", List.of("1.1"));
    private static final Clock NOON = Clock.fixed(Instant.parse("2026-11-23T12:00:00Z"), ZoneOffset.UTC);

    @TempDir
    private Path folder;

    @Test
    void runsOfOneCommitAddUp() {
        Observations seen = new SampleReports(folder)
                .with(COMMIT, "2026-11-23T12.00.00Z", SERVER, PASSED)
                .with(COMMIT, "2026-11-24T12.00.00Z", SERVER, PASSED)
                .seen();

        assertThat(seen.runs())
                .extracting(StoredRun::day)
                .containsExactly(LocalDate.of(2026, 11, 23), LocalDate.of(2026, 11, 24));
        assertThat(seen.count(RecordedTest::passed)).isEqualTo(2);
    }

    @Test
    void reportOfAnotherCommitIsRefused() {
        ReportStore store = new SampleReports(folder)
                .with(COMMIT, "2026-11-23T12.00.00Z", SERVER, PASSED)
                .with("ba9876543210", "2026-11-22T12.00.00Z", SERVER, PASSED)
                .store();

        assertThatThrownBy(() -> store.runsOf(COMMIT))
                .isInstanceOf(EvidenceException.class)
                .hasMessageContaining("ba9876543210")
                .hasMessageContaining("must not be mixed");
        assertThatThrownBy(() -> store.refuseOthersThan(COMMIT)).hasMessageContaining("ba9876543210");
    }

    @Test
    void withoutReportsTheErrorSaysWhatToRun() {
        assertThatThrownBy(() -> new SampleReports(folder).store().runsOf(COMMIT))
                .isInstanceOf(EvidenceException.class)
                .hasMessageContaining("no report of commit " + COMMIT)
                .hasMessageContaining("Run ./tck evidence");
    }

    @Test
    void runWithoutTheReportOfAProviderNamesItsTestClass() {
        ReportStore store = new SampleReports(folder)
                .with(COMMIT, "2026-11-23T12.00.00Z", RARE, PASSED)
                .store();

        assertThatThrownBy(() -> store.runsOf(COMMIT))
                .isInstanceOf(EvidenceException.class)
                .hasMessageContaining("no report of a.ServerProviderTckTest.")
                .hasMessageContaining("maven.log");
    }

    @Test
    void classesWithinAClassHaveTheirOwnReports() {
        TestedProvider first = within("First");
        TestedProvider second = within("Second");
        Observations seen = new SampleReports(folder)
                .with(COMMIT, "2026-11-23T12.00.00Z", first, PASSED)
                .with(COMMIT, "2026-11-23T12.00.00Z", second, PASSED)
                .seen();

        assertThat(seen.seen()).containsExactly(SERVER);
        assertThat(seen.count(RecordedTest::passed)).isEqualTo(2);
    }

    private static TestedProvider within(String name) {
        return new TestedProvider(
                SERVER.family(), name, SERVER.module(), List.of(SERVER.classes().get(0) + "$" + name), "");
    }

    @Test
    void reportThatMayBeMissingIsNotDemanded() {
        Observations seen = new SampleReports(folder)
                .with(COMMIT, "2026-11-23T12.00.00Z", SERVER, PASSED)
                .seen();

        assertThat(seen.seen()).containsExactly(SERVER);
        assertThat(seen.unseen()).containsExactly(RARE);
    }

    @Test
    void runCountsOnlyOnceItIsKept() {
        SampleReports reports = new SampleReports(folder).with(COMMIT, "2026-11-23T11.00.00Z", SERVER, PASSED);
        Path run = reports.store().begin(COMMIT, NOON);
        assertThat(reports.seen().runs()).hasSize(1);
        assertThat(reports.store().unfinishedRunsOf(COMMIT)).containsExactly(run);
        assertThatThrownBy(() -> reports.store().keep(run)).hasMessageContaining("a.ServerProviderTckTest");

        reports.with(COMMIT, run.getFileName().toString(), SERVER, PASSED)
                .store()
                .keep(run);

        assertThat(reports.seen().runs()).hasSize(2);
        assertThat(folder.resolve(COMMIT).resolve("2026-11-23T12.00.00Z")).isDirectory();
        assertThat(Files.exists(run)).isFalse();
    }
}
