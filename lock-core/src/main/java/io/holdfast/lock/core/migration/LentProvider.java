package io.holdfast.lock.core.migration;

import io.holdfast.lock.LockCapabilities;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Renewal;
import java.util.List;
import java.util.Optional;

/** A provider that stays open when its client is closed, and wakes nobody: its locks are never waited for. */
record LentProvider(LockProvider store) implements LockProvider {

    @Override
    public LockCapabilities capabilities() {
        return store.capabilities();
    }

    @Override
    public Claim newClaim(ClaimRequest request, ClaimSignals signals) {
        return store.newClaim(request, signals);
    }

    @Override
    public Optional<LockHolder> holder(String name) {
        return store.holder(name);
    }

    @Override
    public int renewalBatch() {
        return store.renewalBatch();
    }

    @Override
    public List<Renewal> renewAll(List<Claim> claims) {
        return store.renewAll(claims);
    }

    @Override
    public void close() {
        // Its owner closes it.
    }
}
