package io.holdfast.lock.tck;

import java.util.Objects;

/**
 * Cuts providers off from their store, as a broken network would: connections break, and no new ones can be made.
 *
 * @param begin returns when nothing reaches the store any more
 * @param end returns when the store can be reached again
 */
public record Outage(Runnable begin, Runnable end) {

    /**
     * Creates an outage, which has not begun.
     *
     * @param begin returns when nothing reaches the store any more
     * @param end returns when the store can be reached again
     */
    public Outage {
        Objects.requireNonNull(begin, "begin");
        Objects.requireNonNull(end, "end");
    }
}
