package io.holdfast.lock.redis;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A Lua script: its source, and the digest that the server knows it by. Immutable, compared by identity. */
final class Script {

    /** Comments of a line of their own, and the space before the other lines. */
    private static final Pattern FOR_PEOPLE = Pattern.compile("(?m)^ *--.*\n|^ +");

    private static final int SENT_AT_ONCE = 7_600;

    private final byte[] source;
    private final byte[] digest;
    private final boolean forMany;

    private Script(String source, boolean forMany) {
        this.source = source.getBytes(StandardCharsets.UTF_8);
        this.digest = sha1(this.source);
        this.forMany = forMany;
    }

    /**
     * Joins resources of this package to one script: there are no libraries that all versions of Redis support. Comments and
     * indentation are left out: a server that wants a password closes the connection after the first few kilobytes of a command,
     * and its reason can only be read if the whole command was sent by then, which the driver does by pieces of 8 KB.
     */
    static Script of(String... resources) {
        return new Script(joined(resources), false);
    }

    /**
     * Joins resources to a script that can be called for many claims at once, with the keys and the arguments of each, one after
     * another. Its reply to many is a list, of what it replies to each alone.
     *
     * @param usual answer the claims of which nothing unusual is to be said
     * @param one answer any one claim
     */
    static Script forMany(List<String> usual, List<String> one) {
        return new Script(
                joined(Stream.of(usual, List.of("many-begin.lua"), one, List.of("many-end.lua"))
                        .flatMap(List::stream)
                        .toArray(String[]::new)),
                true);
    }

    /**
     * Puts the guard in front of a script of the application, which sees its own KEYS and ARGV. The guard comes first, so no text
     * can get around it, and takes no line, so errors name the lines of the application's script.
     */
    static Script guarding(String script) {
        String guard = "local KEYS, ARGV, refused = (function() "
                + joined("common.lua", "guard.lua").replace('\n', ' ') + "end)() if refused then return refused end ";
        return new Script(guard + script, false);
    }

    private static String joined(String... resources) {
        StringBuilder source = new StringBuilder();
        for (String resource : resources) {
            source.append(FOR_PEOPLE.matcher(text(resource)).replaceAll("")).append('\n');
        }
        return source.toString();
    }

    private static String text(String resource) {
        try (InputStream stream = Script.class.getResourceAsStream(resource)) {
            if (stream == null) {
                throw new FileNotFoundException(resource);
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException broken) {
            throw new UncheckedIOException("The jar of the Redis backend is incomplete", broken);
        }
    }

    private static byte[] sha1(byte[] source) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-1").digest(source);
            return HexFormat.of().formatHex(hash).getBytes(StandardCharsets.US_ASCII);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("Every Java platform has SHA-1", impossible);
        }
    }

    /**
     * Whether the driver sends its source at once, with a digest's place, keys and arguments: it does so with 8 KB. A server that
     * wants a password closes the connection before it has read more, and the driver cannot read its reason.
     */
    boolean isSentAtOnce() {
        return source.length < SENT_AT_ONCE;
    }

    /** Whether it can be called for many claims at once. */
    boolean isForMany() {
        return forMany;
    }

    byte[] source() {
        return source;
    }

    byte[] digest() {
        return digest;
    }
}
