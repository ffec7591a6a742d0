package io.holdfast.lock.tck;

import io.holdfast.lock.LockCapabilities;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimRequest.Intent;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import java.util.Optional;

/** A correct provider without any capability: no tokens, no order, no wake-up, no holds counted by the store. */
final class ModestProvider implements LockProvider {

    private static final ClaimSignals NONE = new ClaimSignals() {
        @Override
        public void mayBeFree() {}

        @Override
        public void lost(LossCause cause) {}
    };

    private final LockProvider provider;

    ModestProvider(LockProvider provider) {
        this.provider = provider;
    }

    @Override
    public LockCapabilities capabilities() {
        return LockCapabilities.BASIC;
    }

    @Override
    public Claim newClaim(ClaimRequest request, ClaimSignals signals) {
        String owner = request.ownerId() + " " + request.claimId();
        Claim claim = provider.newClaim(
                new ClaimRequest(
                        request.name(),
                        request.claimId(),
                        owner,
                        request.leaseTime(),
                        Intent.TRY_ONCE,
                        request.claimant()),
                NONE);
        return new Claim() {
            @Override
            public Attempt attempt() {
                return claim.attempt() instanceof Attempt.Granted granted
                        ? new Attempt.Granted(Optional.empty(), granted.validFor())
                        : new Attempt.Contended(Optional.empty());
            }

            @Override
            public Renewal renew() {
                return claim.renew();
            }

            @Override
            public Release release() {
                return claim.release();
            }
        };
    }

    @Override
    public Optional<LockHolder> holder(String name) {
        return provider.holder(name)
                .map(holder ->
                        LockHolder.of(holder.owner().substring(0, holder.owner().lastIndexOf(' '))));
    }

    @Override
    public void close() {
        provider.close();
    }
}
