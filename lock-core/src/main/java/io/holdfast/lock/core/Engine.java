package io.holdfast.lock.core;

import io.holdfast.lock.LockCapabilities.Reentrancy;
import io.holdfast.lock.LockClientClosedException;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.spi.ClientSettings;
import io.holdfast.lock.spi.LockProvider;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** The parts of one client that its acquires and holds work with. */
final class Engine {

    private final LockProvider provider;
    private final ClientIdentity identity;
    private final EngineRuntime runtime;
    private final StoreCalls storeCalls;
    private final EventDispatcher events;
    private final LeaseKeeper keeper;
    private final AbandonedClaims abandoned;
    private final HoldTable holds = new HoldTable();
    private final Contenders contenders = new Contenders();
    private final Set<ReleaseUnderWay> releases = ConcurrentHashMap.newKeySet();
    private final Set<Acquisition> acquisitions = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    Engine(LockProvider provider, ClientSettings settings, ClientIdentity identity, EngineRuntime runtime) {
        this.provider = provider;
        this.identity = identity;
        this.runtime = runtime.patient();
        this.storeCalls = new StoreCalls(this.runtime.callsOfVirtualThreads());
        this.events = new EventDispatcher(settings.listeners(), this.runtime.callbacks());
        this.keeper = new LeaseKeeper(provider, storeCalls, this.runtime, events);
        this.abandoned =
                new AbandonedClaims(this.runtime, provider.capabilities().leaseControl());
    }

    LockProvider provider() {
        return provider;
    }

    ClientIdentity identity() {
        return identity;
    }

    EngineRuntime runtime() {
        return runtime;
    }

    StoreCalls storeCalls() {
        return storeCalls;
    }

    EventDispatcher events() {
        return events;
    }

    LeaseKeeper keeper() {
        return keeper;
    }

    AbandonedClaims abandoned() {
        return abandoned;
    }

    HoldTable holds() {
        return holds;
    }

    Contenders contenders() {
        return contenders;
    }

    /** The acquires that are not finished. */
    Set<Acquisition> acquisitions() {
        return acquisitions;
    }

    long now() {
        return runtime.ticker().nanos();
    }

    boolean isClosed() {
        return closed;
    }

    void markClosed() {
        closed = true;
    }

    LockClientClosedException closedException() {
        return new LockClientClosedException("The lock client " + identity.shortId() + " is closed");
    }

    void requireOpen() {
        if (closed) {
            throw closedException();
        }
    }

    /**
     * Takes in a fresh hold and returns its first handle. Where its owner has a hold of the name already, that one is shared and
     * the fresh claim is given back, if the store may have granted both; else the older one was lost. All claims that are
     * granted together have one token.
     */
    EngineHandle adopt(Hold fresh, long grantedAt) {
        EngineHandle handle = fresh.firstHandle();
        for (Optional<Hold> older = holds.putIfAbsent(fresh); older.isPresent(); older = holds.putIfAbsent(fresh)) {
            if (storeCountsFor(fresh.owner()) && !fresh.isFencedAfter(older.get())) {
                Optional<EngineHandle> shared = older.get().share();
                if (shared.isPresent()) {
                    fresh.undo();
                    return shared.get();
                }
            } else {
                // The store grants a lock to one claim at a time, so it has given up the older one.
                older.get().lose(LossCause.TAKEN_OVER);
            }
            holds.remove(older.get());
        }
        try {
            keepWatching(fresh, grantedAt);
            events.emit(listener -> listener.acquired(fresh.event()));
        } catch (Error broken) {
            // No thread for the timer, say. Nobody will get the handle, so nobody else could end its renewals.
            fresh.discard(handle);
            throw broken;
        }
        if (closed) {
            // Close may have passed over the table before the hold was in it.
            fresh.discard(handle);
            throw closedException();
        }
        return handle;
    }

    /** Whether the store itself lets an owner re-enter, be it from another client. */
    boolean storeCountsFor(OwnerId owner) {
        return owner.sharing() == OwnerId.Sharing.ACROSS_CLIENTS
                && provider.capabilities().reentrancy() == Reentrancy.STORE;
    }

    /** Has the lease of a hold kept. */
    void keepWatching(Hold hold, long leaseFrom) {
        keeper.keep(hold, leaseFrom);
        if (!hold.isInForce()) {
            // It ended before it was kept, and was dropped before that.
            keeper.drop(hold);
        }
    }

    /** A release that an application waits for; equal to itself only, as its future is. */
    private record ReleaseUnderWay(Hold hold, CompletableFuture<Void> done) {}

    /** Runs a release of a hold in a way that the next contender, and the closing of the client, wait for it. */
    <T> T releasing(Hold hold, Supplier<T> release) {
        ReleaseUnderWay underWay = new ReleaseUnderWay(hold, new CompletableFuture<>());
        releases.add(underWay);
        try {
            return release.get();
        } finally {
            releases.remove(underWay);
            underWay.done().complete(null);
        }
    }

    /** The releases that are under way. */
    List<CompletableFuture<Void>> releases() {
        return releases.stream().map(ReleaseUnderWay::done).toList();
    }

    /** When the lease ends that this client is giving back now; empty if it is not giving back that lock, or the lease is over. */
    OptionalLong endOfLeaseBeingReleased(String lockName, long now) {
        return releases.stream()
                .map(ReleaseUnderWay::hold)
                .filter(hold -> hold.key().lockName().equals(lockName) && hold.isReleasing())
                .mapToLong(Hold::deadline)
                .filter(leaseEnd -> leaseEnd - now > 0)
                .findFirst();
    }

    /** Drops a hold that is over. */
    void forget(Hold hold) {
        holds.remove(hold);
        keeper.drop(hold);
    }

    /** Lets the contender of a name, if there is one in this client, bid at once. */
    void wakeContender(String lockName) {
        contenders.first(lockName).ifPresent(Acquisition::wake);
    }
}
