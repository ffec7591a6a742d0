package io.holdfast.wrong.memory;

import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import java.time.Duration;

/** One claim. It knows nothing of the lock's state: its provider asks the store. */
final class PlainClaim implements Claim {

    final MemoryProvider provider;
    final ClaimSignals signals;
    private final ClaimRequest request;

    PlainClaim(MemoryProvider provider, ClaimRequest request, ClaimSignals signals) {
        this.provider = provider;
        this.request = request;
        this.signals = signals;
    }

    @Override
    public Attempt attempt() {
        return provider.attempt(this);
    }

    @Override
    public Renewal renew() {
        return provider.renew(this);
    }

    @Override
    public Release release() {
        return provider.release(this);
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

    Duration lease() {
        return request.leaseTime();
    }

    Duration validFor() {
        return request.validFor();
    }

    boolean waits() {
        return request.intent() == ClaimRequest.Intent.WAIT;
    }

    ClaimRequest.Claimant claimant() {
        return request.claimant();
    }
}
