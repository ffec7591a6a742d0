package io.holdfast.models;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.tck.faults.ChildJvm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tlc2.TLC;

/** Each run of a model ends as the first line of its configuration says. */
class ModelsTest {

    private static final String HOLDS = "Model checking completed. No error has been found.";
    private static final Pattern VIOLATED = Pattern.compile("\\\\\\* Violated: (\\w+)\\.");
    private static final String LARGE = "full-";
    private static final String LONG = "long-";
    /** Most runs end before the second compiler has paid for itself, and do without it. */
    private static final String BOTH_COMPILERS = "-XX:TieredStopAtLevel=4";

    private static final Duration BOUND = Duration.ofMinutes(10);

    static Stream<Path> runs() {
        return all().filter(run -> !isNamed(run, LARGE) && !isNamed(run, LONG));
    }

    static Stream<Path> largeRuns() {
        return all().filter(run -> isNamed(run, LARGE));
    }

    static Stream<Path> longRuns() {
        return all().filter(run -> isNamed(run, LONG));
    }

    static Stream<Path> all() {
        return filesBelow(Path.of("").toAbsolutePath(), ".cfg").stream().sorted();
    }

    private static boolean isNamed(Path run, String prefix) {
        return run.getFileName().toString().startsWith(prefix);
    }

    @ParameterizedTest
    @MethodSource("runs")
    void runEndsAsItsConfigurationSays(Path run, @TempDir Path directory) throws IOException {
        check(run, directory);
    }

    @Tag("full")
    @ParameterizedTest
    @MethodSource("largeRuns")
    void largeRunEndsAsItsConfigurationSays(Path run, @TempDir Path directory) throws IOException {
        check(run, directory, BOTH_COMPILERS);
    }

    @Tag("long")
    @ParameterizedTest
    @MethodSource("longRuns")
    void longRunEndsAsItsConfigurationSays(Path run, @TempDir Path directory) throws IOException {
        check(run, directory, BOTH_COMPILERS);
    }

    private static void check(Path run, Path directory, String... options) throws IOException {
        String expected = Files.readAllLines(run).get(0);
        List<String> output = output(run, directory, options);
        Matcher violated = VIOLATED.matcher(expected);
        if (violated.matches()) {
            assertThat(output).anyMatch(line -> isViolationOf(violated.group(1), line));
        } else {
            assertThat(expected).as("the first line of " + run).isEqualTo("\\* Holds.");
            assertThat(output).contains(HOLDS);
        }
    }

    private static boolean isViolationOf(String property, String line) {
        return line.equals("Error: Invariant " + property + " is violated.")
                || line.equals("Error: Action property " + property + " is violated.")
                || line.equals("Error: Temporal properties were violated.");
    }

    /** A run that has to fail checks nothing but what it has to violate: so TLC cannot find something else first. */
    @ParameterizedTest
    @MethodSource("all")
    void runThatFailsChecksOnePropertyAlone(Path run) throws IOException {
        Matcher violated = VIOLATED.matcher(Files.readAllLines(run).get(0));
        if (violated.matches()) {
            assertThat(Files.readAllLines(run))
                    .filteredOn(line -> line.startsWith("INVARIANT") || line.startsWith("PROPERT"))
                    .singleElement()
                    .isIn("INVARIANT " + violated.group(1), "PROPERTY " + violated.group(1));
        }
    }

    /** In a JVM that ends with the run, as TLC keeps what it knows of a model in static fields. */
    private static List<String> output(Path run, Path directory, String... options) {
        Path model = filesBelow(run.getParent(), ".tla").get(0);
        List<String> all = new ArrayList<>(List.of(options));
        all.add("-Djava.io.tmpdir=" + directory);
        try (ChildJvm checker = ChildJvm.start(
                all,
                TLC.class,
                "-deadlock",
                "-workers",
                "auto",
                "-metadir",
                directory.toString(),
                "-config",
                run.toString(),
                model.toString())) {
            assertThat(checker.awaitExit(BOUND)).as("the end of " + run).isPresent();
            return checker.lines();
        }
    }

    private static List<Path> filesBelow(Path folder, String ending) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(ending)).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
