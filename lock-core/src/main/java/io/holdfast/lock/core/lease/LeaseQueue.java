package io.holdfast.lock.core.lease;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Leases in the order in which something is to be done about them: a binary heap in an array. Each lease knows its place, so that
 * it is removed in logarithmic time; a tree would have one more object for each. A lease may change only while it is not in here.
 * Guarded by the {@link LeaseKeeper}'s mutex.
 */
final class LeaseQueue {

    private static final int SMALLEST = 16;

    /** From place 1 on: those behind a lease are at twice its place, and next to it. */
    private @Nullable Lease[] places = new Lease[SMALLEST];

    private int size;

    void add(Lease lease) {
        if (size + 1 == places.length) {
            places = Arrays.copyOf(places, places.length * 2);
        }
        size++;
        rise(lease, size);
    }

    /** Removes a lease. Returns false if it is not in here. */
    boolean remove(Lease lease) {
        int place = lease.place();
        if (place == 0) {
            return false;
        }
        lease.moveTo(0);
        Lease last = at(size);
        places[size] = null;
        size--;
        if (last != lease) {
            sink(last, place);
            rise(last, last.place());
        }
        if (size < places.length / 4 && places.length > SMALLEST) {
            places = Arrays.copyOf(places, places.length / 2);
        }
        return true;
    }

    private void rise(Lease lease, int from) {
        int place = from;
        while (place > 1 && lease.compareTo(at(place / 2)) < 0) {
            put(at(place / 2), place);
            place /= 2;
        }
        put(lease, place);
    }

    private void sink(Lease lease, int from) {
        int place = from;
        for (int next = earlierBehind(place);
                next <= size && at(next).compareTo(lease) < 0;
                next = earlierBehind(place)) {
            put(at(next), place);
            place = next;
        }
        put(lease, place);
    }

    private int earlierBehind(int place) {
        int left = 2 * place;
        return left < size && at(left + 1).compareTo(at(left)) < 0 ? left + 1 : left;
    }

    private void put(Lease lease, int place) {
        places[place] = lease;
        lease.moveTo(place);
    }

    private Lease at(int place) {
        Lease lease = places[place];
        if (lease == null) {
            throw new IllegalStateException("no lease is at " + place + " of " + size);
        }
        return lease;
    }

    boolean isEmpty() {
        return size == 0;
    }

    Lease first() {
        return at(1);
    }

    /** All of them, in no order. */
    Stream<Lease> all() {
        return Arrays.stream(places, 1, size + 1);
    }

    /** Those about which something is to be done up to a reading of the clock, in their order. */
    List<Lease> dueBy(long reading) {
        List<Lease> found = new ArrayList<>();
        addDueBy(reading, 1, found);
        found.sort(null);
        return found;
    }

    private void addDueBy(long reading, int place, List<Lease> found) {
        if (place <= size && at(place).due() - reading <= 0) {
            found.add(at(place));
            addDueBy(reading, 2 * place, found);
            addDueBy(reading, 2 * place + 1, found);
        }
    }
}
