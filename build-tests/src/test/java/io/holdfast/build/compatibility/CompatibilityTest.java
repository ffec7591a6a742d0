package io.holdfast.build.compatibility;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.build.Checkout;
import io.holdfast.build.compatibility.VersionLine.Tests;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The page of what was tested with what: it says what the reports of the tests say. */
class CompatibilityTest {

    private static final Path PAGE = Checkout.root().resolve("docs/compatibility.md");
    private static final int JDK = Runtime.version().feature();
    private static final String REWRITE =
            "docs/compatibility.md is not what the build tests; mvn verify -P full -Dcompatibility.write writes it";
    private static final String PLANTED_PAGE = """
            | with | version | tests | JDK 17 | JDK 21 | JDK 25 |
            |---|---|---|---|---|---|
            | Old | 1.0 | all | passed | passed | not run |
            | Kept | 2.0 | core | passed | not run | passed |
            | Boxed | 3 | kit | not run | passed | not run |

            The end.
            """;
    private static final VersionLine KEPT = new VersionLine("Kept", "2.0", Tests.CORE, PAGE, "");
    private static final VersionLine BOXED = new VersionLine("Boxed", "3", Tests.KIT, PAGE, "");
    private static final VersionLine NEW = new VersionLine("New", "4.0", Tests.ALL, PAGE, "");

    @TempDir
    private Path reports;

    /** The other builds do not run all lines: there the page is compared with what the poms declare. */
    private static boolean everyLineRan() {
        return Boolean.getBoolean("holdfast.full");
    }

    @BeforeAll
    static void writeThePageIfAskedTo() throws IOException {
        if (everyLineRan() && Boolean.getBoolean("compatibility.write")) {
            String page = Checkout.read(PAGE);
            Matrix matrix = Matrix.in(page).after(Lines.declared(), JDK, line -> Result.of(line, JDK));
            Files.writeString(
                    PAGE, ManagedVersions.written(matrix.writtenInto(page), ManagedVersions.built(springBoots())));
        }
    }

    private static List<String> springBoots() {
        return Lines.declared().stream()
                .filter(line -> line.tests() == Tests.FIRST_LINES)
                .map(VersionLine::version)
                .toList();
    }

    @Test
    void thePageHasARowForEachLineThatTheBuildDeclaresAndNoOther() {
        List<VersionLine> lines = Lines.declared();

        assertThat(lines).hasSizeGreaterThanOrEqualTo(20);
        assertThat(Matrix.in(Checkout.read(PAGE)).rows().keySet())
                .as(REWRITE)
                .containsExactlyElementsOf(lines.stream().map(VersionLine::key).toList());
    }

    /** But for containers, which need more than Maven. */
    @Test
    void eachLineHasPassedOnAJdk() {
        Matrix page = Matrix.in(Checkout.read(PAGE));

        assertThat(Lines.declared())
                .filteredOn(line -> line.tests() != Tests.KIT)
                .as("lines that no JDK has passed; " + REWRITE)
                .allMatch(
                        line -> page.rows().getOrDefault(line.key(), List.of()).contains(Result.PASSED.word()));
    }

    @Test
    void pageAndReportsAgreeOnThisJdk() {
        List<String> wrong = everyLineRan()
                ? wrong(Matrix.in(Checkout.read(PAGE)), Lines.declared(), JDK, line -> Result.of(line, JDK))
                : List.of();

        assertThat(wrong).as(REWRITE).isEmpty();
    }

    @Test
    void thePageSaysWhatSpringBootChooses() {
        List<String> rows = ManagedVersions.in(Checkout.read(PAGE));

        assertThat(rows)
                .as(REWRITE)
                .extracting(row -> row.replaceFirst("^\\| (\\S+) .*", "$1"))
                .isEqualTo(springBoots());
        if (everyLineRan()) {
            assertThat(rows).as(REWRITE).isEqualTo(ManagedVersions.built(springBoots()));
        }
    }

    /** The lines that have failed, and those that are said to have passed and were not run. */
    private static List<String> wrong(
            Matrix page, List<VersionLine> lines, int jdk, Function<VersionLine, Result> results) {
        return lines.stream()
                .filter(line -> {
                    Result result = results.apply(line);
                    boolean claimed = page.cell(line, jdk).equals(Result.PASSED.word()) && line.tests() != Tests.KIT;
                    return result == Result.FAILED || (result == Result.NOT_RUN && claimed);
                })
                .map(line -> line.key() + " " + results.apply(line).word())
                .toList();
    }

    @Test
    void plantedFailureAndClaimedRunAreFound() {
        Matrix page = Matrix.in(PLANTED_PAGE);

        assertThat(wrong(page, List.of(KEPT, BOXED, NEW), 17, Map.of(KEPT, Result.NOT_RUN, NEW, Result.FAILED)::get))
                .containsExactly("| Kept | 2.0 | core | not run", "| New | 4.0 | all | failed");
        assertThat(wrong(page, List.of(KEPT, BOXED, NEW), 21, line -> Result.NOT_RUN))
                .isEmpty();
    }

