package io.holdfast.build;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The checkout that this build is of. */
public final class Checkout {

    private Checkout() {}

    /**
     * The folder of the parent pom.
     *
     * @return an absolute path
     */
    public static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve(".mvn"))) {
            folder = folder.getParent();
        }
        return folder;
    }

    /**
     * The Java sources below a folder of each module.
     *
     * @param folder relative to a module, such as {@code src/main/java}
     * @return the files, in a fixed order
     */
    public static List<Path> sources(String folder) {
        try (Stream<Path> modules = Files.list(root())) {
            return modules.map(module -> module.resolve(folder))
                    .filter(Files::isDirectory)
                    .flatMap(Checkout::javaFiles)
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Reads a file.
     *
     * @param file the file
     * @return its text
     */
    public static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<Path> javaFiles(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".java")).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
