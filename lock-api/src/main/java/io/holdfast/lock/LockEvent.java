package io.holdfast.lock;

import java.util.Optional;

/**
 * What a {@link LockListener} is told about.
 *
 * @param lockName the name of the lock
 * @param owner the id of the owner whose claim it is
 * @param fencingToken the token of the grant; empty before a grant, and where the store has no tokens
 */
@ApiStatus(ApiStatus.Level.EXPERIMENTAL)
public record LockEvent(String lockName, String owner, Optional<FencingToken> fencingToken) {}
