package io.holdfast.lock.core.migration;

import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.ReleaseFeed;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The messages of two stores as one. A name is listened to when both stores' feeds listen to it; if only one of the stores has a
 * feed and the other one wakes by its claims, never, so that waiters also poll: whoever goes on waiting in another's place has no
 * claim there. Thread-safe.
 *
 * <p>Only the stores are heard that claims which wait have asked last: an attempt that the new store refuses releases the lock of
 * the old one, and every waiter would wake itself and the others by that.
 */
final class BothFeeds implements ReleaseFeed {

    private final List<LockProvider> stores;
    private final Map<LockProvider, ReleaseFeed> feeds = new HashMap<>();

    /** The names that are subscribed to. Guarded by its own monitor. */
    private final Map<String, Waited> names = new HashMap<>();

    private BothFeeds(List<LockProvider> stores) {
        this.stores = stores;
    }

    private static final class Waited {
        private final Set<LockProvider> listening = new HashSet<>();
        private final Map<Claim, LockProvider> askedLast = new HashMap<>();

        /** Of a waiter that goes on in another's place no claim is known. */
        boolean isWaitedFor(LockProvider store) {
            return askedLast.isEmpty() || askedLast.containsValue(store);
        }
    }

    /** Empty if no store has a feed. */
    static Optional<BothFeeds> of(List<LockProvider> stores, Listener listener) {
        BothFeeds both = new BothFeeds(stores);
        for (LockProvider store : stores) {
            store.releases(both.heardFrom(store, listener)).ifPresent(feed -> both.feeds.put(store, feed));
        }
        return both.feeds.isEmpty() ? Optional.empty() : Optional.of(both);
    }

    /** From here on this store's releases of the name matter to a claim that waits, and no other's. */
    void asks(String name, Claim waiting, LockProvider store) {
        synchronized (names) {
            Waited waited = names.get(name);
            if (waited != null) {
                waited.askedLast.put(waiting, store);
            }
        }
    }

    /** A claim waits no longer. */
    void waitsNoLonger(String name, Claim claim) {
        synchronized (names) {
            Waited waited = names.get(name);
            if (waited != null) {
                waited.askedLast.remove(claim);
            }
        }
    }

    private Listener heardFrom(LockProvider store, Listener listener) {
        return new Listener() {
            @Override
            public void listening(String name) {
                boolean all;
                synchronized (names) {
                    Waited waited = names.get(name);
                    if (waited != null) {
                        waited.listening.add(store);
                    }
                    all = waited != null && waited.listening.size() == stores.size();
                }
                if (all) {
                    listener.listening(name);
                } else if (feeds.size() < stores.size()) {
                    // A release before this was not heard, and no second feed will confirm the name.
                    released(name);
                }
            }

            @Override
            public void released(String name) {
                boolean matters;
                synchronized (names) {
                    Waited waited = names.get(name);
                    matters = waited != null && waited.isWaitedFor(store);
                }
                if (matters) {
                    listener.released(name);
                }
            }

            @Override
            public void interrupted(String name) {
                boolean was;
                synchronized (names) {
                    Waited waited = names.get(name);
                    was = waited != null && waited.listening.size() == stores.size();
                    if (waited != null) {
                        waited.listening.remove(store);
                    }
                }
                if (was) {
                    listener.interrupted(name);
                }
            }
        };
    }

    /** With the feed of one store alone no name is ever listened to, and each waiter polls. */
    @Override
    public boolean reachesRefusedClaimsOnly() {
        return feeds.size() == stores.size() && feeds.values().stream().anyMatch(ReleaseFeed::reachesRefusedClaimsOnly);
    }

    @Override
    public void subscribe(String name) {
        Set<LockProvider> listening;
        synchronized (names) {
            listening = Set.copyOf(names.computeIfAbsent(name, unknown -> new Waited()).listening);
        }
        feeds.forEach((store, feed) -> {
            if (!listening.contains(store)) {
                feed.subscribe(name);
            }
        });
    }

    @Override
    public void unsubscribe(String name) {
        synchronized (names) {
            names.remove(name);
        }
        feeds.values().forEach(feed -> feed.unsubscribe(name));
    }
}
