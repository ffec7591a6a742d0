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
     * The folder of the parent pom: the nearest one above the working directory that has Maven's settings.
     *
     * @return an absolute path
     * @throws IllegalStateException if the working directory is in no checkout
     */
    public static Path root() {
        Path start = Path.of("").toAbsolutePath();
        for (Path folder = start; folder != null; folder = folder.getParent()) {
            if (Files.isDirectory(folder.resolve(".mvn"))) {
                return folder;
            }
        }
        throw new IllegalStateException("There is no .mvn in or above " + start);
    }

    /**
     * The Java sources below a folder of each module.
     *
     * @param folder relative to a module, such as {@code src/main/java}
     * @return the files, in a fixed order
     */
    public static List<Path> sources(String folder) {
        return files(folder, ".java");
    }

    /**
     * The files of one kind below a folder of each module.
     *
     * @param folder relative to a module
     * @param ending how their names end
     * @return the files, in a fixed order
     */
    public static List<Path> files(String folder, String ending) {
        try (Stream<Path> modules = Files.list(root())) {
            return modules.map(module -> module.resolve(folder))
                    .filter(Files::isDirectory)
                    .flatMap(below -> filesBelow(below, ending).stream())
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

    /**
     * The files of one kind below a folder.
     *
     * @param folder the folder
     * @param ending how their names end
     * @return the files
     */
    public static List<Path> filesBelow(Path folder, String ending) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(ending)).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
