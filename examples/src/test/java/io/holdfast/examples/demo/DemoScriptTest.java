package io.holdfast.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code ./demo} says on a machine that lacks something. A copy of it, far from any build, on a bare path. */
class DemoScriptTest {
    private static final List<String> TOOLS =
            List.of("readlink", "dirname", "sed", "head", "tail", "grep", "find", "rm", "mkdir", "mv", "cat");

    @TempDir
    Path home;

    private Path bin;

    @BeforeEach
    void copyTheScript() throws IOException {
        Files.copy(Path.of("..", "demo"), home.resolve("demo"));
        Files.copy(
                Path.of("..", ".mvn", "launch.sh"),
                Files.createDirectory(home.resolve(".mvn")).resolve("launch.sh"));
        bin = Files.createDirectory(home.resolve("bin"));
        for (String tool : TOOLS) {
            Path system = Files.exists(Path.of("/usr/bin", tool)) ? Path.of("/usr/bin", tool) : Path.of("/bin", tool);
            program(tool, "exec " + system + " \"$@\"");
        }
    }

    @Test
    void aLinkLeadsToTheBuild() throws Exception {
        writeHelp();
        Path link = Files.createSymbolicLink(
                Files.createDirectory(home.resolve("elsewhere")).resolve("demo"), home.resolve("demo"));
        assertThat(run(link, Map.of(), "--help")).isEqualTo("0 Usage\n");
    }

    @Test
    void aMissingJavaIsNamed() throws Exception {
        assertThat(run(Map.of()))
                .isEqualTo("3 demo: no java on the PATH. Install a JDK 17 or newer, or set JAVA_HOME to" + " one.\n");
    }

    @Test
    void aJavaHomeWithoutJavaIsNamed() throws Exception {
        assertThat(run(Map.of("JAVA_HOME", "/nowhere"))).startsWith("3 demo: JAVA_HOME is /nowhere, but");
    }

    @Test
    void aJavaThatIsTooOldIsNamedWithItsVersion() throws Exception {
        program("java", "echo 'openjdk version \"11.0.2\" 2019-01-15' >&2");
        assertThat(run(Map.of())).startsWith("3 demo: ").contains("bin/java is version 11.0.2; a JDK 17 or newer");
    }

    @Test
    void theOldVersionSchemeIsUnderstood() throws Exception {
        program("java", "echo 'java version \"1.8.0_401\"' >&2");
        assertThat(run(Map.of())).contains("version 1.8.0_401");
    }

    @Test
    void aRunTimeWithoutACompilerIsNamed() throws Exception {
        program("java", "echo 'openjdk version \"17.0.15\" 2025-04-15' >&2");
        assertThat(run(Map.of())).contains("a JDK is needed, not only a JRE");
    }

    @Test
    void aMissingMavenIsNamed() throws Exception {
        program("java", "echo 'openjdk version \"25\" 2025-09-16' >&2");
        program("javac", "");
        assertThat(run(Map.of())).isEqualTo("3 demo: no mvn on the PATH. Install Maven 3.8.6 or newer.\n");
    }

    @Test
    void helpNeedsNeitherJavaNorABuild() throws Exception {
        writeHelp();
        assertThat(run(Map.of(), "--backend", "memory", "--help")).isEqualTo("0 Usage\n");
    }

    @Test
    void aFailedBuildShowsItsErrorsAndStartsNoDemo() throws Exception {
        aJdk("echo 'it ran'");
        program("mvn", """
                echo '[INFO] Building Holdfast API 0.1.0-SNAPSHOT                          [1/2]'
                printf '\\033[0m[ERROR] no such symbol\\033[0m\\n'
                printf '[ERROR] \\033[1mhelp\\033[0m\\n'
                exit 1
                """);
        assertThat(run(Map.of()))
                .startsWith("3 ")
                .contains("\n[ERROR] no such symbol\n[ERROR] help\ndemo: the build failed")
                .doesNotContain("it ran", "[INFO]", "\u001b");
    }

