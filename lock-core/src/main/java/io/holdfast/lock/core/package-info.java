/**
 * The engine: turns a {@link io.holdfast.lock.spi.LockProvider}, which only bids, renews and releases, into locks that wait,
 * renew themselves, re-enter and report their loss.
 *
 * <p>Nothing here is public but the service that {@link io.holdfast.lock.LockClient} finds. Start reading at
 * {@code EngineClient}, then {@code Acquisition} (one acquire), {@code Hold} (one grant) and {@code LeaseKeeper}.
 */
@NullMarked
package io.holdfast.lock.core;

import org.jspecify.annotations.NullMarked;
