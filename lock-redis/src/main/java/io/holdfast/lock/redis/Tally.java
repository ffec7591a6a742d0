package io.holdfast.lock.redis;

import io.holdfast.lock.LockStoreException;
import java.util.ArrayList;
import java.util.List;

/** What nodes answered to a question that a majority decides: is the claim in force there? Not thread-safe. */
final class Tally {

    private final int size;
    private final List<LockStoreException> failures = new ArrayList<>();
    private int yes;
    private int no;

    Tally(int size) {
        this.size = size;
    }

    void answered(boolean inForce) {
        if (inForce) {
            yes++;
        } else {
            no++;
        }
    }

    void failed(LockStoreException failure) {
        failures.add(failure);
    }

    boolean isYes() {
        return yes >= QuorumAttempt.majorityOf(size);
    }

    /** So many said no, or cannot know of the claim, that no majority can say yes. */
    boolean isNo() {
        return size - no < QuorumAttempt.majorityOf(size);
    }

    /** Whether further answers change nothing. */
    boolean isDecided() {
        return isYes() || isNo() || yes + no + failures.size() == size;
    }

    List<LockStoreException> failures() {
        return failures;
    }
}
