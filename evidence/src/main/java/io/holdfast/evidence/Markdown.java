package io.holdfast.evidence;

/** Text of others in Markdown. */
final class Markdown {

    private Markdown() {}

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
