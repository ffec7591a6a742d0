package io.holdfast.lock.tck;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;

/** Times that were lost, in the order of their ends, in nanoseconds. One thread adds and forgets; any may ask. */
final class Stalls {

    private final Deque<Stall> all = new ConcurrentLinkedDeque<>();

    /** A time that was lost, and when that was over. */
    private record Stall(long end, long lost) {}

    void add(long end, long lost) {
        all.addLast(new Stall(end, lost));
    }

    /** Forgets those that were over before a moment. */
    void forgetBefore(long moment) {
        while (!all.isEmpty() && all.getFirst().end() - moment < 0) {
            all.removeFirst();
        }
    }

    /** The longest one that ended since a moment. */
    long longest(long since) {
        return all.stream()
                .filter(stall -> stall.end() - since >= 0)
                .mapToLong(Stall::lost)
                .max()
                .orElse(0);
    }

    /** The most that was lost since a moment within any time of a length. */
    long most(long since, long length) {
        Deque<Stall> window = new ArrayDeque<>();
        long sum = 0;
        long most = 0;
        for (Stall stall : all) {
            if (stall.end() - since < 0) {
                continue;
            }
            window.addLast(stall);
            sum += stall.lost();
            while (stall.end() - window.getFirst().end() > length) {
                sum -= window.removeFirst().lost();
            }
            most = Math.max(most, sum);
        }
        return most;
    }
}
