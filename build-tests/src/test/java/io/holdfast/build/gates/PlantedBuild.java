package io.holdfast.build.gates;

import io.holdfast.build.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A build of modules that break the gates. Each module has the project's own parent pom, so what is seen to fail there is the
 * configuration that the project is built with, and not a copy of it.
 */
final class PlantedBuild {

    private static final Path FOLDER = Checkout.root().resolve("build-tests/target/gates");
    private static final int LIMIT_SECONDS = 240;

    private final String output;

    private PlantedBuild(String output) {
        this.output = output;
    }

    /** Builds all modules below a folder, each whether or not the others fail. */
    static PlantedBuild run(Path planted) throws IOException, InterruptedException {
        List<String> modules = plant(planted);
        Files.writeString(FOLDER.resolve("pom.xml"), aggregator(modules));
        Path log = FOLDER.resolve("build.log");
        // Offline: the modules need nothing that the build around them has not used before.
        ProcessBuilder maven = new ProcessBuilder(
                        executable(),
                        "--offline",
                        "--batch-mode",
                        "--fail-at-end",
                        "-Dmaven.repo.local=" + System.getProperty("holdfast.repository"),
                        "test")
                .directory(FOLDER.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        maven.environment().put("JAVA_HOME", System.getProperty("java.home"));
        // A short life: the quick compiler alone serves it best.
        maven.environment().put("MAVEN_OPTS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC");
        Process build = maven.start();
        try {
            if (!build.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                throw new IOException("The planted build takes more than " + LIMIT_SECONDS + " s; see " + log);
            }
        } finally {
            build.destroyForcibly();
        }
        return new PlantedBuild(Files.readString(log));
    }

    /** Whether a module was built: what the summary at the end says. */
    boolean succeeded(String module) {
        return summaryHas(module, "SUCCESS");
    }

    boolean failed(String module) {
        return summaryHas(module, "FAILURE");
    }

    String output() {
        return output;
    }

    private boolean summaryHas(String module, String result) {
        return Pattern.compile("\\[INFO] planted-" + Pattern.quote(module) + " \\S+ \\.+ " + result)
                .matcher(output)
                .find();
    }

    private static String executable() {
        Path home = Path.of(System.getProperty("holdfast.maven", "/nowhere"), "bin", "mvn");
        return Files.isExecutable(home) ? home.toString() : "mvn";
    }

    private static List<String> plant(Path planted) throws IOException {
        try (Stream<Path> files = Files.walk(planted)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path copy = FOLDER.resolve(planted.relativize(file).toString());
                Files.createDirectories(copy.getParent());
                Files.writeString(copy, Checkout.read(file));
            }
        }
        try (Stream<Path> folders = Files.list(planted)) {
            List<String> modules = folders.map(folder -> folder.getFileName().toString())
                    .sorted()
                    .toList();
            for (String module : modules) {
                Files.writeString(FOLDER.resolve(module).resolve("pom.xml"), modulePom(module));
            }
            return modules;
        }
    }

    private static String aggregator(List<String> modules) {
        return """
                <project>
                    <modelVersion>4.0.0</modelVersion>
                    <groupId>planted</groupId>
                    <artifactId>planted</artifactId>
                    <version>1</version>
                    <packaging>pom</packaging>
                    <modules>%s</modules>
                </project>
                """.formatted(modules.stream()
                .map(module -> "<module>" + module + "</module>")
                .collect(Collectors.joining()));
    }

    private static String modulePom(String module) {
        return """
                <project>
                    <modelVersion>4.0.0</modelVersion>
                    <parent>
                        <groupId>io.holdfast</groupId>
                        <artifactId>holdfast-parent</artifactId>
                        <version>%s</version>
                        <relativePath>../../../../pom.xml</relativePath>
                    </parent>
                    <artifactId>planted-%s</artifactId>
                    <dependencies>
                        <dependency>
                            <groupId>org.jspecify</groupId>
                            <artifactId>jspecify</artifactId>
                        </dependency>
                        <dependency>
                            <groupId>org.junit.jupiter</groupId>
                            <artifactId>junit-jupiter</artifactId>
                            <scope>test</scope>
                        </dependency>
                    </dependencies>
                </project>
                """.formatted(System.getProperty("holdfast.version"), module);
    }
}
