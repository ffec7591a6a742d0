package io.holdfast.build.modules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.holdfast.build.Checkout;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The jar of the kit that runs, which the profile {@code release} makes: it needs nothing beside it. */
class StandaloneKitTest {

    @TempDir
    private Path elsewhere;

    @Test
    void theKitRunsFromItsJar() throws IOException, InterruptedException {
        assumeThat(Boolean.getBoolean("holdfast.release"))
                .as("only the profile release makes the jar")
                .isTrue();
        Path jar = Checkout.root()
                .resolve("lock-tck/target/lock-tck-" + System.getProperty("holdfast.version") + "-standalone.jar");
        Path output = elsewhere.resolve("output");
        Process kit = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-jar",
                        jar.toString(),
                        "--rule",
                        "1.2",
                        "--report",
                        elsewhere.toString(),
                        "memory:standalone"))
                .directory(elsewhere.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();

        assertThat(kit.waitFor(2, TimeUnit.MINUTES)).isTrue();
        assertThat(Files.readString(output, StandardCharsets.UTF_8))
                .containsPattern("memory:standalone: \\d+ pass \\(");
        assertThat(kit.exitValue()).isZero();
        assertThat(elsewhere.resolve("lock-tck.html")).isRegularFile();
    }
}
