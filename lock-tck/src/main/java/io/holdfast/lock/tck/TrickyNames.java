package io.holdfast.lock.tck;

import io.holdfast.lock.DistributedLock;
import java.util.List;
import java.util.stream.Stream;

/** Names that a store may confuse. */
final class TrickyNames {

    private static final int SHOWN = 60;

    private TrickyNames() {}

    /** Names that all differ, each in a way that some store has confused before. */
    static List<String> variants(String base) {
        String tail = "x".repeat(DistributedLock.MAX_NAME_LENGTH - base.length() - 1);
        String wide = "\u20AC".repeat(DistributedLock.MAX_NAME_LENGTH - base.length() - 1);
        return List.of(
                base,
                base + "a",
                base + "A",
                base + "a ",
                " " + base + "a",
                base + "a\t",
                base + "a\n",
                base + "\na",
                base + "a\r",
                base + "a\u0001",
                base + "a\u001B",
                base + "a\u007F",
                base + "a\u0085",
                base + "a\u0000",
                base + "/a",
                base + "/a/",
                base + "//a",
                base + "_a",
                base + ":a",
                base + ".a",
                base + "..a",
                base + ".",
                base + "..",
                base + "/.",
                base + "/..",
                base + "/../a",
                base + "/a/../a",
                base + "{a}",
                "{" + base + "}a",
                "{}" + base + "a",
                base + "'a'",
                base + "\"a\"",
                base + "a' OR '1'='1",
                base + "%",
                base + "%00",
                base + "%a",
                base + "%25a",
                base + "%2Fa",
                base + "*a",
                base + "?a",
                base + "[a]",
                base + "\\a",
                base + "a;--",
                base + " a",
                base + "+a",
                base + "#a",
                base + "|a",
                base + "&a",
                base + "=a",
                base + "<a>",
                base + "@a",
                base + "$a",
                base + "!a",
                base + "^a",
                base + "~a",
                base + "`a`",
                base + "(a)",
                base + ",a",
                base + "\uFFFD",
                base + "?",
                base + ":token",
                base + ":queue",
                // Of one hash code.
                base + "AaAa",
                base + "AaBB",
                base + "\u00E9",
                base + "e\u0301",
                base + "\u00DF",
                base + "ss",
                base + "\u0130",
                base + "i",
                base + "\uD83D\uDD12",
                base + "\uD83D\uDD11",
                base + "\uFEFFa",
                // Alike where a part of each character is cut off: its upper byte, its upper half, its accent.
                base + "\u0161",
                base + "\u0261",
                base + "\u4E61",
                base + "\uF512",
                base + "s",
                base + "S",
                base + tail + "1",
                base + tail + "2",
                base + tail.substring(1) + "1",
                base + wide + "1",
                base + wide + "2",
                base + wide + "\u20AC",
                base + wide + "\u4E61");
    }

    /**
     * Whole names that mean something else to some store, such as a path, a pattern or nothing at all. They are not new in each
     * run: tests beside this one may use them too.
     */
    static List<String> whole() {
        return List.of(
                ".",
                "..",
                "/",
                "//",
                "./a",
                "../a",
                "a/..",
                "%",
                "%2e",
                "%2E%2E",
                "_",
                "-",
                "--",
                "*",
                "?",
                "#",
                "$",
                "~",
                "\\",
                ":",
                "'",
                "\"",
                "\"\"",
                "{}",
                "[]",
                "()",
                "null",
                "NULL",
                "undefined",
                "true",
                "0",
                "-1",
                "1e3",
                "NaN",
                " ",
                "\t",
                "\n",
                "\r\n",
                "\u0000",
                "\u0001",
                "\u007F",
                "\u00A0",
                "\u200B",
                "\uFEFF",
                "\uFFFD",
                "CON",
                "NUL",
                "con.txt",
                "aux",
                "zookeeper",
                "A",
                "a");
    }

    /** Names by which a store may keep what else belongs to the lock of a name: its waiters, its token, its channel. */
    static List<String> partsOf(String name) {
        return Stream.of(
                        ("queue q waiters waiting wait next token tokens fence counter owner holder count lease expiry lock channel state 0"
                                        + " 1")
                                .split(" "))
                .flatMap(part -> Stream.of(
                        name + ":" + part,
                        name + "." + part,
                        name + "-" + part,
                        name + "/" + part,
                        part + ":" + name,
                        "{" + name + "}:" + part))
                .toList();
    }

    /** A name as it may stand in a message: escaped, and not a thousand characters of it. */
    static String shown(String name) {
        StringBuilder shown = new StringBuilder("'");
        name.codePoints().forEach(point -> {
            if (point >= ' ' && point <= '~') {
                shown.appendCodePoint(point);
            } else {
                shown.append(String.format("\\u{%X}", point));
            }
        });
        if (shown.length() > SHOWN) {
            int tail = SHOWN / 2;
            shown.replace(tail, shown.length() - tail, "...");
        }
        return shown.append('\'').toString();
    }
}
