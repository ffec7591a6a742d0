package io.holdfast.build;

import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The table of {@code COMPATIBILITY.md}: each public package and its status. */
public final class Promises {

    private static final Pattern ROW =
            Pattern.compile("(?m)^\\| `([a-z.]+)` \\|[^|]*\\|[^|]*\\| (stable|experimental) \\|$");

    private Promises() {}

    /**
     * Reads the table of the project.
     *
     * @return the status of each package
     */
    public static Map<String, String> read() {
        return in(Checkout.read(Checkout.root().resolve("COMPATIBILITY.md")));
    }

    /**
     * Reads the table of a page.
     *
     * @param page the text of the page
     * @return the status of each package
     */
    public static Map<String, String> in(String page) {
        return ROW.matcher(page).results().collect(Collectors.toMap(row -> row.group(1), row -> row.group(2)));
    }
}
