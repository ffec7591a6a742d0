package io.holdfast.wrong.memory;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.LockCapabilities;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.ReleaseFeed;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.wrong.memory.PlainLock.Session;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The side of the client. Right, as long as no step is overridden. Thread-safe. */
class MemoryProvider implements LockProvider {

    final PlainStore store;

    /** The names that the feed is subscribed to. */
    final Set<String> names = Collections.synchronizedSet(new LinkedHashSet<>());

    volatile Session session = new Session();
    volatile boolean closed;
    private volatile ReleaseFeed.@Nullable Listener listener;

    MemoryProvider(PlainStore store) {
        this.store = store;
    }

    /** Each request comes by here. */
    void reach() {
        if (closed) {
            throw new LockStoreException("The provider is closed");
        }
        if (store.down) {
            throw new LockStoreException("The store does not answer");
        }
        store.hear(this);
    }

    @Override
    public LockCapabilities capabilities() {
        return store.traits.capabilities();
    }

    @Override
    public Claim newClaim(ClaimRequest request, ClaimSignals signals) {
        return new PlainClaim(this, request, signals);
    }

    /**
     * Once it is granted a claim with a short lease, the client seems dead between its calls: the kit plays a dead holder by
     * calling it no more.
     */
    Attempt attempt(PlainClaim claim) {
        reach();
        Attempt answer = store.attempt(claim);
        if (answer instanceof Attempt.Granted && claim.lease().compareTo(PlainStore.SESSION) <= 0) {
            session.mortal.add(claim);
        }
        return answer;
    }

    Renewal renew(PlainClaim claim) {
        reach();
        return store.renew(claim);
    }

    Release release(PlainClaim claim) {
        reach();
        Release answer = store.release(claim);
        session.mortal.remove(claim);
        return answer;
    }

    @Override
    public Optional<LockHolder> holder(String name) {
        DistributedLock.requireValidName(name);
        reach();
        return store.holder(name);
    }

    @Override
    public long highestToken() {
        reach();
        return store.highestToken();
    }

    @Override
    public void raiseTokens(long above) {
        reach();
        store.raiseTokens(above);
    }

    @Override
    public int renewalBatch() {
        return store.renewalBatch();
    }

    @Override
    public List<Renewal> renewAll(List<Claim> claims) {
        if (renewalBatch() == 1) {
            return LockProvider.super.renewAll(claims);
        }
        reach();
        return store.renewAll(claims.stream().map(PlainClaim.class::cast).toList());
    }

    @Override
    public Optional<ReleaseFeed> releases(ReleaseFeed.Listener reports) {
        if (store.traits != Traits.FEED) {
            return Optional.empty();
        }
        listener = reports;
        return Optional.of(new ReleaseFeed() {
            @Override
            public void subscribe(String name) {
                MemoryProvider.this.subscribe(name);
            }

            @Override
            public void unsubscribe(String name) {
                MemoryProvider.this.unsubscribe(name);
            }
        });
    }

    void subscribe(String name) {
        names.add(name);
        ReleaseFeed.Listener reports = listener;
        if (reports != null && isConnected() && !closed) {
            reports.listening(name);
        }
    }

    /** Whether messages of the store arrive. */
    boolean isConnected() {
        return !store.down;
    }

    void unsubscribe(String name) {
        names.remove(name);
    }

    /** A message of the store has arrived. */
    void deliver(String name) {
        ReleaseFeed.Listener reports = listener;
        if (reports != null && names.contains(name)) {
            reports.released(name);
        }
    }

    /** The connection broke. */
    void breakOff() {
        ReleaseFeed.Listener reports = listener;
        if (reports != null) {
            List.copyOf(names).forEach(reports::interrupted);
        }
    }

    /** The connection is back. */
    void comeBack() {
        ReleaseFeed.Listener reports = listener;
        if (reports != null) {
            List.copyOf(names).forEach(reports::listening);
        }
    }

    /** The store has ended the session; these claims were granted in it. */
    void sessionEnded(List<PlainClaim> granted) {
        granted.forEach(claim -> claim.signals.lost(LossCause.SESSION_ENDED));
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            store.leave(this);
        }
    }
}
