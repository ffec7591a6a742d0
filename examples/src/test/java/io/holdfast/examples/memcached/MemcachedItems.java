package io.holdfast.examples.memcached;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The items of a memcached server, with its rules of expiry, and the number that it gives each write. Thread-safe. */
final class MemcachedItems {

    private static final int MOST_BYTES = 1024 * 1024;
    private static final int HEADER_BYTES = 56;
    private static final long LONGEST_RELATIVE = 60L * 60 * 24 * 30;
    private static final long EXPIRED = 1;

    private final MemcachedClock clock;
    private final long started = System.currentTimeMillis() / 1000 - 2;
    private final Map<String, Item> items = new HashMap<>();
    private long writes;

    MemcachedItems(MemcachedClock clock) {
        this.clock = clock;
    }

    /** An item: it has expired when the clock's count reaches {@code expires}, unless that is zero. */
    record Item(String value, long flags, long expires, long unique) {}

    /** What to write. */
    record Written(String key, long flags, long exptime, String value) {}

    long time() {
        return started + clock.count();
    }

    synchronized @Nullable Item get(String key) {
        Item item = items.get(key);
        if (item != null && item.expires() != 0 && item.expires() <= clock.count()) {
            items.remove(key);
            return null;
        }
        return item;
    }

    synchronized String set(Written written) {
        return fits(written) ? stored(written) : "SERVER_ERROR object too large for cache";
    }

    synchronized String add(Written written) {
        return get(written.key()) == null ? set(written) : "NOT_STORED";
    }

    synchronized String cas(Written written, long unique) {
        Item old = get(written.key());
        if (old == null) {
            return "NOT_FOUND";
        }
        return old.unique() == unique ? set(written) : "EXISTS";
    }

    synchronized String delete(String key) {
        boolean wasThere = get(key) != null;
        items.remove(key);
        return wasThere ? "DELETED" : "NOT_FOUND";
    }

    /** Gives the item no new number. */
    synchronized String touch(String key, long exptime) {
        Item old = get(key);
        if (old == null) {
            return "NOT_FOUND";
        }
        items.put(key, new Item(old.value(), old.flags(), expires(exptime), old.unique()));
        return "TOUCHED";
    }

    synchronized String increment(String key, long delta) {
        Item old = get(key);
        if (old == null) {
            return "NOT_FOUND";
        }
        String digits = old.value().strip();
        if (!digits.matches("[0-9]{1,20}")) {
            return "CLIENT_ERROR cannot increment or decrement non-numeric value";
        }
        String sum = Long.toUnsignedString(Long.parseUnsignedLong(digits) + delta);
        items.put(key, new Item(sum, old.flags(), old.expires(), ++writes));
        return sum;
    }

    synchronized String flush() {
        items.clear();
        writes++;
        return "OK";
    }

    private String stored(Written written) {
        items.put(written.key(), new Item(written.value(), written.flags(), expires(written.exptime()), ++writes));
        return "STORED";
    }

    private static boolean fits(Written written) {
        return HEADER_BYTES + written.key().length() + written.value().length() <= MOST_BYTES;
    }

    /** Zero is "without end", below zero is "at once", more than 30 days is a date. */
    private long expires(long exptime) {
        if (exptime == 0) {
            return 0;
        }
        if (exptime < 0) {
            return EXPIRED;
        }
        return exptime > LONGEST_RELATIVE ? Math.max(exptime - started, EXPIRED) : clock.count() + exptime;
    }
}
