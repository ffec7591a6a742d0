package io.holdfast.lock.zookeeper;

import io.holdfast.lock.spi.ClaimSignals;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.jspecify.annotations.Nullable;

/**
 * Who waits for the end of which node. Thread-safe.
 *
 * <p>A node has one watcher, whoever waits for it: the client keeps a watcher until it fires, so one for each bid that comes and
 * goes behind a long-lived holder would pile up. What is left when the provider is closed is taken from the client, which may be the
 * application's, and outlive it.
 */
final class PredecessorWatches implements AutoCloseable {

    // All guarded by this.
    private final Map<String, Watch> watches = new HashMap<>();
    private final Map<ClaimSignals, Watch> waitedFor = new HashMap<>();
    private boolean closed;

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
            if (watch.waiting.isEmpty() && !watch.isArmed()) {
                watches.remove(watch.path, watch);
            }
        }
    }

    /** Whether a claim is still going to be told. */
    synchronized boolean isWaiting(ClaimSignals claim) {
        Watch watch = waitedFor.get(claim);
        return watch != null && watch.isArmed();
    }

    /** How many nodes are watched, or about to be. */
    synchronized int size() {
        return watches.size();
    }

    /** How many nodes are watched for certain. */
    synchronized long armed() {
        return watches.values().stream().filter(Watch::isArmed).count();
    }

    private synchronized Set<ClaimSignals> end(Watch watch) {
        watches.remove(watch.path, watch);
        Set<ClaimSignals> told = Set.copyOf(watch.waiting);
        told.forEach(this::remove);
        return told;
    }

    /** What is armed when the close has looked already is taken from the client at once. */
    private synchronized boolean armed(Watch watch, BiConsumer<String, Watcher> disarming) {
        watch.disarming = disarming;
        return !closed;
    }

    private synchronized Set<Watch> shut() {
        closed = true;
        Set<Watch> left = Set.copyOf(watches.values());
        watches.clear();
        waitedFor.clear();
        left.forEach(watch -> watch.waiting.clear());
        return left;
    }

    /** Has the client drop all that it has of them. Waits for nothing. Nobody is told of anything after that. */
    @Override
    public void close() {
        shut().forEach(Watch::disarm);
    }

    /** The one watcher of a node. */
    final class Watch implements Watcher {
        private final String path;
        private final Set<ClaimSignals> waiting = new HashSet<>();

        /** Takes it from the client that has it; null as long as none has. */
        private @Nullable BiConsumer<String, Watcher> disarming;

        Watch(String path) {
            this.path = path;
        }

        private boolean isArmed() {
            return disarming != null;
        }

        /**
         * The client has it now: the read that it was sent with found the node.
         *
         * @param with takes it from the client again, by its path
         */
        void arm(BiConsumer<String, Watcher> with) {
            if (!armed(this, with)) {
                with.accept(path, this);
            }
        }

        private void disarm() {
            BiConsumer<String, Watcher> with = disarming;
            if (with != null) {
                with.accept(path, this);
            }
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
                end(this).forEach(ClaimNotifier::mayBeFree);
            }
        }
    }
}
