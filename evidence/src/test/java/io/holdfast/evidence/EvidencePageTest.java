package io.holdfast.evidence;

import static io.holdfast.evidence.SampleReports.COMMIT;
import static io.holdfast.evidence.SampleReports.RARE;
import static io.holdfast.evidence.SampleReports.SERVER;
import static io.holdfast.evidence.SampleReports.finding;
import static io.holdfast.evidence.SampleReports.passed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.tck.Hook;
import io.holdfast.lock.tck.report.Finding;
import io.holdfast.lock.tck.report.RuleBook;
import io.holdfast.lock.tck.report.Verdict;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EvidencePageTest {

    private static final String FIRST = "2026-11-23T12.00.00Z";
    private static final String SECOND = "2026-11-24T12.00.00Z";
    private static final Finding PASSED = passed("rule11_a", List.of("1.1"));

    @TempDir
    private Path folder;

    private String page(Finding... ofServer) {
        return EvidencePage.of(
                new SampleReports(folder).with(COMMIT, FIRST, SERVER, ofServer).seen());
    }

    @Test
    void headlineHasRunsCodeMachineAndVersions() {
        assertThat(page(PASSED))
                .contains(
                        "**Runs:** 1, on 2026-11-23, of 1 provider",
                        "commit `" + COMMIT + "`",
                        "Java 17, 2 processors",
                        "Client 3.4, Server 1.2",
                        "1 run, 1 passed, 0 broken; 0 did not apply")
                .doesNotContain("{", "Broken:", "Inconclusive:");
    }

    @Test
    void brokenAndInconclusiveTestsAreNamedWithWhatWasSeen() {
        assertThat(page(
                        PASSED,
                        finding("rule11_b", Verdict.BROKEN, "two <holders> | at once", List.of("1.1", "2.1"), "OUTAGE"),
                        finding("control_c", Verdict.INCONCLUSIVE, "the machine stood still", List.of(), "OUTAGE")))
                .contains(
                        "Broken:",
                        "| server | 1.1, 2.1 | `rule11_b` | two &lt;holders> \\| at once |",
                        "Inconclusive: the machine was too slow to tell:",
                        "| server | control | `control_c` | the machine stood still |",
                        "2 run, 1 passed, 1 broken; 0 did not apply",
                        "1 run, 0 passed, 0 broken, 1 inconclusive; 0 did not apply",
                        "| connections break, none can be made |  | **0/1** |",
                        "| 1 | 1 of 1 | **broken** on server |");
    }

    @Test
    void runsAddUpInEachCell() {
        Finding held = passed("rule95_c", List.of("9.5", "1.6"), "OUTAGE");
        Finding late = finding("rule95_c", Verdict.INCONCLUSIVE, "too slow", List.of("9.5", "1.6"), "OUTAGE");

        String page = EvidencePage.of(new SampleReports(folder)
                .with(COMMIT, FIRST, SERVER, PASSED, held)
                .with(COMMIT, SECOND, SERVER, PASSED, late)
                .seen());

        assertThat(page)
                .contains(
                        "**Runs:** 2, from 2026-11-23 to 2026-11-24",
                        "| no fault | 1 rule | 2/2 |",
                        "| connections break, none can be made | 1.6, 9.5 | **1/2** |");
    }

    @Test
    void cellWithoutTestsHasTheReasonAndOneWithFewerRulesSaysWhich() {
        String page = EvidencePage.of(new SampleReports(folder)
                .with(
                        COMMIT,
                        FIRST,
                        SERVER,
                        passed("rule22_a", List.of("2.2", "6.3"), "CRASH"),
                        passed("rule13_b", List.of("1.3"), "LOST_REPLIES"),
                        finding("rule84_c", Verdict.SKIPPED, "not applicable: it is shared", List.of("8.4"), "PAUSE"))
                .with(
                        COMMIT,
                        FIRST,
                        RARE,
                        passed("rule22_a", List.of("2.2"), "CRASH"),
                        finding("rule13_b", Verdict.SKIPPED, "not applicable: no way", List.of("1.3"), "LOST_REPLIES"),
                        finding("rule33_b", Verdict.SKIPPED, "not applicable: no way", List.of("3.3"), "LOST_REPLIES"),
                        finding("rule84_c", Verdict.SKIPPED, "not applicable: it is shared", List.of("8.4"), "PAUSE"))
                .seen());

        assertThat(page)
                .contains(
                        "| while | rules | server | rare |",
                        "| replies are lost | 1.3 | 1/1 | – (2) |",
                        "| the server is killed and keeps its data | 2.2, 6.3 | 1/1 | 1/1, not 6.3 |",
                        "* no fault; the lock's record is deleted; connections break, none can be made; the server"
                                + " refuses all changes; one connection hangs",
                        "\n* the server stands still (SIGSTOP) (3)\n",
                        "2. no way.\n3. it is shared.");
    }

    @Test
    void everyRuleHasALineAndARuleOutsideTheKitItsReason() {
        String page = page(PASSED, finding("rule63_d", Verdict.SKIPPED, "not applicable: no tokens", List.of("6.3")));

        assertThat(page)
                .contains(
                        "| [1.1](../SPEC.md#1-mutual-exclusion) | At every instant",
                        "| 1 | 1 of 1 |  |",
                        "| – | – | Not in the kit: The kit opens providers",
                        "| 0 | 0 of 1 |  |",
                        "| no tokens | 6.3 | server |");
        assertThat(RuleBook.ofThisKit().rules())
                .allSatisfy(rule -> assertThat(page).contains("| [" + rule.number() + "]("));
    }

    @Test
    void ruleThatTheKitTestsInPartHasItsTestsAndTheReason() {
        assertThat(page(PASSED, passed("rule24_e", List.of("2.4"))))
                .contains("| 1 | 1 of 1 | only in part: A JVM cannot set the clock of one client alone.");
    }

    @Test
    void ruleNamesTheShorterListOfProviders() {
        Finding skipped = finding("rule41_b", Verdict.SKIPPED, "not applicable: no", List.of("4.1"));
        String page = EvidencePage.of(new SampleReports(folder)
                .with(COMMIT, FIRST, SERVER, PASSED, passed("rule41_b", List.of("4.1")))
                .with(COMMIT, FIRST, RARE, PASSED, skipped)
                .seen());

        assertThat(page).contains("| 1 | 2 of 2 |  |", "| 1 | 1 of 2 | not on rare |");
    }

    @Test
    void providerThatWasNotRunIsToldWithTheReason() {
        assertThat(page(PASSED))
                .contains(
                        "No run of **rare**: there is no rare server here.",
                        "**server**: only the tests at the level of the SPI");
    }

    @Test
    void everyHookOfTheKitHasItsRowAndAnUnknownOneIsRefused() {
        for (Hook hook : Hook.values()) {
            RecordedTest test =
                    new RecordedTest("client", "rule11_a", List.of("1.1"), List.of(hook.name()), Verdict.PASS, "");

            assertThat(TestedFault.of(test)).isNotEmpty();
        }
        assertThatThrownBy(() -> page(passed("rule11_a", List.of("1.1"), "FLOOD")))
                .isInstanceOf(EvidenceException.class)
                .hasMessageContaining("FLOOD");
    }
}
