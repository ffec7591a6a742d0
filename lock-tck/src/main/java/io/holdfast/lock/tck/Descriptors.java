package io.holdfast.lock.tck;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.opentest4j.TestAbortedException;

/** The file descriptors of this process: sockets, files, pipes. */
final class Descriptors {

    /** Where Linux, macOS and the BSDs list them. */
    private static final Path OPEN = Path.of("/dev/fd");

    private static final int LOTS = 3;

    private Descriptors() {}

    /**
     * Does something with a number of things that each have a descriptor, and leaves none of these. Fails if there are about as
     * many more afterwards. Skips the rule if this operating system does not tell.
     *
     * @param leaves what leaves them, as the beginning of a sentence
     */
    static void mustNotRemain(int number, Pace.Body body, String leaves) throws Exception {
        if (open().isEmpty()) {
            throw new TestAbortedException(
                    "not applicable: this operating system does not tell how many descriptors are open");
        }
        // Other tests open and close descriptors meanwhile: what is left is left after each lot.
        for (int lot = 1; lot <= LOTS; lot++) {
            long before = open().orElseThrow();
            body.run();
            if (Pace.within(Pace.GONE_WITHIN, () -> open().orElseThrow() < before + number * 2 / 3)) {
                return;
            }
        }
        throw new AssertionError(
                "each time after " + leaves + " there were as many more open descriptors, such as sockets, as before");
    }

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
