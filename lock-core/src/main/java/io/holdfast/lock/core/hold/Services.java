package io.holdfast.lock.core.hold;

import io.holdfast.lock.core.claim.ClaimReaper;
import io.holdfast.lock.core.claim.ClientIdentity;
import io.holdfast.lock.core.claim.StoreCalls;
import io.holdfast.lock.core.lease.LeaseKeeper;
import io.holdfast.lock.core.lease.StoreClocks;
import io.holdfast.lock.core.runtime.EngineRuntime;
import io.holdfast.lock.core.runtime.EventDispatcher;
import io.holdfast.lock.spi.LockProvider;
import java.util.concurrent.RejectedExecutionException;

/** What the holds and the waiters of one client work with. */
public record Services(
        LockProvider provider,
        ClientIdentity identity,
        EngineRuntime runtime,
        EventDispatcher events,
        StoreCalls storeCalls,
        LeaseKeeper keeper,
        StoreClocks clocks,
        ClaimReaper reaper) {

    /** Makes the services of a client. */
    public static Services of(
            LockProvider provider, ClientIdentity identity, EngineRuntime runtime, EventDispatcher events) {
        StoreCalls storeCalls = new StoreCalls(runtime.callsOfVirtualThreads());
        LeaseKeeper keeper = new LeaseKeeper(provider, storeCalls, runtime);
        return new Services(
                provider,
                identity,
                runtime,
                events,
                storeCalls,
                keeper,
                new StoreClocks(runtime, keeper, events.log()),
                new ClaimReaper(runtime, provider.capabilities().leaseControl()));
    }

    /** Gives back what nobody wants any more, on a thread that may wait for the store. */
    public void discard(OwnHandle handle) {
        discard(handle, () -> {});
    }

    /**
     * Gives back what nobody wants any more, on a thread that may wait for the store, and then runs something that may run a
     * user's code.
     */
    public void discard(OwnHandle handle, Runnable afterwards) {
        try {
            runtime.releases().execute(() -> {
                handle.discard();
                events.dispatch(afterwards);
            });
        } catch (RejectedExecutionException closed) {
            // The close of the client has given it back.
            events.dispatch(afterwards);
        }
    }

    /** The reading of the monotonic clock. */
    public long now() {
        return runtime.now();
    }
}
