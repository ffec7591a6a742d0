package io.holdfast.examples.memcached;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** One connection of {@link MemcachedServer}: reads commands, and answers in the words of memcached 1.6. */
final class MemcachedSession {

    private static final int LONGEST_KEY = 250;
    private static final String BAD_FORMAT = "CLIENT_ERROR bad command line format";
    private static final Pattern NUMBER = Pattern.compile("-?[0-9]{1,18}");
    private static final Pattern UNSIGNED = Pattern.compile("[0-9]{1,20}");

    private final MemcachedItems items;
    private final InputStream in;

    MemcachedSession(MemcachedItems items, InputStream in) {
        this.items = items;
        this.in = in;
    }

    /** The reply to the next command, empty for one that wants none; null at the end. */
    @Nullable
    String next() throws IOException {
        String line = line();
        if (line == null || line.equals("quit")) {
            return null;
        }
        String[] words = line.strip().split(" +", -1);
        boolean isQuiet = words[words.length - 1].equals("noreply");
        String reply = reply(words, isQuiet ? words.length - 1 : words.length);
        return isQuiet ? "" : reply + "\r\n";
    }

    private String reply(String[] words, int count) throws IOException {
        String command = words[0] + "/" + count;
        return switch (command) {
            case "set/5", "add/5" -> write(words, "");
            case "cas/6" -> write(words, words[5]);
            case "delete/2" -> ofKey(words, () -> items.delete(words[1]));
            case "delete/3" -> deleteWithTime(words);
            case "incr/3" -> ofKey(words, () -> increment(words));
            case "touch/3" -> ofKey(words, () -> touch(words));
            case "flush_all/1" -> items.flush();
            case "version/1" -> "VERSION 1.6.0-test";
            case "stats/1" -> "STAT pid 1\r\nSTAT time " + items.time() + "\r\nSTAT libevent a b\r\nEND";
            default -> retrieve(words);
        };
    }

    private interface Reply {
        String get();
    }

    private static String ofKey(String[] words, Reply reply) {
        return words[1].length() > LONGEST_KEY ? BAD_FORMAT : reply.get();
    }

    private String deleteWithTime(String[] words) {
        return words[2].equals("0") ? items.delete(words[1]) : BAD_FORMAT + ".  Usage: delete <key> [noreply]";
    }

    private String increment(String[] words) {
        return UNSIGNED.matcher(words[2]).matches()
                ? items.increment(words[1], Long.parseUnsignedLong(words[2]))
                : "CLIENT_ERROR invalid numeric delta argument";
    }

    private String touch(String[] words) {
        return NUMBER.matcher(words[2]).matches()
                ? items.touch(words[1], Long.parseLong(words[2]))
                : "CLIENT_ERROR invalid exptime argument";
    }

    private String write(String[] words, String unique) throws IOException {
        boolean isCas = words[0].equals("cas");
        for (int number = 2; number <= 4; number++) {
            if (!NUMBER.matcher(words[number]).matches()) {
                return BAD_FORMAT;
            }
        }
        int length = Integer.parseInt(words[4]);
        if (words[1].length() > LONGEST_KEY
                || length < 0
                || (isCas && !UNSIGNED.matcher(unique).matches())) {
            return BAD_FORMAT;
        }
        String value = new String(in.readNBytes(length), StandardCharsets.ISO_8859_1);
        if (!new String(in.readNBytes(2), StandardCharsets.ISO_8859_1).equals("\r\n")) {
            return "CLIENT_ERROR bad data chunk";
        }
        MemcachedItems.Written written =
                new MemcachedItems.Written(words[1], Long.parseLong(words[2]), Long.parseLong(words[3]), value);
        if (isCas) {
            return items.cas(written, Long.parseUnsignedLong(unique));
        }
        return words[0].equals("add") ? items.add(written) : items.set(written);
    }

    private String retrieve(String[] words) {
        boolean withUnique = words[0].equals("gets");
        if (words.length < 2 || (!withUnique && !words[0].equals("get"))) {
            return "ERROR";
        }
        StringBuilder reply = new StringBuilder();
        for (int each = 1; each < words.length; each++) {
            if (words[each].length() > LONGEST_KEY) {
                return BAD_FORMAT;
            }
            MemcachedItems.Item item = items.get(words[each]);
            if (item != null) {
                reply.append("VALUE ").append(words[each]).append(' ').append(item.flags());
                reply.append(' ').append(item.value().length());
                reply.append(withUnique ? " " + item.unique() : "");
                reply.append("\r\n").append(item.value()).append("\r\n");
            }
        }
        return reply.append("END").toString();
    }

    private @Nullable String line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                return null;
            }
            line.write(next);
        }
        String text = line.toString(StandardCharsets.ISO_8859_1);
        return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
    }
}