    @Test
    void outputOfAMavenThatDoesNotStartIsShown() throws Exception {
        aJdk("echo 'it ran'");
        program("mvn", "echo 'UnsupportedClassVersionError' >&2; exit 1");
        assertThat(run(Map.of()))
                .startsWith("3 ")
                .contains("UnsupportedClassVersionError", "the build failed")
                .doesNotContain("it ran");
    }

    @Test
    void aBuildShowsItsModulesAndADotForEach25FilesAndIsNotRepeated() throws Exception {
        aJdk("echo \"ran $*\"");
        program("mvn", """
                echo '[INFO] Building Holdfast 0.1.0-SNAPSHOT                          [1/2]'
                i=0
                while [ $i -lt 60 ]; do echo '[INFO] Downloaded from central: https://x'; i=$((i + 1)); done
                echo '[INFO] Building Holdfast API 0.1.0-SNAPSHOT                          [2/2]'
                mkdir -p examples/target/demo && echo /bin/sh:/bin >examples/target/demo/class-path
                """);
        String program = "io.holdfast.examples.demo.Demo --backend memory\n";

        assertThat(run(Map.of(), "--backend", "memory"))
                .startsWith("0 Building the demo.")
                .contains("\n  Holdfast ..\n  Holdfast API \nran ")
                .endsWith(program);
        assertThat(run(Map.of(), "--backend", "memory")).startsWith("0 ran ").endsWith(program);

        Files.writeString(home.resolve("examples/target/demo/class-path"), "/bin/sh:/nowhere.jar");
        assertThat(run(Map.of(), "--backend", "memory")).startsWith("0 Building the demo.");
    }

    @Test
    void mariaDbServerIsIncludedOnRequestOnly() throws Exception {
        aJdk("echo \"ran $*\"");
        program("mvn", """
                case "$*" in *" -Ddemo "*) ;; *) echo 'every server of the tests is downloaded'; exit 1 ;; esac
                while [ "$1" != -P ]; do shift; done
                echo "[INFO] Building $2 0.1.0-SNAPSHOT                          [1/1]"
                mkdir -p examples/target/demo && echo /bin/sh:/bin >examples/target/demo/class-path
                """);

        assertThat(run(Map.of(), "--backend", "redis")).contains("\n  demo \n").doesNotContain("MariaDB");
        assertThat(run(Map.of(), "--backend=jdbc-mariadb")).contains("150 MB more", "\n  demo,demo-mariadb \n");
        assertThat(run(Map.of(), "--backend", "jdbc-mariadb")).startsWith("0 ran ");
        assertThat(run(Map.of(), "--backend", "redis")).startsWith("0 ran ");
    }

    private void aJdk(String run) throws IOException {
        program(
                "java",
                "[ \"$1\" != -version ] || { echo 'openjdk version \"17.0.15\" 2025-04-15' >&2; exit; }\n" + run);
        program("javac", "");
    }

    private void program(String name, String body) throws IOException {
        Path program = Files.writeString(bin.resolve(name), "#!/bin/sh\n" + body + "\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();
    }

    private void writeHelp() throws IOException {
        Path help = home.resolve("examples/src/main/resources/io/holdfast/examples/demo/help.txt");
        Files.createDirectories(help.getParent());
        Files.writeString(help, "Usage\n");
    }

    /** The exit code and the output. */
    private String run(Map<String, String> environment, String... arguments) throws IOException, InterruptedException {
        return run(home.resolve("demo"), environment, arguments);
    }

    private String run(Path demo, Map<String, String> environment, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("/bin/sh", demo.toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().clear();
        builder.environment().put("PATH", bin.toString());
        builder.environment().putAll(environment);
        Process script = builder.start();
        String output = new String(script.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return script.waitFor() + " " + output;
    }
}
