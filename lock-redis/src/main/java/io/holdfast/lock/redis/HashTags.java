package io.holdfast.lock.redis;

import java.util.Arrays;
import redis.clients.jedis.util.JedisClusterCRC16;

/**
 * For each hash slot of a cluster a text that lies in it: the smallest whole number that does, in digits. Clients of all versions
 * have to find the same one, as keys are named by it.
 */
final class HashTags {

    static final int SLOTS = 16_384;

    private static final int[] SMALLEST = smallest();

    private HashTags() {}

    static String of(int slot) {
        return Integer.toString(SMALLEST[slot]);
    }

    private static int[] smallest() {
        int[] found = new int[SLOTS];
        Arrays.fill(found, -1);
        int missing = SLOTS;
        for (int number = 0; missing > 0; number++) {
            int slot = JedisClusterCRC16.getSlot(Integer.toString(number));
            if (found[slot] < 0) {
                found[slot] = number;
                missing--;
            }
        }
        return found;
    }
}
