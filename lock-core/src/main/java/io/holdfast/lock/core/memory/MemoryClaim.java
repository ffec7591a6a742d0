package io.holdfast.lock.core.memory;

import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import java.time.Duration;
import java.util.function.Supplier;

/** One claim to one lock name. It knows nothing of the lock's state: only the store does. */
final class MemoryClaim implements Claim {

    private final Supplier<MemoryStore> store;
    private final ClaimRequest request;
    private final ClaimSignals signals;

    /**
     * Makes a claim that the store does not know yet.
     *
     * @param store gives the store while the client is open; the same object for each claim of a client
     */
    MemoryClaim(Supplier<MemoryStore> store, ClaimRequest request, ClaimSignals signals) {
        this.store = store;
        this.request = request;
        this.signals = signals;
    }

    @Override
    public Attempt attempt() {
        return attemptFor(1);
    }

    @Override
    public Attempt attemptFor(int tokens) {
        return store.get().attempt(this, tokens);
    }

    @Override
    public Renewal renew() {
        return store.get().renew(this);
    }

    @Override
    public Release release() {
        return store.get().release(this);
    }

    boolean isOf(Supplier<MemoryStore> client) {
        return store == client;
    }

    String name() {
        return request.name();
    }

    String id() {
        return request.claimId();
    }

    String ownerId() {
        return request.ownerId();
    }

    Duration leaseTime() {
        return request.leaseTime();
    }

    boolean waits() {
        return request.intent() == ClaimRequest.Intent.WAIT;
    }

    ClaimRequest.Claimant claimant() {
        return request.claimant();
    }

    ClaimSignals signals() {
        return signals;
    }
}
