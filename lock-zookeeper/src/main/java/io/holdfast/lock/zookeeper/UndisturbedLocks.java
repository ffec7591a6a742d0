package io.holdfast.lock.zookeeper;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalInt;

/**
 * Which locks nobody but this client seems to use: those whose claims below one node were all its own, one after the other.
 * Thread-safe.
 *
 * <p>The claim for such a lock is created by a transaction that also counts the nodes ({@link Session#createAndCount}). That has
 * to write the lock's node, by its version, so for a lock that several clients use it would fail whenever another one has written
 * since. It never writes a node that has data: that is somebody's.
 *
 * <p>This is a guess, and no more: the transaction fails, or its answer tells how many nodes there are.
 */
final class UndisturbedLocks {

    /** So many locks are remembered: those used last. */
    private static final int MOST = 1_000;

    private static final int UNKNOWN = -1;

    private final Map<String, Last> locks = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Last> eldest) {
            return size() > MOST;
        }
    };

    private boolean mayNotWrite;

    /**
     * The last claim of this client.
     *
     * @param sequence the number of its node
     * @param version that of the lock's node after it, if the claim before it was this client's, too
     */
    private record Last(int sequence, int version) {}

    /** The version of a lock's node, if it is one of those. */
    synchronized OptionalInt version(String lock) {
        Last last = mayNotWrite ? null : locks.get(lock);
        return last == null || last.version == UNKNOWN ? OptionalInt.empty() : OptionalInt.of(last.version);
    }

    /** Takes in what a claim saw that has just created its node. */
    synchronized void learn(String lock, String node, OptionalInt version) {
        if (version.isEmpty()) {
            locks.remove(lock);
            return;
        }
        int sequence = ClaimQueue.number(node);
        Last before = locks.get(lock);
        boolean isNext = before != null && sequence == before.sequence + 1;
        locks.put(lock, new Last(sequence, isNext ? version.getAsInt() : UNKNOWN));
    }

    /** The lock's node had another version, or was missing. */
    synchronized void forget(String lock) {
        locks.remove(lock);
    }

    /** The client may not write the nodes of locks, or not all of them. It is not tried again. */
    synchronized void giveUp() {
        mayNotWrite = true;
        locks.clear();
    }
}
