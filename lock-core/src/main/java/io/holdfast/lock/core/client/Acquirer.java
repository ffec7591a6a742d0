package io.holdfast.lock.core.client;

import io.holdfast.lock.core.claim.OwnerId;
import io.holdfast.lock.core.hold.OwnHandle;
import io.holdfast.lock.core.local.Deadline;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * How one name, or several, are acquired: what every kind of call on a lock comes down to.
 *
 * @param <H> the handle
 */
interface Acquirer<H extends OwnHandle> {

    List<String> names();

    /** Acquires on the calling thread; empty if the deadline came first. */
    Optional<H> acquire(OwnerId owner, Deadline deadline, Interrupts interrupts) throws InterruptedException;

    /**
     * Acquires without a thread that waits. A caller that completes the future (by cancelling it, say) abandons the acquire; a
     * hold that is granted all the same is given back.
     */
    CompletableFuture<Optional<H>> acquireAsync(OwnerId owner, Deadline deadline);
}
