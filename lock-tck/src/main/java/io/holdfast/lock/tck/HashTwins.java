package io.holdfast.lock.tck;

import io.holdfast.lock.DistributedLock;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.UUID;
import java.util.function.ToIntFunction;
import java.util.zip.Adler32;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;

/**
 * Two names of one hash, for the hashes of 32 bits that stores and drivers use. They are searched, not listed: the names of the
 * kit are new in each run. Among a quarter of a million names there are some eight such pairs.
 */
final class HashTwins {

    private static final int CANDIDATES = 1 << 18;
    private static final long LOW_WORD = 0xFFFF_FFFFL;
    private static final int FNV_OFFSET = 0x811C_9DC5;
    private static final int FNV_PRIME = 0x0100_0193;
    private static final long SCRAMBLER = 0x9E37_79B9_7F4A_7C15L;
    private static final Map<String, Queue<List<String>>> FOUND = new HashMap<>();

    private HashTwins() {}

    /** The hashes, by their names. */
    static Map<String, ToIntFunction<byte[]>> hashes() {
        Map<String, ToIntFunction<byte[]>> hashes = new LinkedHashMap<>();
        hashes.put("String.hashCode", bytes -> new String(bytes, StandardCharsets.UTF_8).hashCode());
        hashes.put("CRC-32", bytes -> checksum(new CRC32(), bytes));
        hashes.put("CRC-32C", bytes -> checksum(new CRC32C(), bytes));
        hashes.put("Adler-32", bytes -> checksum(new Adler32(), bytes));
        hashes.put("FNV-1a", HashTwins::fnv1a);
        hashes.put("MurmurHash3", HashTwins::murmur3);
        hashes.put("the first 32 bits of MD5", bytes -> digest("MD5", bytes));
        hashes.put("the first 32 bits of SHA-1", bytes -> digest("SHA-1", bytes));
        return hashes;
    }

    /** Two names that differ and have one hash. Nobody has used them before. */
    static synchronized List<String> next(String hash) {
        Queue<List<String>> found = FOUND.computeIfAbsent(hash, none -> new ArrayDeque<>());
        while (found.isEmpty()) {
            found.addAll(search("tck-" + UUID.randomUUID() + "-", Objects.requireNonNull(hashes().get(hash), hash)));
        }
        return found.remove();
    }

    /**
     * Two names of the greatest length that begin alike, for what cuts a name and appends its hash. None if the hash is none of
     * those for which two names of one length and one hash have one hash with anything before them.
     */
    static Optional<List<String>> nextOfManyCharacters(String hash) {
        List<String> twins = next(hash);
        int length = twins.get(0).length();
        String before = "x".repeat(DistributedLock.MAX_NAME_LENGTH - length);
        List<String> names = twins.stream().map(before::concat).toList();
        ToIntFunction<byte[]> function = Objects.requireNonNull(hashes().get(hash), hash);
        long hashed = names.stream()
                .map(name -> name.getBytes(StandardCharsets.UTF_8))
                .mapToInt(function)
                .distinct()
                .count();
        return hashed == 1 && twins.get(1).length() == length ? Optional.of(names) : Optional.empty();
    }

    private static List<List<String>> search(String base, ToIntFunction<byte[]> hash) {
        long[] hashed = new long[CANDIDATES];
        for (int i = 0; i < CANDIDATES; i++) {
            int value = hash.applyAsInt(name(base, i).getBytes(StandardCharsets.UTF_8));
            hashed[i] = ((long) value << Integer.SIZE) | i;
        }
        Arrays.sort(hashed);
        List<List<String>> twins = new ArrayList<>();
        for (int i = 1; i < CANDIDATES; i += 2) {
            if (hashed[i - 1] >> Integer.SIZE == hashed[i] >> Integer.SIZE) {
                twins.add(List.of(name(base, hashed[i - 1] & LOW_WORD), name(base, hashed[i] & LOW_WORD)));
            }
        }
        return twins;
    }

    /** Scrambled: the hashes of names that count up differ more than those of any names. */
    private static String name(String base, long number) {
        return base + Long.toHexString((number + 1) * SCRAMBLER);
    }

    private static int checksum(Checksum checksum, byte[] bytes) {
        checksum.update(bytes, 0, bytes.length);
        return (int) checksum.getValue();
    }

    private static int fnv1a(byte[] bytes) {
        int hash = FNV_OFFSET;
        for (byte each : bytes) {
            hash = (hash ^ (each & 0xFF)) * FNV_PRIME;
        }
        return hash;
    }

    /** MurmurHash3_x86_32 with seed 0. */
    private static int murmur3(byte[] bytes) {
        ByteBuffer words = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        int hash = 0;
        while (words.remaining() >= Integer.BYTES) {
            hash = Integer.rotateLeft(hash ^ scrambled(words.getInt()), 13) * 5 + 0xE654_6B64;
        }
        int tail = 0;
        for (int shift = 0; words.hasRemaining(); shift += Byte.SIZE) {
            tail |= (words.get() & 0xFF) << shift;
        }
        hash ^= scrambled(tail) ^ bytes.length;
        hash = (hash ^ (hash >>> 16)) * 0x85EB_CA6B;
        hash = (hash ^ (hash >>> 13)) * 0xC2B2_AE35;
        return hash ^ (hash >>> 16);
    }

    private static int scrambled(int word) {
        return Integer.rotateLeft(word * 0xCC9E_2D51, 15) * 0x1B87_3593;
    }

    private static int digest(String algorithm, byte[] bytes) {
        try {
            return ByteBuffer.wrap(MessageDigest.getInstance(algorithm).digest(bytes))
                    .getInt();
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException("Every JVM has " + algorithm, missing);
        }
    }
}
