package io.holdfast.evidence;

import static io.holdfast.evidence.SampleReports.COMMIT;
import static io.holdfast.evidence.SampleReports.SERVER;
import static io.holdfast.evidence.SampleReports.finding;
import static io.holdfast.evidence.SampleReports.passed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.tck.report.Verdict;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordedSuiteTest {

    private static final String RUN = "2026-11-23T12.00.00Z";

    @TempDir
    private Path folder;

    @Test
    void eachTestHasItsRulesHooksVerdictAndText() {
        List<RecordedTest> tests = new SampleReports(folder)
                .with(
                        COMMIT,
                        RUN,
                        SERVER,
                        passed("rule95_a", List.of("1.6", "9.5"), "OUTAGE"),
                        finding("rule11_b", Verdict.BROKEN, "two: holders", List.of("1.1")),
                        finding("rule34_c", Verdict.INCONCLUSIVE, "too slow", List.of("3.4")),
                        finding("control_d", Verdict.SKIPPED, "not applicable: there is no server", List.of(), "CRASH"))
                .seen()
                .testsOf(SERVER);

        assertThat(tests)
                .containsExactly(
                        new RecordedTest(
                                "provider", "rule95_a", List.of("1.6", "9.5"), List.of("OUTAGE"), Verdict.PASS, ""),
                        new RecordedTest(
                                "provider", "rule11_b", List.of("1.1"), List.of(), Verdict.BROKEN, "two: holders"),
                        new RecordedTest(
                                "provider", "rule34_c", List.of("3.4"), List.of(), Verdict.INCONCLUSIVE, "too slow"),
                        new RecordedTest(
                                "provider",
                                "control_d",
                                List.of(),
                                List.of("CRASH"),
                                Verdict.SKIPPED,
                                "not applicable: there is no server"));
        assertThat(tests.get(3).reason()).isEqualTo("there is no server");
    }

    @Test
    void entitiesAndOtherDocumentsAreRefused() {
        for (String text : List.of(
                "<!DOCTYPE testsuite [<!ENTITY x 'y'>]><testsuite name=\"&x;\"/>",
                "no xml",
                "<testsuite><testcase name='a' classname='b'><failure type='odd' message='c: d'/></testcase></testsuite>")) {
            ReportStore store = new SampleReports(folder)
                    .withText(COMMIT, RUN, SERVER, text)
                    .store();

            assertThatThrownBy(() -> store.runsOf(COMMIT))
                    .isInstanceOf(EvidenceException.class)
                    .hasMessageContaining("TEST-a.ServerProviderTckTest.xml is no report of the kit");
        }
    }
}
