package io.holdfast.evidence;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * One of the project's own providers, as {@code providers.txt} has it.
 *
 * @param family the table that it stands in
 * @param name its name on the page
 * @param module the Maven module with its tests
 * @param classes the test classes that run the kit over it
 * @param mayBeMissing why there may be no report of it; empty if there always is one
 */
public record TestedProvider(String family, String name, String module, List<String> classes, String mayBeMissing) {

    private static final int COLUMNS = 6;

    /**
     * All of them.
     *
     * @return in the order of the page
     */
    public static List<TestedProvider> all() {
        try (InputStream stream = TestedProvider.class.getResourceAsStream("providers.txt")) {
            if (stream == null) {
                throw new FileNotFoundException("providers.txt");
            }
            return in(new String(stream.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    static List<TestedProvider> in(String text) {
        return text.lines()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .map(TestedProvider::ofLine)
                .toList();
    }

    private static TestedProvider ofLine(String line) {
        List<String> columns =
                Arrays.stream(line.split("\\|", -1)).map(String::strip).toList();
        if (columns.size() != COLUMNS) {
            throw new EvidenceException("providers.txt: not " + COLUMNS + " columns in '" + line + "'");
        }
        List<String> classes = Arrays.stream(columns.get(4).split(", "))
                .map(level -> columns.get(3) + (level.equals("client") ? "ClientTckTest" : "ProviderTckTest"))
                .toList();
        return new TestedProvider(columns.get(0), columns.get(1), columns.get(2), classes, columns.get(5));
    }
}
