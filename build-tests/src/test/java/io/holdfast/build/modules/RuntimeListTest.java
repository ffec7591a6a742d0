package io.holdfast.build.modules;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.build.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each artifact brings the agreed jars into an application, and the pages name them. */
class RuntimeListTest {

    private static final Path AGREED = Checkout.root().resolve("build-tests/src/test/resources/runtime");
    private static final Path FOUND = Checkout.root().resolve("build-tests/target/runtime");
    private static final String NO_BACKEND = "lock-(api|core|tck|tck-faults)";

    @ParameterizedTest
    @MethodSource("artifacts")
    void anArtifactBringsTheAgreedJarsAndNoOthers(String artifact) throws IOException {
        List<String> brings =
                brings(artifact).stream().map(RuntimeList.Jar::toString).toList();
        Path found = Files.createDirectories(FOUND).resolve(artifact + ".txt");
        Files.writeString(found, String.join("\n", brings) + "\n");

        assertThat(brings)
                .as("what %s brings. If that is as it should be, copy %s to %s", artifact, found, AGREED)
                .isEqualTo(Files.readAllLines(AGREED.resolve(artifact + ".txt")));
    }

    @ParameterizedTest
    @MethodSource("backends")
    void thePageOfABackendNamesEachForeignJar(String artifact) {
        String page = Checkout.read(Checkout.root().resolve("docs/backends/" + artifact.replace("lock-", "") + ".md"));

        assertThat(brings(artifact).stream().filter(jar -> !jar.isOurs()))
                .allSatisfy(jar -> assertThat(page).contains("`" + jar.artifact() + "`"));
    }

    /** An application with several backends has one Netty and one SLF4J, whichever of them Maven finds first. */
    @Test
    void noTwoArtifactsBringDifferentVersionsOfOneJar() {
        var versions = artifacts()
                .flatMap(artifact -> brings(artifact).stream())
                .collect(Collectors.groupingBy(
                        RuntimeList.Jar::name, Collectors.mapping(RuntimeList.Jar::version, Collectors.toSet())));

        assertThat(versions).allSatisfy((jar, found) -> assertThat(found).hasSize(1));
        assertThat(versions.entrySet().stream()
                        .filter(jar -> jar.getKey().startsWith("io.netty:"))
                        .flatMap(jar -> jar.getValue().stream())
                        .collect(Collectors.toSet()))
                .hasSize(1);
        assertThat(versions.getOrDefault("org.slf4j:slf4j-api", Set.of()))
                .allMatch(version -> version.startsWith("2."));
    }

    static Stream<String> artifacts() {
        return PublishedModules.withJars().stream();
    }

    static Stream<String> backends() {
        return artifacts().filter(artifact -> !artifact.matches(NO_BACKEND));
    }

    private static List<RuntimeList.Jar> brings(String artifact) {
        return RuntimeList.of(artifact.replace("lock-", "")).jars();
    }
}
