package io.holdfast.wrong.text;

/**
 * One change at one place of a text.
 *
 * @param start where the text to replace begins
 * @param end where it ends
 * @param replacement what replaces it
 * @param what the change, in a few words that are the same in every run
 */
record TextEdit(int start, int end, String replacement, String what) {

    private static final int SHOWN = 48;

    /** Replaces a token. */
    static TextEdit replacing(Token token, String replacement) {
        return new TextEdit(token.start(), token.end(), replacement, token.text() + " -> " + replacement);
    }

    /** Leaves a part of a text out. */
    static TextEdit dropping(String text, int start, int end) {
        String dropped = text.substring(start, end).strip().replaceAll("\\s+", " ");
        String shown = dropped.length() > SHOWN ? dropped.substring(0, SHOWN) + "..." : dropped;
        return new TextEdit(start, end, " ", "dropped " + shown);
    }

    String in(String text) {
        return text.substring(0, start) + replacement + text.substring(end);
    }

    /** Line and column of the change, both from 1. */
    String place(String text) {
        String before = text.substring(0, start);
        long line = before.chars().filter(each -> each == '\n').count() + 1;
        return line + ":" + (start - before.lastIndexOf('\n'));
    }

    /** The line of the change, without the spaces around it. */
    String line(String text) {
        int from = text.lastIndexOf('\n', start - 1) + 1;
        int to = text.indexOf('\n', start);
        return text.substring(from, to < 0 ? text.length() : to).strip();
    }
}
