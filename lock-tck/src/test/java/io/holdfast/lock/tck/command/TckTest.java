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
                .contains("memory:green: 1 skipped, 4 pass (")
                .doesNotContainIgnoringCase("broken")
                .doesNotContainIgnoringCase("exception");
        assertThat(code).isZero();
        assertThat(Files.readString(directory.resolve("lock-tck.html"))).contains("memory:green");
        assertThat(Files.readString(directory.resolve("TEST-lock-tck.xml"))).contains("tests=\"5\"");
    }

    @Test
    @Timeout(20)
    void aProviderThatIsGrosslyWrongIsToldSoAtOnce() {
        int code = run("odd:grants");

        assertThat(out())
                .contains("BROKEN. Mend rule 1.1 first")
                .contains("the attempt must be contended")
                .contains("not run, until that is mended: ");
        assertThat(code).isOne();
    }

    @Test
    @Timeout(60)
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
                "nothing://localhost | There is no backend for the scheme 'nothing'"
            })
    void whatIsWrongIsNamedWithWhatIsAllowed(String arguments, String complaint) {
        int code = run(arguments.split(" "));

        assertThat(err()).startsWith("tck: " + complaint);
        assertThat(code).isEqualTo(3);
    }

    @Test
    void helpNamesAllOptions() {
        assertThat(run("--help")).isZero();
        assertThat(out()).contains("--rule", "--report", "--lease", "--tolerance", "--property", "--classpath");
        assertThat(run()).isEqualTo(3);
        assertThat(err()).isEqualTo(out());
    }
}
