package io.holdfast.examples.demo;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;

/**
 * What a person sees: headings, text, a bar, verdicts. Plain ASCII; colours and a bar that moves only where they are wanted.
 * Thread-safe.
 */
final class Screen {
    private static final String MARGIN = "   ";
    private static final int BAR_WIDTH = 40;

    /** How the screen is drawn. */
    enum Style {
        /** Lines only: for files, pipes and logs. */
        PLAIN,
        /** A bar that moves, without colours. */
        LIVE,
        /** A bar that moves, and colours. */
        COLOURED
    }

    private enum Colour {
        BOLD(1),
        DIM(2),
        RED(31),
        GREEN(32);

        private final int code;

        Colour(int code) {
            this.code = code;
        }
    }

    private final PrintStream out;
    private final Style style;
    private boolean closed;

    Screen(PrintStream out, Style style) {
        this.out = out;
        this.style = style;
    }

    /** Whether a bar can move. */
    boolean live() {
        return style != Style.PLAIN;
    }

    void heading(String text) {
        print("\n" + paint(Colour.BOLD, text) + "\n");
    }

    void text(String text) {
        print(MARGIN + text + "\n");
    }

    void detail(String text) {
        print(MARGIN + paint(Colour.DIM, text) + "\n");
    }

    void verdict(DemoVerdict verdict) {
        String word = verdict.holds() ? paint(Colour.GREEN, "PASS") : paint(Colour.RED, "FAIL");
        print(MARGIN + word + "  " + verdict.claim() + ": " + verdict.seen() + "\n");
    }

    /** Draws the bar over the one before. */
    void bar(int sold, int units) {
        int full = Math.min(BAR_WIDTH, BAR_WIDTH * sold / units);
        String bar = "#".repeat(full) + ".".repeat(BAR_WIDTH - full);
        String count = sold + " of " + units + " sold";
        print("\r" + MARGIN + "[" + bar + "] " + (sold > units ? paint(Colour.RED, count) : count) + "  ");
    }

    /** Leaves the bar as it is and goes on below it. */
    void endBar() {
        if (live()) {
            print("\n");
        }
    }

    /** Prints a text as it is. */
    void plain(String text) {
        print(text);
    }

    /** Shows one last line, unless the screen is closed already, and nothing after it. */
    synchronized void close(String lastLine) {
        print("\n" + lastLine + "\n");
        close();
    }

    /** Shows nothing any more. */
    synchronized void close() {
        closed = true;
    }

    private synchronized void print(String text) {
        if (!closed) {
            out.print(text);
            out.flush();
        }
    }

    private String paint(Colour colour, String text) {
        return style == Style.COLOURED ? "\u001b[" + colour.code + "m" + text + "\u001b[0m" : text;
    }

    /** A time for people: {@code 2.1 s}. */
    static String seconds(Duration time) {
        return String.format(Locale.ROOT, "%.1f s", time.toMillis() / 1000.0);
    }
}
