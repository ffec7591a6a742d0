package io.holdfast.build.modules;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.spi.LockEngine;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.TimeUnit;
import java.util.spi.ToolProvider;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ModulePathTest {

    private static final String APPLICATION_MODULE = """
            module planted.application {
                requires io.holdfast.lock;
            }
            """;

    private static final String APPLICATION = """
            package planted.application;

            import io.holdfast.lock.LockClient;
            import io.holdfast.lock.LockHandle;

            public final class Application {
                public static void main(String[] args) throws Exception {
                    try (LockClient client = LockClient.connect("memory:modules");
                            LockHandle held = client.lock("stock").acquire()) {
                        System.out.println("held " + held.isHeld()
                                + " in " + LockClient.class.getModule().getName()
                                + " by " + client.getClass().getModule().getName());
                    }
                }
            }
            """;

    /**
     * An application that is a module itself and requires the API alone: engine and backend come in as services. The
     * annotations are there when it is compiled, and not when it runs.
     */
    @Test
    void aModuleThatRequiresTheApiAloneGetsALock(@TempDir Path folder) throws Exception {
        Path classes = compile(folder);

        String output = run(
                folder,
                "--module-path",
                modulePath() + File.pathSeparator + classes,
                "--module",
                "planted.application/planted.application.Application");

        assertThat(output).isEqualToIgnoringNewLines("held true in io.holdfast.lock by io.holdfast.lock.core");
    }

    private static Path compile(Path folder) throws IOException {
        Path sources = Files.createDirectories(folder.resolve("planted/application"));
        Path module = Files.writeString(folder.resolve("module-info.java"), APPLICATION_MODULE);
        Path main = Files.writeString(sources.resolve("Application.java"), APPLICATION);
        Path classes = folder.resolve("classes");
        int result = ToolProvider.findFirst("javac")
                .orElseThrow()
                .run(
                        System.out,
                        System.err,
                        "--module-path",
                        modulePath() + File.pathSeparator + origin(NullMarked.class),
                        "-d",
                        classes.toString(),
                        module.toString(),
                        main.toString());
        assertThat(result).as("exit code of the compiler").isZero();
        return classes;
    }

    private static String run(Path folder, String... arguments) throws IOException, InterruptedException {
        Path output = folder.resolve("output");
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(List.of(arguments));
        Process child = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(child.waitFor(60, TimeUnit.SECONDS)).as("ended in time").isTrue();
        } finally {
            child.destroyForcibly();
        }
        return Files.readString(output);
    }

    private static String modulePath() {
        LockEngine engine = ServiceLoader.load(LockEngine.class).iterator().next();
        return origin(LockClient.class) + File.pathSeparator + origin(engine.getClass());
    }

    private static Path origin(Class<?> type) {
        try {
            return Path.of(
                    type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }
}
