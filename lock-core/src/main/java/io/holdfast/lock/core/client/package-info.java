/**
 * The engine: turns a {@link io.holdfast.lock.spi.LockProvider}, which only asks, renews and releases, into locks that wait,
 * renew themselves, re-enter and report their loss.
 *
 * <p>The packages depend on each other in one direction: {@code client} (the objects that applications use), {@code local} (one
 * object for each lock: its waiters and holds), {@code wakeup} (which names the store's messages are subscribed to), {@code hold}
 * (one grant and its handles), {@code lease} (renewals and deadlines), {@code claim} (the provider's claims) and {@code runtime}
 * (clock, timer, threads, events). Start reading at {@code LocalLock}.
 */
@NullMarked
package io.holdfast.lock.core.client;

import org.jspecify.annotations.NullMarked;
