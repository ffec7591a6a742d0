package io.holdfast.lock;

import java.util.Objects;
import java.util.Optional;

/**
 * What a {@link LockListener} hears of.
 *
 * @param lockName the name of the lock
 * @param owner the owner of the claim, as the store and the log name it; {@link LockHolder#owner()} is the same text
 * @param fencingToken the token of the grant or the hand-over; empty before a grant, and where the store has no tokens
 */
public record LockEvent(String lockName, String owner, Optional<FencingToken> fencingToken) {

    /**
     * Creates an event.
     *
     * @param lockName the name of the lock
     * @param owner the owner of the claim, as the store and the log name it; {@link LockHolder#owner()} is the same text
     * @param fencingToken the token of the grant; empty before a grant, and where the store has no tokens
     */
    public LockEvent {
        Objects.requireNonNull(lockName, "lockName");
        Objects.requireNonNull(owner, "owner");
        Objects.requireNonNull(fencingToken, "fencingToken");
    }
}
