package io.holdfast.wrong;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The mutants that the kit accepts and that are right, or that it cannot reject, each with the reason: a text file, as people
 * read and change it.
 *
 * @param reasons by the places of the mutants, as {@link io.holdfast.wrong.text.TextMutations#place} names them
 */
record JudgedMutants(Map<String, String> reasons) {

    /** Between the place, which has three parts, and the reason. */
    private static final String BETWEEN = " | ";

    static JudgedMutants read() {
        try (InputStream list = JudgedMutants.class.getResourceAsStream("survivors.txt")) {
            if (list == null) {
                throw new FileNotFoundException("survivors.txt");
            }
            return of(new String(list.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    static JudgedMutants of(String list) {
        Map<String, String> reasons = new LinkedHashMap<>();
        list.lines().filter(line -> !line.isBlank() && !line.startsWith("#")).forEach(line -> {
            int end = line.lastIndexOf(BETWEEN);
            if (end < 0 || reasons.put(line.substring(0, end), line.substring(end + BETWEEN.length())) != null) {
                throw new IllegalArgumentException("The line '" + line
                        + "' has no reason, or is there twice; allowed is: text | change | line of the text | reason");
            }
        });
        return new JudgedMutants(reasons);
    }

    /** Why a mutant is accepted; empty if nobody has judged it. */
    Optional<String> reason(String place) {
        return Optional.ofNullable(reasons.get(place));
    }
}
