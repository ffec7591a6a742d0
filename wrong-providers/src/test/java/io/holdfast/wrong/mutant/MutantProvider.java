package io.holdfast.wrong.mutant;

import io.holdfast.lock.LockCapabilities;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.core.memory.MemoryLockProvider;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.wrong.Cut;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The in-memory provider with one fault. */
record MutantProvider(MemoryLockProvider delegate, Mutant mutant, Cut cut, Set<String> local, Set<MutantClaim> claims)
        implements LockProvider {

    private static final int RENEWAL_BATCH = 100;

    static MutantProvider over(MemoryLockProvider provider, Mutant mutant, Cut cut) {
        mutant.open();
        return new MutantProvider(provider, mutant, cut, ConcurrentHashMap.newKeySet(), ConcurrentHashMap.newKeySet());
    }

    @Override
    public LockCapabilities capabilities() {
        return mutant.declared(delegate.capabilities());
    }

    @Override
    public int renewalBatch() {
        return RENEWAL_BATCH;
    }

    @Override
    public Claim newClaim(ClaimRequest request, ClaimSignals signals) {
        MutantClaim claim = new MutantClaim(this, request, signals);
        claims.add(claim);
        Claims.made(claim);
        return claim;
    }

    @Override
    public List<Renewal> renewAll(List<Claim> all) {
        return mutant.renewAll(all.stream().map(MutantClaim.class::cast).toList());
    }

    @Override
    public Optional<LockHolder> holder(String name) {
        cut.check();
        return mutant.holder(this, name);
    }

    @Override
    public long highestToken() {
        return mutant.highestToken(this);
    }

    @Override
    public void raiseTokens(long above) {
        mutant.raiseTokens(this, above);
    }

    @Override
    public void close() {
        mutant.close(this);
        delegate.close();
    }
}
