package io.holdfast.lock.core.migration;

import io.holdfast.lock.LockCapabilities;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import java.util.Optional;

/** A store in memory whose answers can be lost. */
final class FailingStore implements LockProvider {

    private final LockProvider store;
    private volatile boolean failing;

    FailingStore(LockProvider store) {
        this.store = store;
    }

    void fail(boolean from) {
        failing = from;
    }

    private <T> T answered(T answer) {
        if (failing) {
            throw new LockStoreException("the answer was lost");
        }
        return answer;
    }

    @Override
    public LockCapabilities capabilities() {
        return store.capabilities();
    }

    @Override
    public Claim newClaim(ClaimRequest request, ClaimSignals signals) {
        Claim claim = store.newClaim(request, signals);
        return new Claim() {
            @Override
            public Attempt attempt() {
                return answered(claim.attempt());
            }

            @Override
            public Renewal renew() {
                return answered(claim.renew());
            }

            @Override
            public Release release() {
                return answered(claim.release());
            }
        };
    }

    @Override
    public Optional<LockHolder> holder(String name) {
        return answered(store.holder(name));
    }

    @Override
    public long highestToken() {
        return answered(store.highestToken());
    }

    @Override
    public void raiseTokens(long above) {
        store.raiseTokens(above);
    }

    @Override
    public void close() {
        store.close();
    }
}
