package io.holdfast.lock.tck.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A new directory below the system's temporary directory. Only {@link #create} makes one: the kit deletes temporary directories,
 * and must never delete a directory that was there before.
 */
public final class TemporaryDirectory {

    private final Path path;

    private TemporaryDirectory(Path path) {
        this.path = path;
    }

    /**
     * Makes one.
     *
     * @param prefix how its name begins
     * @return the directory
     */
    public static TemporaryDirectory create(String prefix) {
        try {
            return new TemporaryDirectory(Files.createTempDirectory(prefix));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /**
     * Where it is.
     *
     * @return the path
     */
    public Path path() {
        return path;
    }

    /** Deletes all that is in it. */
    public void clear() {
        try {
            List<Path> deepestFirst;
            try (Stream<Path> all = Files.walk(path)) {
                deepestFirst = all.sorted(Comparator.reverseOrder()).toList();
            }
            for (Path each : deepestFirst) {
                if (!each.equals(path)) {
                    Files.deleteIfExists(each);
                }
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Deletes it with all that is in it. */
    public void delete() {
        if (!Files.exists(path)) {
            return;
        }
        clear();
        try {
            Files.deleteIfExists(path);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
