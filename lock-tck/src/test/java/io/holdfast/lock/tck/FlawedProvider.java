package io.holdfast.lock.tck;

import io.holdfast.lock.LockCapabilities;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.core.memory.MemoryLockProvider;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * A provider with a flaw that only a fault shows.
 *
 * @param taken how many connections of a pool are taken, for a flaw of the pool
 */
record FlawedProvider(LockProvider provider, Flaw flaw, MemoryLockProvider operator, AtomicInteger taken)
        implements LockProvider {

    @Override
    public LockCapabilities capabilities() {
        return provider.capabilities();
    }

    @Override
    public Claim newClaim(ClaimRequest request, ClaimSignals signals) {
        return new FlawedClaim(request, signals);
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
        flaw.raiseTokens(this, above);
    }

    @Override
    public void close() {
        flaw.close(this);
    }

    /** A claim of a flawed provider, and what it remembers. */
    final class FlawedClaim implements Claim {
        final ClaimRequest request;
        final long madeAt = Pace.now();
        private final ClaimSignals signals;
        Claim claim;
        boolean failed;
        long token;

        FlawedClaim(ClaimRequest request, ClaimSignals signals) {
            this.request = request;
            this.signals = new ClaimSignals() {
                @Override
                public void mayBeFree() {
                    flaw.mayBeFree(FlawedClaim.this, signals);
                }

                @Override
                public void lost(LossCause cause) {
                    flaw.lost(signals, cause);
                }
            };
            this.claim = provider.newClaim(request, this.signals);
        }

        FlawedProvider owner() {
            return FlawedProvider.this;
        }

        /** From now on the store sees another claim. */
        void replace() {
            replace(request.leaseTime());
        }

        /** From now on the store sees another claim, with another lease. */
        void replace(Duration lease) {
            claim = provider.newClaim(
                    new ClaimRequest(
                            request.name(),
                            UUID.randomUUID().toString(),
                            request.ownerId(),
                            lease,
                            request.intent(),
                            request.claimant()),
                    signals);
        }

        private <T> T remembering(Supplier<T> call) {
            try {
                return call.get();
            } catch (LockStoreException failure) {
                failed = true;
                throw failure;
            }
        }

        @Override
        public Attempt attempt() {
            return remembering(() -> flaw.attempt(this));
        }

        @Override
        public Renewal renew() {
            return remembering(() -> flaw.renew(this));
        }

        @Override
        public Release release() {
            return remembering(() -> flaw.release(this));
        }
    }
}
