package io.holdfast.lock.redisson;

import io.holdfast.lock.LossCause;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimRequest.Claimant;
import io.holdfast.lock.spi.ClaimRequest.Intent;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

/** A claim, what it was told between its calls, and shorthands for its answers. */
final class Bidder implements ClaimSignals {

    static final Duration LEASE = Duration.ofSeconds(30);
    static final Claimant CLAIMANT = new Claimant("höst name", 4711, "thread %1 {a}");

    final String id = UUID.randomUUID().toString();
    final AtomicInteger mayBeFree = new AtomicInteger();
    final Claim claim;

    private Bidder(LockProvider provider, String name, String owner, Duration lease, Intent intent) {
        this.claim = provider.newClaim(new ClaimRequest(name, id, owner, lease, intent, CLAIMANT), this);
    }

    /** Bids once, for an owner of its own. */
    static Bidder once(LockProvider provider, String name) {
        return once(provider, name, LEASE);
    }

    static Bidder once(LockProvider provider, String name, Duration lease) {
        return new Bidder(provider, name, UUID.randomUUID().toString(), lease, Intent.TRY_ONCE);
    }

    static Bidder owned(LockProvider provider, String name, String owner, Duration lease) {
        return new Bidder(provider, name, owner, lease, Intent.TRY_ONCE);
    }

    static Bidder waiting(LockProvider provider, String name) {
        return new Bidder(provider, name, UUID.randomUUID().toString(), LEASE, Intent.WAIT);
    }

    boolean granted() {
        return claim.attempt() instanceof Attempt.Granted;
    }

    /** Bids, and is granted, else fails. */
    long token() {
        return ((Attempt.Granted) claim.attempt()).fencingToken().orElseThrow().value();
    }

    /** Bids, and is refused, else fails. */
    Attempt.Contended refused() {
        return (Attempt.Contended) claim.attempt();
    }

    boolean held() {
        return claim.renew() instanceof Renewal.Held;
    }

    boolean released() {
        return claim.release() == Release.RELEASED;
    }

    @Override
    public void mayBeFree() {
        mayBeFree.incrementAndGet();
    }

    @Override
    public void lost(LossCause cause) {
        throw new AssertionError("Redisson tells nobody of a loss: " + cause);
    }
}
