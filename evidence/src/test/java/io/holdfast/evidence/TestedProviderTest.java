package io.holdfast.evidence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class TestedProviderTest {

    /** Its tests need Docker. */
    private static final String CONTAINERS = "container-tests";

    /** The page says that it does not have them. */
    private static final String MOVES = "io.holdfast.examples.migration.";

    @Test
    void everyClassThatRunsTheKitHasALineAndEachLineHasItsClasses() throws IOException {
        Set<String> listed = new TreeSet<>();
        TestedProvider.all()
                .forEach(provider -> provider.classes().forEach(test -> listed.add(provider.module() + " " + test)));

        assertThat(inTheSources()).isNotEmpty().isEqualTo(listed);
    }

    private static Set<String> inTheSources() throws IOException {
        Set<String> found = new TreeSet<>();
        Path checkout = Path.of("").toAbsolutePath().getParent();
        try (Stream<Path> modules = Files.list(checkout)) {
            for (Path module :
                    modules.filter(each -> !each.endsWith(CONTAINERS)).toList()) {
                Path sources = module.resolve("src/test/java");
                if (Files.isDirectory(sources)) {
                    try (Stream<Path> files = Files.walk(sources)) {
                        files.map(sources::relativize)
                                .map(file -> file.toString().replace('/', '.'))
                                .filter(file -> file.matches(".*(Provider|Client)TckTest\\.java"))
                                .filter(file -> !file.startsWith(MOVES))
                                .forEach(file -> found.add(module.getFileName() + " "
                                        + file.substring(0, file.length() - ".java".length())));
                    }
                }
            }
        }
        return found;
    }

    @Test
    void namesAreDifferentAndShort() {
        List<String> names =
                TestedProvider.all().stream().map(TestedProvider::name).toList();

        assertThat(names)
                .doesNotHaveDuplicates()
                .allSatisfy(name -> assertThat(name).hasSizeLessThan(27).doesNotContain(","));
    }

    @Test
    void lineWithAColumnTooFewIsNamed() {
        assertThatThrownBy(() -> TestedProvider.in("Redis | hash | lock-redis | a.B | provider\n"))
                .isInstanceOf(EvidenceException.class)
                .hasMessageContaining("Redis | hash");
    }

    @Test
    void buildNamesEachModuleOnceAndGoesOnAfterAFailure() {
        assertThat(new KitBuild(Path.of("."), "mvn", TestedProvider.all()).command(Path.of("/reports")))
                .contains(
                        "lock-redis,lock-redisson,lock-jdbc,lock-tck,lock-zookeeper,examples",
                        "-Dmaven.test.failure.ignore=true",
                        "-Dholdfast.tck.report=/reports")
                .anyMatch(argument -> argument.startsWith("-Dtest=io.holdfast.lock.redis.HashLayoutProviderTckTest,")
                        && argument.contains(",io.holdfast.lock.jdbc.MySqlDriverProviderTckTest,"));
    }
}
