package io.holdfast.lock.core;

/**
 * Where a hold stands in the {@link HoldTable}.
 *
 * @param lockName the name of the lock
 * @param ownerId the id of the owner
 */
record HoldKey(String lockName, String ownerId) {}
