package io.holdfast.lock.core;

import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/** A claim that one caller at a time talks to, as the SPI promises: its acquire, its hold, the lease keeper or an undoing. */
final class SerialClaim {

    private final StoreCalls calls;
    private final ClaimRequest request;
    private final Claim claim;
    private final ReentrantLock turn = new ReentrantLock();

    SerialClaim(StoreCalls calls, ClaimRequest request, Claim claim) {
        this.calls = calls;
        this.request = request;
        this.claim = claim;
    }

    ClaimRequest request() {
        return request;
    }

    String lockName() {
        return request.name();
    }

    Attempt attempt() {
        return alone(() -> calls.run("acquire", lockName(), claim::attempt));
    }

    Renewal renew() {
        Renewal answer = alone(() -> calls.run("renew", lockName(), claim::renew));
        if (answer instanceof Renewal.Unknown unknown) {
            throw unknown.failure();
        }
        return answer;
    }

    Release release() {
        return alone(() -> calls.run("release", lockName(), claim::release));
    }

    /** Runs something that calls the claim and has to see no other call in between. Waits for its turn. */
    <T> T alone(Supplier<T> action) {
        turn.lock();
        try {
            return action.get();
        } finally {
            turn.unlock();
        }
    }

    /** Takes the turn if nobody has it, for a call that goes through the provider; {@link #endTurn()} must follow. */
    boolean tryBeginTurn() {
        return turn.tryLock();
    }

    void endTurn() {
        turn.unlock();
    }

    /** The claim itself, for a call of the provider within a turn. */
    Claim unguarded() {
        return claim;
    }
}
