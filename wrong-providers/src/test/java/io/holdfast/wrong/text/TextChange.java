package io.holdfast.wrong.text;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * One text of a backend, and what stands in its place.
 *
 * @param file a resource, or a class file whose string constants have the text; by its path in the class path
 * @param before the text, which has to occur exactly once
 * @param after what replaces it
 */
record TextChange(String file, String before, String after) {

    TextChange {
        if (before.isEmpty() || before.equals(after)) {
            throw new IllegalArgumentException("The change of " + file + " changes nothing: '" + before + "'");
        }
    }

    /**
     * Applies the change.
     *
     * @return the changed file
     * @throws IllegalArgumentException if the text does not occur exactly once
     */
    byte[] applied() {
        byte[] original = bytes(file);
        return file.endsWith(".class")
                ? ConstantPool.changed(original, this)
                : in(new String(original, StandardCharsets.UTF_8)).getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Applies the change to a text.
     *
     * @return the changed text
     * @throws IllegalArgumentException if the text to replace does not occur exactly once
     */
    String in(String text) {
        int occurrences = 0;
        for (int at = text.indexOf(before); at >= 0; at = text.indexOf(before, at + 1)) {
            occurrences++;
        }
        if (occurrences != 1) {
            throw notOnce(occurrences);
        }
        return text.replace(before, after);
    }

    IllegalArgumentException notOnce(int occurrences) {
        return new IllegalArgumentException("The text to replace must occur once in " + file + ", but occurs "
                + occurrences + " times: '" + before + "'");
    }

    /** Reads a file of the class path. */
    static byte[] bytes(String file) {
        try (InputStream stream = TextChange.class.getClassLoader().getResourceAsStream(file)) {
            if (stream == null) {
                throw new FileNotFoundException(file);
            }
            return stream.readAllBytes();
        } catch (IOException missing) {
            throw new UncheckedIOException(missing);
        }
    }

    /** Reads a resource of the class path. */
    static String text(String file) {
        return new String(bytes(file), StandardCharsets.UTF_8);
    }
}
