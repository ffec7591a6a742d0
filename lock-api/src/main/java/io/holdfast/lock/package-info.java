/**
 * Distributed locks for applications: open a {@link io.holdfast.lock.LockClient}, name a
 * {@link io.holdfast.lock.DistributedLock}, acquire a {@link io.holdfast.lock.LockHandle}.
 *
 * <p>Three rules hold everywhere. Contention is a value and failure is an exception, never the same result. Ownership is
 * the handle, not the thread. A holder hears of the loss of its lock.
 *
 * <p>No argument may be null, here and in all other packages: null is refused at once, by a {@link NullPointerException} whose
 * message is the name of the parameter. What may be missing is an {@link java.util.Optional}. Exceptions alone take what they are
 * given, so as never to hide the failure that they report.
 *
 * <p>This package is experimental: any minor release may change it.
 */
@NullMarked
package io.holdfast.lock;

import org.jspecify.annotations.NullMarked;
