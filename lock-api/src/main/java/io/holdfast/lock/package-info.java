/**
 * Distributed locks for applications: open a {@link io.holdfast.lock.LockClient}, name a
 * {@link io.holdfast.lock.DistributedLock}, acquire a {@link io.holdfast.lock.LockHandle}.
 *
 * <p>Three rules hold everywhere. Contention is a value and failure is an exception, never the same result. Ownership is
 * the handle, not the thread. A holder whose lock is lost is told.
 */
@NullMarked
package io.holdfast.lock;

import org.jspecify.annotations.NullMarked;
