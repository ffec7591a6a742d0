package io.holdfast.lock.tck.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The command, one run after the other: there is one in each JVM. */
class TckTest {

    @TempDir
    private Path directory;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int run(String... arguments) {
        return Tck.run(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                arguments);
    }

    private String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private String err() {
        return err.toString(StandardCharsets.UTF_8);
    }

    @Test
    void aGreenRunEndsWithZeroAndPrintsNothingThatLooksLikeTrouble() throws Exception {
        int code = run("--rule", "5.4", "--rule", "1.2", "--report", directory.toString(), "memory:green");

        assertThat(err()).isEmpty();
        assertThat(out())
                .containsPattern("memory:green: [0-9]+ skipped, [1-9][0-9]* pass [(]")
                .doesNotContainIgnoringCase("broken")
                .doesNotContainIgnoringCase("exception");
        assertThat(code).isZero();
        assertThat(Files.readString(directory.resolve("lock-tck.html"))).contains("memory:green");
        assertThat(Files.readString(directory.resolve("TEST-lock-tck.xml"))).containsPattern("tests=\"[1-9][0-9]*\"");
    }

    @Test
    @Timeout(60)
    void aProviderThatIsGrosslyWrongIsToldSoAtOnce() {
        int code = run("odd:grants");

        assertThat(out())
                .contains("BROKEN. Mend rule 1.1 first")
                .contains("the attempt must be contended")
                .contains("not run, until that is mended: ");
        assertThat(code).isOne();
    }

    @Test
    @Timeout(120)
    void aProviderThatHangsIsToldSo() {
        int code = run("--rule", "3.2", "odd:hangs");

        assertThat(out())
                .contains(
                        "BROKEN. Mend rule 5.4 first",
                        "the first attempt for a free lock has not ended after 15 seconds");
        assertThat(code).isOne();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--rule 9.99 memory:x | There is no rule '9.99'; allowed is the number of a rule of SPEC.md, such as 3.2",
                "--speed memory:x | There is no option '--speed'; allowed are --rule",
                "memory:x memory:y | There are 2 URIs; allowed is one",
                "memory:x --report | There is nothing behind --report",
                "--lease 100ms memory:x | --lease is 100ms; allowed are 200ms and more",
                "--classpath /no/such.jar memory:x | There is no file '/no/such.jar'",
                "--property secret memory:x | A --property has no name or no value; allowed is name=value",
                "odd:session | The provider keeps locks by sessions, which the kit ends by a proxy, but the URI names no host",
                "--soak memory:x | The parameter '--soak' is 'memory:x'",
                "--soak often memory:x | The parameter '--soak' is 'often'",
                "--soak 0s memory:x | --soak is 0s; allowed are 1s and more",
                "nothing://localhost | There is no backend for the scheme 'nothing'"
            })
    void whatIsWrongIsNamedWithWhatIsAllowed(String arguments, String complaint) {
        int code = run(arguments.split(" "));

        assertThat(err()).startsWith("tck: " + complaint);
        assertThat(code).isEqualTo(3);
    }

    @Test
    void aSoakAloneTestsNoRule() {
        // A busy machine may stand still for longer than a lease of the usual length.
        int code = run("--soak", "1s", "--lease", "30s", "memory:soak");

        assertThat(out())
                .contains("Soaking memory:soak for 1 s", "grants, 0 losses, 0 kills, 0 pauses", "No violation.")
                .doesNotContain("pass (");
        assertThat(code).isZero();
    }

    @Test
    void aSoakRunsAfterTheRulesThatAreNamed() {
        int code = run("--rule", "5.4", "--soak", "1s", "memory:soak");

        assertThat(out()).containsSubsequence("pass (", "Soaking memory:soak for 1 s", "No violation.");
        assertThat(code).isZero();
    }

    @Test
    @Timeout(120)
    void aSoakOfAProviderThatAlwaysGrantsEndsWithTheHoldsThatOverlap() {
        // On a busy machine the processes take long to start.
        int code = run("--soak", "10s", "odd:grants");

        assertThat(out())
                .contains("BROKEN, as the history shows:", " both held the lock 'tck-", "certainly held until");
        assertThat(code).isOne();
    }

    @Test
    @Timeout(120)
    void aSoakOfAStoreThatForgetsWhatIsHeldForLongEndsWithTheLoss() {
        // A machine that stands still for a quarter of the lease, by then of 6 s, leaves it open who lost the lock.
        int code = run("--soak", "5s", "--lease", "600ms", "--in-process", "odd:forgets");

        assertThat(out()).contains("BROKEN", "a lock that this process held all the time", "6000 ms, was lost within");
        assertThat(code).isOne();
    }

    @Test
    @Timeout(120)
    void aSoakThatSawTooLittleSaysThatItCannotTell() {
        int code = run("--soak", "1s", "--lease", "200ms", "--in-process", "odd:scarce");

        assertThat(out())
                .contains("INCONCLUSIVE: too few grants to tell anything.")
                .doesNotContain("No violation");
        assertThat(code).isEqualTo(2);
    }

    @Test
    void aStoreThatFailsMeanwhileIsNotBlamedOnTheProvider() {
        int code = run("--rule", "1.2", "odd:dies");

        assertThat(out()).contains("BROKEN", "INCONCLUSIVE: the store does not answer any more", "the store has died");
        assertThat(code).isEqualTo(2);
    }

    @Test
    void aSoakWhoseStoreFailsIsInconclusive() {
        int code = run("--soak", "1s", "--lease", "30s", "--in-process", "odd:dies-in-a-soak");

        assertThat(out()).contains("INCONCLUSIVE: the store does not answer any more");
        assertThat(code).isEqualTo(2);
    }

    @Test
    void aSoakAloneSaysThatItWritesNoReport() {
        int unused = run("--soak", "1s", "--lease", "30s", "--report", directory.toString(), "memory:soak");

        assertThat(out()).contains("No rule was tested, so there is no report: add --rule all.");
    }

    @Test
    void aRuleThatNeedsAFaultSaysWhyThereIsNone() {
        assertThat(run("--rule", "2.5", "memory:x")).isZero();
        assertThat(out()).contains("skipped, as no network leads to a store in this process: 2.5");

        assertThat(run("--rule", "2.5", "--direct", "memory:x")).isZero();
        assertThat(out()).contains("skipped, as --direct was given: 2.5");
    }

    @Test
    void processesAreLeftOutIfTheStoreIsInEachOfThem() {
        assertThat(run("--rule", "6.4", "--in-process", "odd:memory")).isEqualTo(3);
        assertThat(out()).contains("skipped, as the rule stops processes").doesNotContain("BROKEN");
    }

    @Test
    void tokensAreRaisedOnlyInAStoreThatIsThereForTheTestsAlone() {
        assertThat(run("--rule", "6.7", "memory:x"))
                .as("nothing is left to test")
                .isEqualTo(3);
        assertThat(out()).contains("skipped, as nobody has said that the store is there for the tests alone");

        out.reset();
        assertThat(run("--rule", "6.7", "--disposable", "memory:x")).isZero();
        assertThat(out()).contains(" pass (").doesNotContain("nobody has said");
    }

    @Test
    void helpNamesAllOptions() {
        assertThat(run("--help")).isZero();
        assertThat(out())
                .contains("--rule", "--report", "--lease", "--tolerance", "--property", "--classpath")
                .contains("--soak", "--in-process", "--direct", "--one-by-one", "--disposable");
        assertThat(run()).isEqualTo(3);
        assertThat(err()).isEqualTo(out());
    }
}
