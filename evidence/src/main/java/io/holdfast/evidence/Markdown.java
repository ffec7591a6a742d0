package io.holdfast.evidence;

import java.util.Locale;

/** Text in Markdown. */
final class Markdown {

    private Markdown() {}

    /** A number with its noun. */
    static String counted(long number, String noun) {
        return String.format(Locale.ROOT, "%,d %s", number, number == 1 ? noun : noun + "s");
    }

    /** As a part of a line or of a cell of a table. */
    static String cell(String text) {
        return text.replaceAll("\\s+", " ")
                .replace("\\", "\\\\")
                .replace("|", "\\|")
                .replace("*", "\\*")
                .replace("_", "\\_")
                .replace("<", "&lt;")
                .replace("[", "\\[");
    }
}
