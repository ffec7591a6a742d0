package io.holdfast.lock.tck;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** The file descriptors of this process: sockets, files, pipes. */
final class Descriptors {

    /** Where Linux, macOS and the BSDs list them. */
    private static final Path OPEN = Path.of("/dev/fd");

    private Descriptors() {}

    /** How many are open; empty if this operating system does not tell. */
    static OptionalLong open() {
        if (!Files.isDirectory(OPEN)) {
            return OptionalLong.empty();
        }
        try (Stream<Path> descriptors = Files.list(OPEN)) {
            return OptionalLong.of(descriptors.count());
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
