package io.holdfast.lock.tck;

import io.holdfast.lock.LockCapabilities;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.core.memory.MemoryLockProvider;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.LockProvider;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The in-memory provider, wrong in one way. */
record MutantProvider(MemoryLockProvider delegate, Mutant mutant, Set<String> local) implements LockProvider {

    static MutantProvider over(LockProvider provider, Mutant mutant) {
        mutant.open();
        return new MutantProvider((MemoryLockProvider) provider, mutant, ConcurrentHashMap.newKeySet());
    }

    @Override
    public LockCapabilities capabilities() {
        return delegate.capabilities();
    }

    @Override
    public Claim newClaim(ClaimRequest request, ClaimSignals signals) {
        return new MutantClaim(this, request, signals);
    }

    @Override
    public Optional<LockHolder> holder(String name) {
        return delegate.holder(mutant.name(name));
    }

    @Override
    public void close() {
        delegate.close();
    }
}
