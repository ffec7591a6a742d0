package io.holdfast.lock.core.memory;

import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import java.time.Duration;

/** One claim to one lock name. It knows nothing of the lock's state: only the store does. */
final class MemoryClaim implements Claim {

    private final MemoryLockProvider provider;
    private final ClaimRequest request;
    private final ClaimSignals signals;

    MemoryClaim(MemoryLockProvider provider, ClaimRequest request, ClaimSignals signals) {
        this.provider = provider;
        this.request = request;
        this.signals = signals;
    }

    @Override
    public Attempt attempt() {
        return attemptFor(1);
    }

    @Override
    public Attempt attemptFor(int tokens) {
        return provider.store().attempt(this, tokens);
    }

    @Override
    public Renewal renew() {
        return provider.store().renew(this);
    }

    @Override
    public Release release() {
        return provider.store().release(this);
    }

    boolean isOf(MemoryLockProvider client) {
        return provider == client;
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
