package io.holdfast.lock.redis;

/** What the safety of a lease rests on, and a simulation can take away. */
enum Assumption {
    /** No clock runs faster than another one by more than was declared. */
    BOUNDED_DRIFT,
    /** A server that was started without its data keeps out, until all leases have ended. */
    KEPT_OUT,
    /** A lease counts from before the request. */
    COUNTED_FROM_REQUEST,
    /** A majority is one of all nodes, and not of those that can be reached. */
    MAJORITY_OF_ALL
}
