package io.holdfast.examples.demo;

import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LockCapabilities;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.ConnectionParameters;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.LockProviderFactory;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** A broken store: it grants every claim at once, always with the same token. The demo must notice. */
public final class GrantsEveryone implements LockProviderFactory, LockProvider {
    static final String SCHEME = "grants-everyone";

    @Override
    public Set<String> schemes() {
        return Set.of(SCHEME);
    }

    @Override
    public LockProvider create(URI uri, ConnectionParameters parameters) {
        return this;
    }

    @Override
    public LockCapabilities capabilities() {
        return LockCapabilities.BASIC.withFencing(LockCapabilities.Fencing.VOLATILE);
    }

    @Override
    public Claim newClaim(ClaimRequest request, ClaimSignals signals) {
        return new Granted(request.leaseTime());
    }

    @Override
    public Optional<LockHolder> holder(String name) {
        return Optional.empty();
    }

    @Override
    public void close() {
        // It has nothing to close.
    }

    private record Granted(Duration lease) implements Claim {

        @Override
        public Attempt attempt() {
            return new Attempt.Granted(new FencingToken(1), lease);
        }

        @Override
        public Renewal renew() {
            return new Renewal.Held(lease);
        }

        @Override
        public Release release() {
            return Release.RELEASED;
        }
    }
}
