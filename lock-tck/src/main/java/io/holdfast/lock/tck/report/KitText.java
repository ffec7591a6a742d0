package io.holdfast.lock.tck.report;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The texts in the jar of the kit. */
public final class KitText {

    private KitText() {}

    /**
     * Reads a text.
     *
     * @param neighbour a class in the package of the text
     * @param file its name
     * @return the text
     * @throws UncheckedIOException if the jar is incomplete
     */
    public static String of(Class<?> neighbour, String file) {
        try (InputStream stream = neighbour.getResourceAsStream(file)) {
            if (stream == null) {
                throw new FileNotFoundException(file);
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException broken) {
            throw new UncheckedIOException("The jar of the kit is incomplete", broken);
        }
    }
}
