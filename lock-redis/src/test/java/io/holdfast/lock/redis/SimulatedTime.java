package io.holdfast.lock.redis;

import java.util.PriorityQueue;

/** True time in a simulation, in microseconds: events run one after the other, each at its time. */
final class SimulatedTime {

    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private long now;
    private long numbers;

    private record Event(long at, long number, Runnable action) implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            return at != other.at ? Long.compare(at, other.at) : Long.compare(number, other.number);
        }
    }

    long now() {
        return now;
    }

    void after(long micros, Runnable action) {
        events.add(new Event(now + Math.max(0, micros), numbers++, action));
    }

    void runUntil(long end) {
        for (Event next = events.peek(); next != null && next.at() <= end; next = events.peek()) {
            events.remove();
            now = next.at();
            next.action().run();
        }
        now = end;
    }
}
