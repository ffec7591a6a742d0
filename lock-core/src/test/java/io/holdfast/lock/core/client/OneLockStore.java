package io.holdfast.lock.core.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LockCapabilities;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The smallest store: one lock, no queue, no expiry. A model checker tries the orders of all steps, so each step outside the
 * engine costs time. It records calls that an engine must never make.
 */
final class OneLockStore implements LockProvider {

    static final Duration LEASE = Duration.ofSeconds(30);

    private static final OneClaim STRANGER = new OneClaim(null, null);

    // Guarded by the monitor.
    private final List<OneClaim> waiting = new ArrayList<>();
    private final List<String> wrongs = new ArrayList<>();
    private @Nullable OneClaim holder;
    private int grants;
    private int tokens;
    private int releases;
    private int renewals;

    @Override
    public LockCapabilities capabilities() {
        return LockCapabilities.BASIC.withWakeUp(LockCapabilities.WakeUp.PUSH);
    }

    @Override
    public Claim newClaim(ClaimRequest request, ClaimSignals signals) {
        return new OneClaim(this, signals);
    }

    /** Gives the lock to another process. */
    synchronized void strangerTakes() {
        holder = STRANGER;
    }

    void strangerLeaves() {
        synchronized (this) {
            if (holder != STRANGER) {
                return;
            }
            holder = null;
        }
        wakeWaiters();
    }

    /** Signals that the lock may be free, also if it is not. */
    void wakeWaiters() {
        List<OneClaim> woken;
        synchronized (this) {
            woken = List.copyOf(waiting);
        }
        woken.forEach(claim -> claim.signals.mayBeFree());
    }

    /** Takes the lock from the claim that holds it, and signals the loss. */
    void operatorRemoves() {
        OneClaim loser;
        synchronized (this) {
            if (holder == null || holder == STRANGER) {
                return;
            }
            loser = holder;
            holder = null;
        }
        loser.signals.lost(LossCause.TAKEN_OVER);
    }

    synchronized boolean isTaken() {
        return holder != null;
    }

    synchronized int claimsWaiting() {
        return waiting.size();
    }

    synchronized int grants() {
        return grants;
    }

    synchronized int releases() {
        return releases;
    }

    synchronized int renewals() {
        return renewals;
    }

    /** The wrong calls of the engine. */
    synchronized List<String> wrongs() {
        return List.copyOf(wrongs);
    }

    void assertThatNothingIsLeft() {
        assertThat(wrongs()).isEmpty();
        assertThat(claimsWaiting()).isZero();
    }

    private synchronized Attempt attempt(OneClaim claim, int wanted) {
        if (holder != null && holder != claim) {
            waiting.remove(claim);
            waiting.add(claim);
            return new Attempt.Contended(Optional.empty());
        }
        if (claim.released) {
            wrongs.add("an attempt after the release");
        }
        waiting.remove(claim);
        holder = claim;
        grants++;
        tokens += wanted;
        return new Attempt.Granted(new FencingToken(tokens - wanted + 1), LEASE).withTokens(wanted);
    }

    private synchronized Renewal renew(OneClaim claim) {
        if (claim.released) {
            wrongs.add("a renewal after the release");
        }
        renewals++;
        return holder == claim ? new Renewal.Held(LEASE) : new Renewal.Lost(LossCause.TAKEN_OVER);
    }

    private synchronized Release release(OneClaim claim) {
        releases++;
        claim.released = true;
        waiting.remove(claim);
        if (holder != claim) {
            return Release.NOT_HELD;
        }
        holder = null;
        return Release.RELEASED;
    }

    private synchronized void wrong(String what) {
        wrongs.add(what);
    }

    @Override
    public Optional<LockHolder> holder(String name) {
        return Optional.empty();
    }

    @Override
    public void close() {}

    private static final class OneClaim implements Claim {
        private final OneLockStore store;
        private final ClaimSignals signals;

        /** Guarded by the store's monitor. */
        private boolean released;

        /** Not guarded on purpose: it shows whether the engine calls the claim serially. */
        private volatile boolean called;

        OneClaim(OneLockStore store, ClaimSignals signals) {
            this.store = store;
            this.signals = signals;
        }

        private void begin() {
            if (called) {
                store.wrong("two calls of one claim at once");
            }
            called = true;
        }

        @Override
        public Attempt attempt() {
            return attemptFor(1);
        }

        @Override
        public Attempt attemptFor(int wanted) {
            begin();
            Attempt answer = store.attempt(this, wanted);
            called = false;
            return answer;
        }

        @Override
        public Renewal renew() {
            begin();
            Renewal answer = store.renew(this);
            called = false;
            return answer;
        }

        @Override
        public Release release() {
            begin();
            Release answer = store.release(this);
            called = false;
            return answer;
        }
    }
}
