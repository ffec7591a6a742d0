package io.holdfast.lock.core.local;

import io.holdfast.lock.LockOptions;
import io.holdfast.lock.core.claim.OwnerId;

/**
 * What one acquire asks for.
 *
 * @param lockName the name of the lock
 * @param owner whom the hold will belong to
 * @param options how the lock is to be held
 * @param deadline when to give up
 */
public record LockRequest(String lockName, OwnerId owner, LockOptions options, Deadline deadline) {

    /** Whether the acquire waits for the lock, or asks once. */
    boolean waits() {
        return deadline.kind() != Deadline.Kind.AT_ONCE;
    }
}
