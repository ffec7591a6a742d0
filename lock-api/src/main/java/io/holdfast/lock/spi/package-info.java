/**
 * What the vendor of a lock store implements: a {@link io.holdfast.lock.spi.LockProvider}, its
 * {@link io.holdfast.lock.spi.Claim}s, and a {@link io.holdfast.lock.spi.LockProviderFactory} to be found by.
 *
 * <p>Every call is one short, bounded operation on the store. Waiting, retrying, renewing in time, counting nested holds and
 * telling listeners is the engine's work, so a provider contains none of it. A returned value is the truth about the store; a
 * thrown {@link io.holdfast.lock.LockStoreException} means that the outcome is unknown.
 *
 * <p>This package is experimental: any minor release may change it.
 */
@NullMarked
package io.holdfast.lock.spi;

import org.jspecify.annotations.NullMarked;
