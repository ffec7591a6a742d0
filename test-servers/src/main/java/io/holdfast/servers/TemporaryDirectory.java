package io.holdfast.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A new directory below the system's temporary directory. */
record TemporaryDirectory(Path path) {

    static TemporaryDirectory create(String prefix) {
        try {
            return new TemporaryDirectory(Files.createTempDirectory(prefix));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    void clear() {
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

    void delete() {
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
