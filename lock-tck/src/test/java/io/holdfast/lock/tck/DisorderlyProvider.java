package io.holdfast.lock.tck;

import io.holdfast.lock.LockCapabilities;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimRequest.Intent;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.LockProvider;
import java.util.Optional;

/** A provider that declares an order of its waiters and keeps none: no claim of it stands in line. */
record DisorderlyProvider(LockProvider provider) implements LockProvider {

    @Override
    public LockCapabilities capabilities() {
        return provider.capabilities();
    }

    @Override
    public Claim newClaim(ClaimRequest request, ClaimSignals signals) {
        return provider.newClaim(
                new ClaimRequest(
                        request.name(),
                        request.claimId(),
                        request.ownerId(),
                        request.leaseTime(),
                        Intent.TRY_ONCE,
                        request.claimant()),
                signals);
    }

    @Override
    public Optional<LockHolder> holder(String name) {
        return provider.holder(name);
    }

    @Override
    public long highestToken() {
        return provider.highestToken();
    }

    @Override
    public void raiseTokens(long above) {
        provider.raiseTokens(above);
    }

    @Override
    public void close() {
        provider.close();
    }
}
