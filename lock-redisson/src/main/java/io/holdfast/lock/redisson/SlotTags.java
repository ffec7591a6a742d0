package io.holdfast.lock.redisson;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Stream;
import org.redisson.connection.CRC16;

/**
 * A short text for each slot of a Redis Cluster: a key with that text in braces is in that slot. By the Redis Cluster
 * Specification the slot is the CRC-16/XMODEM of the text in the first braces of a key, modulo 16,384.
 */
final class SlotTags {

    private static final int SLOTS = 16_384;

    /** Loaded with the first lock of a cluster. */
    private static final String[] TAGS = tags();

    private SlotTags() {}

    /** The text for the slot of a key. */
    static String of(String key) {
        return TAGS[slot(hashed(key))];
    }

    /** Those of all slots. */
    static Stream<String> all() {
        return Arrays.stream(TAGS);
    }

    private static String[] tags() {
        String[] tags = new String[SLOTS];
        int missing = SLOTS;
        for (int number = 0; missing > 0; number++) {
            String text = Integer.toString(number);
            int slot = slot(text);
            if (tags[slot] == null) {
                tags[slot] = text;
                missing--;
            }
        }
        return tags;
    }

    private static String hashed(String key) {
        int open = key.indexOf('{');
        int close = key.indexOf('}', open + 1);
        return open >= 0 && close > open + 1 ? key.substring(open + 1, close) : key;
    }

    private static int slot(String hashed) {
        // Not in Redisson's API, but the same in all supported versions.
        return CRC16.crc16(hashed.getBytes(StandardCharsets.UTF_8)) % SLOTS;
    }
}
