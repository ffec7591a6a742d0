package io.holdfast.lock.core.local;

import io.holdfast.lock.LockCapabilities.Reentrancy;
import io.holdfast.lock.LockClientClosedException;
import io.holdfast.lock.core.claim.OwnerId;
import io.holdfast.lock.core.hold.Services;
import io.holdfast.lock.core.wakeup.WakeUps;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;

/** The locks of one client by name. A lock is here for as long as somebody in this client waits for it or holds it. */
public final class LocalLocks {

    private final Services services;
    private final WakeUps wakeUps;
    private final WaitPolicy policy;
    private final StoreSteps steps;
    private final ConcurrentHashMap<String, LocalLock> locks = new ConcurrentHashMap<>();
    private volatile boolean closed;

    /** Creates the locks of an open client. */
    public LocalLocks(Services services) {
        this.services = services;
        this.wakeUps = new WakeUps(services.provider(), services.runtime(), this::wakeUp);
        this.policy = new WaitPolicy(services.provider().capabilities(), wakeUps.reachesAllWaiters());
        this.steps = new StoreSteps(services, this);
    }

    /**
     * Begins an acquire. Successive calls of one thread wait in their order.
     *
     * @param executor runs the calls to the store
     */
    public Waiter acquire(LockRequest request, Executor executor) {
        while (true) {
            LocalLock lock = locks.computeIfAbsent(request.lockName(), name -> new LocalLock(this, services, name));
            Waiter waiter = new Waiter(services, lock, request, executor);
            if (lock.acquire(waiter)) {
                return waiter;
            }
            drop(lock);
        }
    }

    void drop(LocalLock lock) {
        locks.remove(lock.name(), lock);
    }

    /** A lock may be free: its waiters in this client ask the store. */
    void wakeUp(String name) {
        LocalLock lock = locks.get(name);
        if (lock != null) {
            lock.wakeUp();
        }
    }

    WakeUps wakeUps() {
        return wakeUps;
    }

    WaitPolicy policy() {
        return policy;
    }

    StoreSteps steps() {
        return steps;
    }

    /** The longest sleep of a waiter that has no answer of the store to go by. */
    long longestPause() {
        return RetryPauses.longest(services.provider().capabilities().wakeUp()).toNanos();
    }

    /** Whether the store itself lets an owner re-enter, also from another client. */
    boolean storeCountsHoldsOf(OwnerId owner) {
        return owner.sharing() == OwnerId.Sharing.ACROSS_CLIENTS
                && services.provider().capabilities().reentrancy() == Reentrancy.STORE;
    }

    /** Whether nobody in this client waits for a lock or holds one. */
    public boolean isIdle() {
        return locks.isEmpty();
    }

    public boolean isClosed() {
        return closed;
    }

    LockClientClosedException closedException() {
        return new LockClientClosedException(
                "The lock client " + services.identity().shortId() + " is closed");
    }

    /** Throws {@link LockClientClosedException} after {@link #close()}. */
    public void requireOpen() {
        if (closed) {
            throw closedException();
        }
    }

    /** Ends every wait and every hold. Returns what is still under way. */
    public List<CompletableFuture<?>> close() {
        closed = true;
        return locks.values().stream().flatMap(lock -> lock.close().stream()).toList();
    }
}
