package io.holdfast.lock.tck;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Claims that wait for one lock, each behind the one before. They ask again when the store has told them to, as the engine does:
 * a store may take one that does not for dead. Used by one thread.
 */
final class WaitingLine {

    /** No claim asks more often, however soon it is told to: a slow store would be asked without end. */
    private static final Duration SELDOM = Duration.ofSeconds(1);

    private final List<DrivenClaim> claims = new ArrayList<>();

    /** Adds a claim, which finds the lock held. */
    void add(DrivenClaim claim) {
        claims.add(claim);
        mustWait(claims.size() - 1, "the lock is held");
    }

    int length() {
        return claims.size();
    }

    DrivenClaim at(int place) {
        return claims.get(place);
    }

    DrivenClaim remove(int place) {
        return claims.remove(place);
    }

    /** Has a claim attempt, which must be contended. */
    void mustWait(int place, String because) {
        claims.get(place).mustBeContended(because);
    }

    /** Has those attempt, from a place on, that were told to by now. Somebody holds the lock. */
    void askAgain(int from) {
        for (int place = from; place < claims.size(); place++) {
            Duration waited = Pace.since(claims.get(place).calledAt());
            if (waited.compareTo(claims.get(place).asksAgainAfter()) > 0 && waited.compareTo(SELDOM) > 0) {
                mustWait(place, "the lock is held");
            }
        }
    }
}
