package io.holdfast.wrong.kind;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.zip.Adler32;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;

/** Hashes of 32 bits, as stores and drivers compute them. They are not those of the kit: a mistake there must show here. */
final class Hashes {

    private static final int FNV_OFFSET = 0x811C_9DC5;
    private static final int FNV_PRIME = 0x0100_0193;

    private Hashes() {}

    static String crc(String name) {
        return checksum(new CRC32(), name);
    }

    static String crc32c(String name) {
        return checksum(new CRC32C(), name);
    }

    static String adler(String name) {
        return checksum(new Adler32(), name);
    }

    static String md5(String name) {
        return digest("MD5", name);
    }

    static String sha1(String name) {
        return digest("SHA-1", name);
    }

    /** FNV-1a, as of draft-eastlake-fnv. */
    static String fnv(String name) {
        int hash = FNV_OFFSET;
        for (byte each : bytes(name)) {
            hash = (hash ^ Byte.toUnsignedInt(each)) * FNV_PRIME;
        }
        return text(hash);
    }

    /** MurmurHash3_x86_32 with seed 0, as of Appleby's smhasher. */
    static String murmur(String name) {
        byte[] bytes = bytes(name);
        int whole = bytes.length / Integer.BYTES * Integer.BYTES;
        ByteBuffer buffer = ByteBuffer.allocate(whole + Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        buffer.put(bytes).clear();
        int hash = 0;
        while (buffer.position() < whole) {
            hash = Integer.rotateLeft(hash ^ scrambled(buffer.getInt()), 13) * 5 + 0xE654_6B64;
        }
        // What is left of the last word, filled up with zeros.
        hash ^= scrambled(buffer.getInt()) ^ bytes.length;
        hash = (hash ^ (hash >>> 16)) * 0x85EB_CA6B;
        hash = (hash ^ (hash >>> 13)) * 0xC2B2_AE35;
        return text(hash ^ (hash >>> 16));
    }

    private static int scrambled(int word) {
        return Integer.rotateLeft(word * 0xCC9E_2D51, 15) * 0x1B87_3593;
    }

    private static String checksum(Checksum checksum, String name) {
        checksum.update(bytes(name));
        return text((int) checksum.getValue());
    }

    private static String digest(String algorithm, String name) {
        try {
            byte[] digest = MessageDigest.getInstance(algorithm).digest(bytes(name));
            return text(ByteBuffer.wrap(digest).getInt());
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException("Every JVM has " + algorithm, missing);
        }
    }

    private static byte[] bytes(String name) {
        return name.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(int hash) {
        return "tck-" + Integer.toHexString(hash);
    }
}
