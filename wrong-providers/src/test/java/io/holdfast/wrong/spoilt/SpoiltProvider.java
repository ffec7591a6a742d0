package io.holdfast.wrong.spoilt;

import io.holdfast.lock.LockCapabilities;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.core.memory.MemoryLockProvider;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.wrong.Cut;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** The in-memory provider with one fault. */
final class SpoiltProvider implements LockProvider {

    final MemoryLockProvider delegate;
    final Spoilt fault;
    final Cut cut;
    /** What the provider remembers on its own, by the names of locks or by whatever the fault needs. */
    final Map<String, Object> memory = new ConcurrentHashMap<>();

    final Queue<SpoiltClaim> claims = new ConcurrentLinkedQueue<>();
    final AtomicInteger calls = new AtomicInteger();
    volatile boolean closed;

    SpoiltProvider(MemoryLockProvider delegate, Spoilt fault, Cut cut) {
        this.delegate = delegate;
        this.fault = fault;
        this.cut = cut;
        fault.open(this);
    }

    @Override
    public LockCapabilities capabilities() {
        return fault.declared(delegate.capabilities());
    }

    @Override
    public Claim newClaim(ClaimRequest request, ClaimSignals signals) {
        SpoiltClaim claim = new SpoiltClaim(this, request, signals);
        fault.made(claim);
        return claim;
    }

    @Override
    public Optional<LockHolder> holder(String name) {
        cut.check();
        return fault.holder(this, name);
    }

    @Override
    public long highestToken() {
        return fault.highestToken(this);
    }

    @Override
    public void raiseTokens(long above) {
        fault.raiseTokens(this, above);
    }

    @Override
    public void close() {
        closed = true;
        fault.close(this);
    }
}
