package io.holdfast.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.tck.faults.ChildJvm;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * An application beside this module, in another JVM and on the class path that Spring Boot's parent has made for it.
 *
 * @param name its folder, such as {@code redis}
 * @param main the name of its class
 */
record Application(String name, String main) {

    private static final Duration DONE_WITHIN = Duration.ofMinutes(4);

    /** The version of Spring Boot that this run is for. */
    static String springBoot() {
        return Objects.requireNonNull(
                System.getProperty("line.version"), "line.version, which the pom sets for each line of Spring Boot");
    }

    /** Runs the application to its end, and returns what it has printed. */
    List<String> run(String... arguments) {
        try (ChildJvm running = ChildJvm.startOn(classPath(), main, arguments)) {
            assertThat(running.awaitExit(DONE_WITHIN))
                    .as("exit code; the output: %s", String.join("\n", running.lines()))
                    .hasValue(0);
            return running.lines();
        }
    }

    /** The application's own classes and the jars that Maven has chosen for it. */
    private String classPath() {
        String line = springBoot().replaceFirst("\\.\\d+$", "");
        Path target = Path.of("boot-" + line, name, "target").toAbsolutePath();
        try {
            return target.resolve("classes") + File.pathSeparator + Files.readString(target.resolve("class-path"));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
