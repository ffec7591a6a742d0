package io.holdfast.bench;

import java.util.Arrays;

/** How long the cycles of one thread took. Not thread-safe. */
final class Times {

    private long[] nanos = new long[1 << 12];
    private int count;

    void add(long time) {
        if (count == nanos.length) {
            nanos = Arrays.copyOf(nanos, 2 * count);
        }
        nanos[count++] = time;
    }

    int count() {
        return count;
    }

    long[] all() {
        return Arrays.copyOf(nanos, count);
    }
}
