package io.holdfast.build.models;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.build.Checkout;
import io.holdfast.servers.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tlc2.TLC;

/** Each run of a model ends as the first line of its configuration says. */
class ModelsTest {

    private static final String HOLDS = "Model checking completed. No error has been found.";
    private static final Duration BOUND = Duration.ofMinutes(10);

    static Stream<Path> runs() {
        return all().filter(run -> !isLarge(run));
    }

    static Stream<Path> largeRuns() {
        return all().filter(ModelsTest::isLarge);
    }

    private static Stream<Path> all() {
        return Checkout.filesBelow(Checkout.root().resolve("models"), ".cfg").stream()
                .sorted();
    }

    private static boolean isLarge(Path run) {
        return run.getFileName().toString().startsWith("full-");
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
        check(run, directory);
    }

    private static void check(Path run, Path directory) throws IOException {
        String expected = Files.readAllLines(run).get(0);
        List<String> output = output(run, directory);
        switch (expected) {
            case "\\* Holds." -> assertThat(output).contains(HOLDS);
            case "\\* Violated." ->
                assertThat(output).anyMatch(line -> line.matches("Error: Invariant \\w+ is violated\\."));
            default ->
                throw new AssertionError(
                        run + " begins with '" + expected + "'; allowed are '\\* Holds.' and '\\* Violated.'");
        }
    }

    /** In a JVM that ends with the run, as TLC keeps what it knows of a model in static fields. */
    private static List<String> output(Path run, Path directory) {
        Path model = Checkout.filesBelow(run.getParent(), ".tla").get(0);
        try (ChildJvm checker = ChildJvm.start(
                List.of("-Djava.io.tmpdir=" + directory),
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
}
