package io.holdfast.lock.core.claim;

import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/** A provider's claim that is called serially, as the SPI promises, by the acquire, the hold, the lease keeper and the reaper. */
public final class SerialClaim {

    private final StoreCalls calls;
    private final ClaimRequest request;
    private final Claim claim;
    private final ReentrantLock inUse = new ReentrantLock();

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
        inUse.lock();
        try {
            return action.get();
        } finally {
            inUse.unlock();
        }
    }

    /** Reserves the claim if no call is under way; {@link #unlock()} must follow. */
    public boolean tryLock() {
        return inUse.tryLock();
    }

    /** Ends what {@link #tryLock()} began. */
    public void unlock() {
        inUse.unlock();
    }

    /** The provider's claim. Its methods may be called only while it is reserved. */
    public Claim unguarded() {
        return claim;
    }
}
