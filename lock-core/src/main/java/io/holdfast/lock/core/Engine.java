package io.holdfast.lock.core;

import io.holdfast.lock.LockClientClosedException;
import io.holdfast.lock.spi.ClientSettings;
import io.holdfast.lock.spi.LockProvider;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

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
    private final Set<Acquisition> acquisitions = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    Engine(LockProvider provider, ClientSettings settings, ClientIdentity identity, EngineRuntime runtime) {
        this.provider = provider;
        this.identity = identity;
        this.runtime = runtime;
        this.storeCalls = new StoreCalls(runtime.callsOfVirtualThreads());
        this.events = new EventDispatcher(settings.listeners(), runtime.callbacks(), runtime.scheduler());
        this.keeper = new LeaseKeeper(provider, storeCalls, runtime, events);
        this.abandoned = new AbandonedClaims(runtime, provider.capabilities().leaseControl());
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
     * Takes in a fresh hold and returns its first handle. Where its owner has a hold of the name already, granted to another of
     * its callers in the meantime, that one is shared and the fresh claim is given back.
     */
    EngineHandle adopt(Hold fresh, long grantedAt) {
        EngineHandle handle = fresh.firstHandle();
        for (Optional<Hold> older = holds.putIfAbsent(fresh); older.isPresent(); older = holds.putIfAbsent(fresh)) {
            Optional<EngineHandle> shared = older.get().share();
            if (shared.isPresent()) {
                fresh.undo();
                return shared.get();
            }
            holds.remove(older.get());
        }
        keeper.keep(fresh, grantedAt);
        if (!fresh.isInForce()) {
            // Lost as soon as it was in the table, and dropped before it was kept.
            keeper.drop(fresh);
        }
        events.emit(listener -> listener.acquired(fresh.event()));
        if (closed) {
            // Close may have passed over the table before the hold was in it.
            fresh.discard(handle);
            throw closedException();
        }
        return handle;
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
