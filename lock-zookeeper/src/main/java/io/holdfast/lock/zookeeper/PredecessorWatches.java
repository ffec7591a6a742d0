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
 * Which claims wait for the end of which node. Thread-safe.
 *
 * <p>All waiters of a node share one watcher: the client keeps a watcher until it fires, so one per attempt would pile up behind
 * a holder that stays long. The close of the provider removes its watchers from the client, which may be the application's and
 * outlive it.
 */
final class PredecessorWatches implements AutoCloseable {

    // All guarded by this.
    private final Map<String, Watch> watches = new HashMap<>();
    private final Map<ClaimSignals, Watch> waitedFor = new HashMap<>();
    private boolean closed;

    /** Registers a claim for the end of a node. The watch has to be sent with the next read of the node. */
    synchronized Watch add(String path, ClaimSignals claim) {
        remove(claim);
        Watch watch = watches.computeIfAbsent(path, Watch::new);
        watch.waiting.add(claim);
        waitedFor.put(claim, watch);
        return watch;
    }

    /** Removes a claim. */
    synchronized void remove(ClaimSignals claim) {
        Watch watch = waitedFor.remove(claim);
        if (watch != null) {
            watch.waiting.remove(claim);
            if (watch.waiting.isEmpty() && !watch.isArmed()) {
                watches.remove(watch.path, watch);
            }
        }
    }

    /** Whether a claim will still be woken. */
    synchronized boolean isWaiting(ClaimSignals claim) {
        Watch watch = waitedFor.get(claim);
        return watch != null && watch.isArmed();
    }

    /** How many nodes are watched, or will be. */
    synchronized int size() {
        return watches.size();
    }

    /** How many nodes are watched. */
    synchronized long armed() {
        return watches.values().stream().filter(Watch::isArmed).count();
    }

    private synchronized Set<ClaimSignals> end(Watch watch) {
        watches.remove(watch.path, watch);
        Set<ClaimSignals> woken = Set.copyOf(watch.waiting);
        woken.forEach(this::remove);
        return woken;
    }

    /** Returns whether the watch may stay: not after the close. */
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

    /** Removes all watchers from the client, without waiting for it. Nobody is woken after that. */
    @Override
    public void close() {
        shut().forEach(Watch::disarm);
    }

    /** The one watcher of a node. */
    final class Watch implements Watcher {
        private final String path;
        private final Set<ClaimSignals> waiting = new HashSet<>();

        /** Removes the watcher from the client that has it; null while none has. */
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
         * @param with removes it from the client again, by its path
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
         * Any change of the node wakes, as it uses up the watch. A lost connection does not: the client sets its watches again
         * when it is back. The end of the session does: the nodes of the waiters are gone, and they have to attempt again.
         */
        @Override
        public void process(WatchedEvent event) {
            boolean kept = event.getType() == EventType.None
                    && event.getState() != KeeperState.Expired
                    && event.getState() != KeeperState.Closed;
            if (!kept) {
                end(this).forEach(ClaimNotifier::mayBeFree);
            }
        }
    }
}
