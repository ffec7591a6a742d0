package io.holdfast.lock.tck;

import io.holdfast.lock.LockCapabilities;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/** A provider whose calls travel through the faults of its store. */
record DistantProvider(FaultyStore store, LockProvider provider, AtomicBoolean connected, Set<String> names)
        implements LockProvider {

    static DistantProvider of(LockProvider provider) {
        return provider instanceof FlawedProvider flawed
                ? (DistantProvider) flawed.provider()
                : (DistantProvider) provider;
    }

    int outages() {
        return store.outages();
    }

    boolean hasLostData() {
        return store.hasLostData();
    }

    boolean losesReplies() {
        return store.losesReplies();
    }

    boolean isDown() {
        return store.isDown();
    }

    int endedSessions() {
        return store.endedSessions();
    }

    @Override
    public LockCapabilities capabilities() {
        return provider.capabilities();
    }

    @Override
    public Claim newClaim(ClaimRequest request, ClaimSignals signals) {
        Claim claim = provider.newClaim(request, signals);
        return new Claim() {
            @Override
            public Attempt attempt() {
                store.knows(request.name(), request.leaseTime());
                Attempt answer = store.carry(connected, claim::attempt);
                // The end of a session takes away only what it holds.
                if (answer instanceof Attempt.Granted) {
                    names.add(request.name());
                }
                return answer;
            }

            @Override
            public Renewal renew() {
                return store.carry(connected, claim::renew);
            }

            @Override
            public Release release() {
                names.remove(request.name());
                return store.carry(connected, claim::release);
            }
        };
    }

    @Override
    public Optional<LockHolder> holder(String name) {
        return store.carry(connected, () -> provider.holder(name));
    }

    @Override
    public long highestToken() {
        return store.carry(connected, provider::highestToken);
    }

    @Override
    public void raiseTokens(long above) {
        long unused = store.carry(connected, () -> {
            provider.raiseTokens(above);
            return above;
        });
    }

    @Override
    public void close() {
        provider.close();
    }
}
