package io.holdfast.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code ./demo} says on a machine that lacks something. A copy of it, far from any build, on a bare path. */
class DemoScriptTest {
    private static final List<String> TOOLS = List.of("dirname", "sed", "head", "find", "rm", "mkdir", "mv", "cat");

    @TempDir
    Path home;

    private Path bin;

    @BeforeEach
    void copyTheScript() throws IOException {
        Files.copy(Path.of("..", "demo"), home.resolve("demo"));
        bin = Files.createDirectory(home.resolve("bin"));
        for (String tool : TOOLS) {
            Path system = Files.exists(Path.of("/usr/bin", tool)) ? Path.of("/usr/bin", tool) : Path.of("/bin", tool);
            program(tool, "exec " + system + " \"$@\"");
        }
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
        assertThat(run(Map.of())).isEqualTo("3 demo: no mvn on the PATH. Install Maven 3.8 or newer.\n");
    }

    @Test
    void aBuildThatFailsIsNotFollowedByARun() throws Exception {
        program("java", "echo 'openjdk version \"17.0.15\" 2025-04-15' >&2");
        program("javac", "");
        program("mvn", "echo 'a compiler error' >&2; exit 1");
        assertThat(run(Map.of())).startsWith("3 ").contains("a compiler error", "the build failed");
    }

    private void program(String name, String body) throws IOException {
        Path program = Files.writeString(bin.resolve(name), "#!/bin/sh\n" + body + "\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();
    }

    /** The exit code and the output. */
    private String run(Map<String, String> environment) throws IOException, InterruptedException {
        ProcessBuilder builder =
                new ProcessBuilder("/bin/sh", home.resolve("demo").toString()).redirectErrorStream(true);
        builder.environment().clear();
        builder.environment().put("PATH", bin.toString());
        builder.environment().putAll(environment);
        Process script = builder.start();
        String output = new String(script.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return script.waitFor() + " " + output;
    }
}
