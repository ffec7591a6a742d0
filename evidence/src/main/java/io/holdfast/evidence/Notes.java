package io.holdfast.evidence;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Numbered notes below tables: each text has one number. */
final class Notes {

    private final List<String> texts = new ArrayList<>();

    /** The mark of some texts, such as {@code (1, 3)}. */
    String mark(List<String> noted) {
        return noted.stream()
                .map(this::number)
                .sorted()
                .map(String::valueOf)
                .collect(Collectors.joining(", ", "(", ")"));
    }

    private int number(String text) {
        if (!texts.contains(text)) {
            texts.add(text);
        }
        return texts.indexOf(text) + 1;
    }

    /** All texts, as a list that Markdown numbers. */
    String list() {
        StringBuilder list = new StringBuilder();
        for (String text : texts) {
            list.append(number(text)).append(". ").append(text).append(".\n");
        }
        return list.toString();
    }

    boolean has(String text) {
        return texts.contains(text);
    }
}
