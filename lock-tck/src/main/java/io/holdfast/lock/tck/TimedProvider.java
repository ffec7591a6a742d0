package io.holdfast.lock.tck;

import io.holdfast.lock.LockCapabilities;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.ReleaseFeed;
import io.holdfast.lock.spi.Renewal;
import java.util.List;
import java.util.Optional;

/**
 * The provider of a client, with a note of how long its calls take: a store that stands still is no better than a machine that
 * does.
 */
final class TimedProvider implements LockProvider {

    private final LockProvider provider;
    private final OpenClaims times;

    TimedProvider(LockProvider provider, OpenClaims times) {
        this.provider = provider;
        this.times = times;
    }

    @Override
    public LockCapabilities capabilities() {
        return provider.capabilities();
    }

    @Override
    public Claim newClaim(ClaimRequest request, ClaimSignals signals) {
        return new TimedClaim(provider.newClaim(request, signals), times);
    }

    private record TimedClaim(Claim claim, OpenClaims times) implements Claim {
        @Override
        public Attempt attempt() {
            return times.timed(claim::attempt);
        }

        @Override
        public Attempt attemptFor(int tokens) {
            return times.timed(() -> claim.attemptFor(tokens));
        }

        @Override
        public Renewal renew() {
            return times.timed(claim::renew);
        }

        @Override
        public Release release() {
            return times.timed(claim::release);
        }
    }

    private static Claim untimed(Claim claim) {
        return ((TimedClaim) claim).claim;
    }

    @Override
    public int renewalBatch() {
        return provider.renewalBatch();
    }

    @Override
    public Object renewalGroup(Claim claim) {
        return provider.renewalGroup(untimed(claim));
    }

    @Override
    public List<Renewal> renewAll(List<Claim> claims) {
        List<Claim> untimed = claims.stream().map(TimedProvider::untimed).toList();
        return times.timed(() -> provider.renewAll(untimed));
    }

    @Override
    public Optional<ReleaseFeed> releases(ReleaseFeed.Listener listener) {
        return provider.releases(listener);
    }

    @Override
    public Optional<LockHolder> holder(String name) {
        return times.timed(() -> provider.holder(name));
    }

    @Override
    public long highestToken() {
        return times.timed(provider::highestToken);
    }

    @Override
    public void raiseTokens(long above) {
        provider.raiseTokens(above);
    }

    @Override
    public void raiseTokens(String name, long above) {
        provider.raiseTokens(name, above);
    }

    @Override
    public void close() {
        provider.close();
    }
}
