package io.holdfast.lock.redis;

import io.holdfast.lock.LockStoreException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** What nodes answered to a question that a majority decides: is the claim in force there? Not thread-safe. */
final class Tally {

    private final int size;
    private final List<LockStoreException> failures = new ArrayList<>();
    /** The nodes that have granted the claim, as far as known, and have not said that it is gone. */
    private final BitSet believed;

    private int yes;
    private int no;

    /**
     * Creates it.
     *
     * @param size how many nodes there are
     * @param granted those that have granted the claim, as far as known
     */
    Tally(int size, BitSet granted) {
        this.size = size;
        this.believed = (BitSet) granted.clone();
    }

    void answered(int node, boolean inForce) {
        if (inForce) {
            yes++;
        } else {
            no++;
            believed.clear(node);
        }
    }

    void failed(LockStoreException failure) {
        failures.add(failure);
    }

    boolean isYes() {
        return isMajority(yes);
    }

    /** Too few nodes are left that may say yes. */
    boolean isNo() {
        return !isMajority(size - no);
    }

    /**
     * Whether the claim was in force, as far as can be known, and a majority has answered. The nodes that are down then have
     * granted it and cannot grant it to another claim; those that say no have never granted it.
     */
    boolean isYesWithThoseThatAreDown() {
        return isMajority(yes + no) && isMajority(believed.cardinality());
    }

    private boolean isMajority(int nodes) {
        return nodes >= QuorumAttempt.majorityOf(size);
    }

    /** Whether further answers change nothing. */
    boolean isDecided() {
        return isYes() || isNo() || yes + no + failures.size() == size;
    }

    List<LockStoreException> failures() {
        return failures;
    }
}
