package io.holdfast.bench;

import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** How long cycles took, in classes that are at most a sixty-fourth wide, so that counting costs no memory. Not thread-safe. */
final class Times {

    private static final int BITS = 6;
    private static final int PARTS = 1 << BITS;

    private final long[] counts = new long[(Long.SIZE - BITS) * PARTS];

    void add(long nanos) {
        counts[index(nanos)]++;
    }

    void add(Times other) {
        Arrays.setAll(counts, i -> counts[i] + other.counts[i]);
    }

    private static int index(long nanos) {
        if (nanos < PARTS) {
            return (int) Math.max(0, nanos);
        }
        int shift = Long.SIZE - 1 - BITS - Long.numberOfLeadingZeros(nanos);
        return shift * PARTS + (int) (nanos >>> shift);
    }

    private static double middle(int index) {
        int shift = Math.max(0, index / PARTS - 1);
        return (index - shift * PARTS + 0.5) * (1L << shift);
    }

    long count() {
        return Arrays.stream(counts).sum();
    }

    /** The time that a part of the cycles did not exceed, in microseconds; not a number if there were none. */
    double micros(double part) {
        long wanted = (long) Math.ceil(part * count());
        for (int i = 0; wanted > 0 && i < counts.length; i++) {
            wanted -= counts[i];
            if (wanted <= 0) {
                return middle(i) / 1e3;
            }
        }
        return Double.NaN;
    }

    /** All of it in one line, for another process. */
    String line() {
        return IntStream.range(0, counts.length)
                .filter(i -> counts[i] > 0)
                .mapToObj(i -> i + ":" + counts[i])
                .collect(Collectors.joining(" "));
    }

    static Times of(String line) {
        Times times = new Times();
        for (String entry : line.isEmpty() ? new String[0] : line.split(" ", -1)) {
            int colon = entry.indexOf(':');
            times.counts[Integer.parseInt(entry.substring(0, colon))] = Long.parseLong(entry.substring(colon + 1));
        }
        return times;
    }
}
