package io.holdfast.lock.core.migration;

/**
 * Where a client is on the way from one store to another. Neighbouring phases exclude each other; the first and the last do not,
 * so no client is in the last one while another is in the first.
 */
public enum Phase {
    /** Locks are taken in the old store alone. */
    FROM_ONLY,
    /** Each lock is taken in the old store, and then in the new one. */
    BOTH,
    /** Locks are taken in the new store alone. */
    TO_ONLY
}
