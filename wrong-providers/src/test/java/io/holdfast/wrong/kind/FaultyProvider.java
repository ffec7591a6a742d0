package io.holdfast.wrong.kind;

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
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The in-memory provider with one fault of {@link FaultOfAKind}. */
final class FaultyProvider implements LockProvider {

    final MemoryLockProvider delegate;
    final FaultOfAKind fault;
    final Store store;
    final Queue<String> names = new ConcurrentLinkedQueue<>();
    final AtomicInteger errors = new AtomicInteger();

    FaultyProvider(MemoryLockProvider delegate, FaultOfAKind fault, Store store) {
        this.delegate = delegate;
        this.fault = fault;
        this.store = store;
    }

    /** What all providers of one store have in common. */
    static final class Store {
        final Queue<FaultyClaim> claims = new ConcurrentLinkedQueue<>();
        final Cut cut = new Cut();
        volatile long latestToken;
        volatile @Nullable FaultyProvider lastClient;
        volatile long lastGrantAt;

        /** The claims that were granted and have not released. */
        Stream<FaultyClaim> holders() {
            return claims.stream().filter(claim -> claim.granted && !claim.released);
        }

        /** The claims that were refused and have not left. */
        Stream<FaultyClaim> waiters() {
            return claims.stream().filter(claim -> claim.refused && !claim.granted && !claim.released);
        }
    }

    @Override
    public LockCapabilities capabilities() {
        return fault.declared(delegate.capabilities());
    }

    @Override
    public int renewalBatch() {
        return fault.batch();
    }

    @Override
    public Claim newClaim(ClaimRequest request, ClaimSignals signals) {
        FaultyClaim claim = new FaultyClaim(this, request, signals);
        store.claims.add(claim);
        return claim;
    }

    @Override
    public List<Renewal> renewAll(List<Claim> claims) {
        return fault.renewAll(claims.stream().map(FaultyClaim.class::cast).toList());
    }

    @Override
    public Optional<LockHolder> holder(String name) {
        store.cut.check();
        return fault.holder(this, name);
    }

    @Override
    public long highestToken() {
        store.cut.check();
        return fault.highestToken(this);
    }

    @Override
    public void raiseTokens(long above) {
        fault.raiseTokens(this, above);
    }

    @Override
    public void close() {
        delegate.close();
    }
}
