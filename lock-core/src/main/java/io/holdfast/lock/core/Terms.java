package io.holdfast.lock.core;

import io.holdfast.lock.LockOptions;

/**
 * What an acquire is after: which lock, for whom, and until when.
 *
 * @param lockName the name of the lock
 * @param owner whom the hold will belong to
 * @param options how it is to be held
 * @param deadline when to give up
 */
record Terms(String lockName, OwnerId owner, LockOptions options, Deadline deadline) {

    HoldKey holdKey() {
        return new HoldKey(lockName, owner.id());
    }

    /** Whether the acquire takes its place among those that wait, or asks once, past them. */
    boolean waits() {
        return deadline.kind() != Deadline.Kind.AT_ONCE;
    }
}
