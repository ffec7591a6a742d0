package io.holdfast.lock.core.claim;

import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * A provider's claim that is called serially, as the SPI promises, by the acquire, the hold, the lease keeper and the reaper. Who
 * wants no wait reserves it by {@link #tryLock()}.
 */
public final class SerialClaim {

    private final ReentrantLock mutex = new ReentrantLock();
    private final StoreCalls calls;
    private final ClaimRequest request;
    private final Claim claim;

    /** Wraps a fresh claim. */
    public SerialClaim(StoreCalls calls, ClaimRequest request, Claim claim) {
        this.calls = calls;
        this.request = request;
        this.claim = claim;
    }

    public ClaimRequest request() {
        return request;
    }

    public String lockName() {
        return request.name();
    }

    /** Asks the store for the lock, and for so many tokens. */
    public Attempt attemptFor(int tokens) {
        return exclusively(() -> calls.run("acquire", lockName(), () -> claim.attemptFor(tokens)));
    }

    /** Asks the store to prolong the lease; an unknown outcome is thrown. */
    public Renewal renew() {
        Renewal answer = exclusively(() -> calls.run("renew", lockName(), claim::renew));
        if (answer instanceof Renewal.Unknown unknown) {
            throw unknown.failure();
        }
        return answer;
    }

    /** Asks the store to free the lock, or to forget the request for it. */
    public Release release() {
        return exclusively(() -> calls.run("release", lockName(), claim::release));
    }

    /** Runs an action that no other call of the claim may interrupt. Waits for a call that is under way. */
    public <T> T exclusively(Supplier<T> action) {
        mutex.lock();
        try {
            return action.get();
        } finally {
            mutex.unlock();
        }
    }

    /** Reserves the claim for this thread, until {@link #unlock()}, unless a call of another thread is under way. */
    public boolean tryLock() {
        return mutex.tryLock();
    }

    public void unlock() {
        mutex.unlock();
    }

    /**
     * The provider's claim. Its methods may be called only while it is locked; the provider may be asked for its group at any
     * time.
     */
    public Claim unguarded() {
        return claim;
    }
}
