package io.holdfast.lock.zookeeper;

import io.holdfast.lock.spi.ClaimSignals;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.Watcher.Event.KeeperState;

/**
 * Who waits for the end of which node. Thread-safe.
 *
 * <p>A node has one watcher, whoever waits for it: the client keeps a watcher until it fires, so one for each bid that comes and
 * goes behind a long-lived holder would pile up.
 */
final class PredecessorWatches {

    // Both guarded by this.
    private final Map<String, Watch> watches = new HashMap<>();
    private final Map<ClaimSignals, Watch> waitedFor = new HashMap<>();

    /** Has a claim told of the end of a node. The watch has to be sent with the next read of the node. */
    synchronized Watch add(String path, ClaimSignals claim) {
        remove(claim);
        Watch watch = watches.computeIfAbsent(path, Watch::new);
        watch.waiting.add(claim);
        waitedFor.put(claim, watch);
        return watch;
    }

    /** A claim waits no longer. */
    synchronized void remove(ClaimSignals claim) {
        Watch watch = waitedFor.remove(claim);
        if (watch != null) {
            watch.waiting.remove(claim);
            if (watch.waiting.isEmpty() && !watch.armed) {
                watches.remove(watch.path, watch);
            }
        }
    }

    /** Whether a claim is still going to be told. */
    synchronized boolean isWaiting(ClaimSignals claim) {
        Watch watch = waitedFor.get(claim);
        return watch != null && watch.armed;
    }

    /** How many nodes are watched, or about to be. */
    synchronized int size() {
        return watches.size();
    }

    /** How many nodes are watched for certain. */
    synchronized long armed() {
        return watches.values().stream().filter(watch -> watch.armed).count();
    }

    private synchronized Set<ClaimSignals> end(Watch watch) {
        watches.remove(watch.path, watch);
        Set<ClaimSignals> told = Set.copyOf(watch.waiting);
        told.forEach(this::remove);
        return told;
    }

    private synchronized void arm(Watch watch) {
        watch.armed = true;
    }

    /** The one watcher of a node. */
    final class Watch implements Watcher {
        private final String path;
        private final Set<ClaimSignals> waiting = new HashSet<>();
        private boolean armed;

        Watch(String path) {
            this.path = path;
        }

        /** The client has it now: the read that it was sent with found the node. */
        void arm() {
            PredecessorWatches.this.arm(this);
        }

        /**
         * Any change will do, as it uses up the watch. A lost connection does not: the client sets its watches again when it is
         * back. With the session, the bids of those who wait are gone as well: they have to come again.
         */
        @Override
        public void process(WatchedEvent event) {
            boolean stands = event.getType() == EventType.None
                    && event.getState() != KeeperState.Expired
                    && event.getState() != KeeperState.Closed;
            if (!stands) {
                end(this).forEach(Herald::mayBeFree);
            }
        }
    }
}
