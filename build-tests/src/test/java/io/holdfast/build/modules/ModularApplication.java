package io.holdfast.build.modules;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.build.Checkout;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.spi.ToolProvider;

/** A modular application that requires the API alone. It runs in another JVM, on the jars that users get. */
final class ModularApplication {

    private static final int LIMIT_SECONDS = 120;

    private static final String MAIN = """
            package planted.application;

            import io.holdfast.lock.LockClient;
            import io.holdfast.lock.LockHandle;
            import java.time.Duration;

            public final class Application {
                public static void main(String[] args) throws Exception {
                    try (LockClient one = connect(args); LockClient other = connect(args)) {
                        LockHandle first = one.lock("stock").acquire();
                        var next = other.lock("stock").tryAcquireAsync(Duration.ofSeconds(30));
                        first.renew();
                        first.close();
                        try (LockHandle held = next.get().orElseThrow()) {
                            System.out.println("held " + held.isHeld() + " in " + module(LockClient.class)
                                    + " by " + module(one.getClass()));
                        }
                    }
                }

                private static LockClient connect(String[] args) {
                    LockClient.Builder builder = LockClient.builder(args[0]);
                    for (int i = 1; i < args.length; i += 2) {
                        builder.property(args[i], args[i + 1]);
                    }
                    return builder.build();
                }

                private static String module(Class<?> type) {
                    return type.getModule().getName();
                }
            }
            """;

    private final Path folder;
    private final Path classes;

    private ModularApplication(Path folder, Path classes) {
        this.folder = folder;
        this.classes = classes;
    }

    /**
     * Compiles the application.
     *
     * @param folder an empty folder
     * @param required the modules that its descriptor requires
     * @param path where these are, and what they need
     */
    static ModularApplication compile(Path folder, List<String> required, RuntimeList path) throws IOException {
        StringBuilder descriptor = new StringBuilder("module planted.application {\n");
        required.forEach(module -> descriptor.append("requires ").append(module).append(";\n"));
        Path sources = Files.createDirectories(folder.resolve("planted/application"));
        Path module = Files.writeString(folder.resolve("module-info.java"), descriptor.append("}\n"));
        Path main = Files.writeString(sources.resolve("Application.java"), MAIN);
        Path classes = folder.resolve("classes");
        int result = ToolProvider.findFirst("javac")
                .orElseThrow()
                .run(
                        System.out,
                        System.err,
                        "--module-path",
                        path.path(),
                        "-d",
                        classes.toString(),
                        module.toString(),
                        main.toString());
        assertThat(result).as("exit code of the compiler").isZero();
        return new ModularApplication(folder, classes);
    }

    /** Adds a file to the module. */
    ModularApplication with(String name, String content) throws IOException {
        Path file = classes.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
        return this;
    }

    /**
     * Has two clients hold a lock one after the other, and asserts that they did.
     *
     * @param modulePath the jars on the module path
     * @param options further options of the JVM
     * @param arguments a URI, then names and values of properties, alternately
     */
    void acquires(String modulePath, List<String> options, String... arguments)
            throws IOException, InterruptedException {
        Path output = folder.resolve("output");
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(List.of("--module-path", modulePath + File.pathSeparator + classes));
        command.addAll(options);
        command.addAll(List.of("--module", "planted.application/planted.application.Application"));
        command.addAll(List.of(arguments));
        Process child = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(child.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS))
                    .as(() -> "ended in time; its output: " + Checkout.read(output))
                    .isTrue();
        } finally {
            child.destroyForcibly();
        }
        assertThat(Files.readString(output)).contains("held true in io.holdfast.lock by io.holdfast.lock.core");
        assertThat(child.exitValue()).as(Files.readString(output)).isZero();
    }
}