    @Test
    void aRunWritesTheColumnOfItsJdkAndLeavesTheOthers() {
        Matrix written = Matrix.in(PLANTED_PAGE)
                .after(
                        List.of(KEPT, BOXED, NEW),
                        21,
                        Map.of(KEPT, Result.PASSED, BOXED, Result.NOT_RUN, NEW, Result.PASSED)::get);

        assertThat(written.writtenInto(PLANTED_PAGE)).isEqualTo("""
                | with | version | tests | JDK 17 | JDK 21 | JDK 25 |
                |---|---|---|---|---|---|
                | Kept | 2.0 | core | passed | passed | passed |
                | Boxed | 3 | kit | not run | passed | not run |
                | New | 4.0 | all | not run | passed | not run |

                The end.
                """);
    }

    @ParameterizedTest
    @CsvSource({"4, 0, 0, 1, PASSED", "4, 1, 0, 0, FAILED", "4, 0, 1, 0, FAILED", "2, 0, 0, 2, NOT_RUN"})
    void reportWithATestThatRanIsOfARun(int tests, int errors, int failures, int skipped, Result result)
            throws IOException {
        Files.writeString(reports.resolve("TEST-a.BTest.xml"), """
                <testsuite name="a.B" tests="%d" errors="%d" skipped="%d" failures="%d">
                  <properties><property name="java.specification.version" value="25"/></properties>
                </testsuite>
                """.formatted(tests, errors, skipped, failures));
        VersionLine line = new VersionLine("A", "1", Tests.KIT, reports, "B");

        assertThat(Result.of(line, 25)).isEqualTo(result);
        assertThat(Result.of(line, 17)).isEqualTo(Result.NOT_RUN);
        assertThat(Result.of(new VersionLine("A", "1", Tests.KIT, reports, "C"), 25))
                .isEqualTo(Result.NOT_RUN);
        assertThat(Result.of(new VersionLine("A", "1", Tests.KIT, reports.resolve("none"), "B"), 25))
                .isEqualTo(Result.NOT_RUN);
    }

    @Test
    void theRunsAreFoundInAPom() {
        assertThat(Poms.runs("""
                <project xmlns="http://maven.apache.org/POM/4.0.0">
                    <profiles><profile><build><plugins>
                        <plugin>
                            <artifactId>another-plugin</artifactId>
                            <executions><execution><configuration>
                                <reportsDirectory>no</reportsDirectory>
                            </configuration></execution></executions>
                        </plugin>
                        <plugin>
                            <artifactId>maven-surefire-plugin</artifactId>
                            <executions>
                                <execution><id>a</id><configuration>
                                    <reportsDirectory> target/compatibility/jedis-6.0.0 </reportsDirectory>
                                </configuration></execution>
                                <execution><id>b</id><configuration>
                                    <systemPropertyVariables><line.zookeeper>3.6.4</line.zookeeper></systemPropertyVariables>
                                    <reportsDirectory>target/compatibility/curator-5.1.0</reportsDirectory>
                                </configuration></execution>
                                <execution><id>c</id></execution>
                            </executions>
                        </plugin>
                    </plugins></build></profile></profiles>
                </project>
                """))
                .containsExactly(
                        new Poms.Run("target/compatibility/jedis-6.0.0", Optional.empty()),
                        new Poms.Run("target/compatibility/curator-5.1.0", Optional.of("3.6.4")));
    }

    @Test
    void aRunWithAnotherZooKeeperClientIsALineOfThatToo() {
        String folder = "compatibility/curator-5.1.0";
        Poms.Run run = new Poms.Run("${project.build.directory}/" + folder, Optional.of("3.6.4"));

        assertThat(Lines.inARunOfItsOwn(reports, run))
                .allMatch(line -> line.reports().equals(reports.resolve(folder)))
                .extracting(VersionLine::key)
                .containsExactly("| Curator | 5.1.0 | core |", "| ZooKeeper client | 3.6.4 | core |");
    }

    @Test
    void theVersionsAreReadFromTheClassPathOfAnApplication() {
        String classPath = "/r/jedis/6.0.0/jedis-6.0.0.jar:/r/hibernate-core-6.6.53.Final.jar:/r/h2-2.3.232.jar:"
                + "/r/postgresql-42.7.11.jar:/r/mariadb-java-client-3.5.8.jar:/r/HikariCP-6.3.3.jar";

        assertThat(ManagedVersions.row("3.5.16", classPath))
                .isEqualTo("| 3.5.16 | 6.0.0 | 6.6.53.Final | 2.3.232 | 42.7.11 | 3.5.8 | 6.3.3 |");
    }
}
