package io.holdfast.lock.jdbc.table;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The key of a lock in the table.
 *
 * @param hash of the name: the same in all databases, whatever their collations, and short even for long names
 */
public record LockKey(String hash) {

    /**
     * The class of PostgreSQL's advisory locks that serialize attempts: it separates them from those of other programs.
     */
    public static final int ADVISORY_CLASS = 1_214_016_326;

    /** The class of the advisory lock that attempts share and that raising the tokens has alone. */
    public static final int RAISING_CLASS = ADVISORY_CLASS + 1;

    private static final long VERSIONS = 1L << 62;

    /**
     * The key of a name.
     *
     * @param name the name of the lock
     * @return its key
     */
    public static LockKey of(String name) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(name.getBytes(StandardCharsets.UTF_8));
            return new LockKey(HexFormat.of().formatHex(digest));
        } catch (NoSuchAlgorithmException everyJdkHasIt) {
            throw new IllegalStateException("There is no SHA-256 in this JDK", everyJdkHasIt);
        }
    }

    /**
     * The number of the name's advisory lock; two names may share one.
     *
     * @return the number
     */
    public int advisoryId() {
        return ByteBuffer.wrap(HexFormat.of().parseHex(hash)).getInt();
    }

    /**
     * The key of a row that counts tokens for many names. No hash begins with #.
     *
     * @return one of 256 keys
     */
    public String counter() {
        return "#" + hash.substring(0, 2);
    }

    /**
     * A random version, which practically no row of a name had before. Not negative, which JPA takes for an unsaved
     * row, and with room to count up.
     *
     * @return the version
     */
    public static long newVersion() {
        return ThreadLocalRandom.current().nextLong(VERSIONS);
    }

    /**
     * Makes a text storable for people to read: PostgreSQL has no character 0, and only valid Unicode can be sent.
     *
     * @param text any text
     * @return the text as every database accepts it
     */
    public static String legible(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8).replace('\0', '\u2400');
    }
}
