package io.holdfast.build.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.build.Checkout;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SourceRulesTest {

    @Test
    void theMainSourcesObey() {
        assertThat(problems(Checkout.sources("src/main/java"), SourceRules::problemsInMain))
                .isEmpty();
    }

    @Test
    void theTestSourcesObey() {
        List<Path> others = Checkout.sources("src/test/java").stream()
                .filter(file -> !file.startsWith(Checkout.root().resolve("build-tests")))
                .toList();

        assertThat(problems(others, SourceRules::problemsInTests)).isEmpty();
    }

    @Test
    void aCatchOfThrowableIsReported() {
        assertThat(SourceRules.problemsInMain("A.java", "try { } catch (final Throwable all) { }"))
                .containsExactly("A.java catches Throwable");
        assertThat(SourceRules.problemsInMain("A.java", "try { } catch (IOException | Throwable all) { }"))
                .containsExactly("A.java catches Throwable");
    }

    @Test
    void aNoteOfWorkToDoIsReported() {
        assertThat(SourceRules.problemsInMain("A.java", "int a; // TODO name it"))
                .containsExactly("A.java leaves a note of work to do");
    }

    @Test
    void aTestThatIsSwitchedOffIsReported() {
        assertThat(SourceRules.problemsInTests("ATest.java", "@Disabled @Test void a() {}"))
                .containsExactly("ATest.java switches a test off");
    }

    @Test
    void aTestThatSleepsIsReported() {
        assertThat(SourceRules.problemsInTests("ATest.java", "Thread.sleep(5);"))
                .containsExactly("ATest.java sleeps");
    }

    @Test
    void noTypeNameStandsInTwoModules() {
        List<Path> files = Stream.of("src/main/java", "src/test/java")
                .flatMap(folder -> Checkout.sources(folder).stream())
                .map(Checkout.root()::relativize)
                .filter(file -> !file.startsWith("build-tests/src/test/java/planted"))
                .toList();

        assertThat(files).contains(Path.of("lock-api/src/main/java/io/holdfast/lock/LockClient.java"));
        assertThat(SourceRules.namesInSeveralModules(files)).isEmpty();
    }

    @Test
    void aTypeNameInTwoModulesIsReported() {
        List<Path> files = Stream.of(
                        "lock-a/src/main/java/a/Same.java",
                        "lock-b/src/test/java/b/Same.java",
                        "lock-a/src/main/java/a/Twice.java",
                        "lock-a/src/main/java/a/b/Twice.java",
                        "lock-a/src/main/java/a/package-info.java",
                        "lock-b/src/main/java/b/package-info.java",
                        "lock-a/src/main/java/module-info.java",
                        "lock-b/src/main/java/module-info.java")
                .map(Path::of)
                .toList();

        assertThat(SourceRules.namesInSeveralModules(files)).containsExactly("Same.java stands in [lock-a, lock-b]");
    }

    private static List<String> problems(List<Path> files, BiFunction<String, String, List<String>> rules) {
        return files.stream()
                .flatMap(file -> rules.apply(file.toString(), Checkout.read(file)).stream())
                .toList();
    }
}
