package io.holdfast.lock.tck.faults;

import java.util.Objects;

/**
 * Something that goes wrong for a while.
 *
 * @param begin returns when the fault is there
 * @param end ends it, and returns when nothing of it is left but what the clients have to repair
 */
public record Fault(Runnable begin, Runnable end) {

    /**
     * Creates a fault, which has not begun.
     *
     * @param begin returns when the fault is there
     * @param end ends it, and returns when nothing of it is left but what the clients have to repair
     */
    public Fault {
        Objects.requireNonNull(begin, "begin");
        Objects.requireNonNull(end, "end");
    }
}
