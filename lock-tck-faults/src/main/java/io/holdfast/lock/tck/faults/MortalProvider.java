package io.holdfast.lock.tck.faults;

import io.holdfast.lock.LockCapabilities;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.ReleaseFeed;
import io.holdfast.lock.spi.Renewal;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * A provider that appears dead to its server between calls, while it has claims with the kit's short lease.
 *
 * <p>The kit plays a dead holder by calling it no more. A client with a session would keep that alive, as it should, so its
 * heartbeats are kept from the store between the calls.
 */
public final class MortalProvider implements LockProvider {

    private static final int TRIES = 5;

    private final LockProvider provider;
    private final Lifeline lifeline;
    private final Duration shortLease;
    private final Death death;
    private final Predicate<String> revives;
    private final Set<Claim> mortal = new HashSet<>();
    private int calls;
    private boolean dead;
    private boolean cutOff;
    private final CountDownLatch never = new CountDownLatch(1);

    /** From when on the session ends unless calls of the claim keep it alive. */
    public enum Death {
        /** From its first attempt on. */
        AFTER_ITS_FIRST_ATTEMPT,
        /** From its grant on: for clients, which wait without calls. */
        AFTER_ITS_GRANT
    }

    /**
     * Wraps a provider.
     *
     * @param provider the provider, closed with this
     * @param lifeline by which the store hears of this provider and of no other, closed with this
     * @param shortLease the longest lease of a claim that dies
     * @param death from when on such a claim needs calls
     */
    public MortalProvider(LockProvider provider, Lifeline lifeline, Duration shortLease, Death death) {
        this(provider, lifeline, shortLease, death, name -> true);
    }

    /**
     * Wraps a provider some of whose claims another client renews, where the kit cannot stop it.
     *
     * @param provider the provider, closed with this
     * @param lifeline by which the store hears of this provider and of no other, closed with this
     * @param shortLease the longest lease of a claim that dies
     * @param death from when on such a claim needs calls
     * @param revives whether renewals for a name show that the client lives; those of others do not reach the store while it is
     *     dead, and are answered all the same
     */
    public MortalProvider(
            LockProvider provider, Lifeline lifeline, Duration shortLease, Death death, Predicate<String> revives) {
        this.revives = revives;
        this.provider = provider;
        this.lifeline = lifeline;
        this.shortLease = shortLease;
        this.death = death;
    }

    @Override
    public LockCapabilities capabilities() {
        return provider.capabilities();
    }

    @Override
    public int renewalBatch() {
        return provider.renewalBatch();
    }

    @Override
    public Object renewalGroup(Claim claim) {
        return provider.renewalGroup(((MortalClaim) claim).claim);
    }

    @Override
    public Claim newClaim(ClaimRequest request, ClaimSignals signals) {
        return new MortalClaim(
                provider.newClaim(request, signals),
                request.leaseTime().compareTo(shortLease) <= 0,
                revives.test(request.name()));
    }

    @Override
    public Optional<LockHolder> holder(String name) {
        return alive(() -> provider.holder(name));
    }

    @Override
    public List<Renewal> renewAll(List<Claim> claims) {
        if (!((MortalClaim) claims.get(0)).revives && isDead()) {
            return claims.stream().map(claim -> unsent()).toList();
        }
        return alive(() -> provider.renewAll(
                claims.stream().map(claim -> ((MortalClaim) claim).claim).toList()));
    }

    @Override
    public long highestToken() {
        return alive(provider::highestToken);
    }

    @Override
    public void raiseTokens(long above) {
        long unused = alive(() -> {
            provider.raiseTokens(above);
            return above;
        });
    }

    @Override
    public void raiseTokens(String name, long above) {
        long unused = alive(() -> {
            provider.raiseTokens(name, above);
            return above;
        });
    }

    @Override
    public Optional<ReleaseFeed> releases(ReleaseFeed.Listener listener) {
        return provider.releases(listener);
    }

    private <T> T alive(Supplier<T> call) {
        boolean wasDead = begin();
        try {
            return wasDead ? afterDeath(call) : call.get();
        } finally {
            end();
        }
    }

    /**
     * Retries: the server may have closed the connection meanwhile, so that the outcome of the first request is unknown.
     */
    private static <T> T afterDeath(Supplier<T> call) {
        for (int tries = 1; ; tries++) {
            try {
                return call.get();
            } catch (LockStoreException unknown) {
                if (tries == TRIES) {
                    throw unknown;
                }
            }
        }
    }

    private synchronized boolean isDead() {
        return dead;
    }

    /**
     * As if it had been sent: only the kit thinks that the client is dead, and a lock that it cannot see must not be lost before
     * its own.
     */
    private Renewal unsent() {
        return new Renewal.Held(shortLease);
    }

    /**
     * Ends the session of this provider: nothing that it sends arrives for so long that the server gives it up.
     *
     * @param life how long the server may take
     */
    public void endSession(Duration life) {
        cutOff(true);
        try {
            boolean unused = never.await(life.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while a session ended", stop);
        } finally {
            cutOff(false);
            lifeline.reset();
        }
    }

    private synchronized void cutOff(boolean now) {
        cutOff = now;
        if (now) {
            lifeline.cut();
        } else {
            lifeline.restore();
        }
    }

    private synchronized boolean begin() {
        calls++;
        boolean wasDead = dead;
        dead = false;
        if (!cutOff) {
            lifeline.restore();
        }
        return wasDead;
    }

    private synchronized void end() {
        calls--;
        if (calls == 0 && !mortal.isEmpty()) {
            dead = true;
            lifeline.cut();
        }
    }

    private synchronized void becomesMortal(Claim claim) {
        mortal.add(claim);
    }

    private synchronized void isGone(Claim claim) {
        mortal.remove(claim);
    }

    @Override
    public void close() {
        boolean unused = begin();
        provider.close();
        lifeline.close();
    }

    private final class MortalClaim implements Claim {
        private final Claim claim;
        private final boolean shortLived;
        private final boolean revives;

        MortalClaim(Claim claim, boolean shortLived, boolean revives) {
            this.claim = claim;
            this.shortLived = shortLived;
            this.revives = revives;
        }

        @Override
        public Attempt attempt() {
            return attemptFor(1);
        }

        /** Of any claim: only a client that lives makes one. */
        @Override
        public Attempt attemptFor(int tokens) {
            return alive(() -> {
                Attempt attempt = claim.attemptFor(tokens);
                if (shortLived && (death == Death.AFTER_ITS_FIRST_ATTEMPT || attempt instanceof Attempt.Granted)) {
                    becomesMortal(this);
                }
                return attempt;
            });
        }

        @Override
        public Renewal renew() {
            return !revives && isDead() ? unsent() : alive(claim::renew);
        }

        @Override
        public Release release() {
            // Also of a claim that does not revive it: a client that is closed lives.
            return alive(() -> {
                Release release = claim.release();
                isGone(this);
                return release;
            });
        }
    }
}
