package io.holdfast.lock.core.migration;

import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.ReleaseFeed;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The messages of two stores as one: a name is listened to when both stores' feeds listen to it. Thread-safe. */
final class BothFeeds implements ReleaseFeed {

    private final Listener listener;
    private final List<ReleaseFeed> feeds = new ArrayList<>();

    /** Which feeds listen to the names that are subscribed to. Guarded by the monitor of the map. */
    private final Map<String, Set<Integer>> listening = new HashMap<>();

    private BothFeeds(Listener listener) {
        this.listener = listener;
    }

    /** Of the stores that have a feed; empty if none has. */
    static Optional<ReleaseFeed> of(List<LockProvider> stores, Listener listener) {
        BothFeeds both = new BothFeeds(listener);
        for (LockProvider store : stores) {
            store.releases(both.heardFrom(both.feeds.size())).ifPresent(both.feeds::add);
        }
        return both.feeds.isEmpty() ? Optional.empty() : Optional.of(both);
    }

    private Listener heardFrom(int feed) {
        return new Listener() {
            @Override
            public void listening(String name) {
                boolean all;
                synchronized (listening) {
                    Set<Integer> ready = listening.get(name);
                    if (ready != null) {
                        ready.add(feed);
                    }
                    all = ready != null && ready.size() == feeds.size();
                }
                if (all) {
                    listener.listening(name);
                }
            }

            @Override
            public void released(String name) {
                listener.released(name);
            }

            @Override
            public void interrupted(String name) {
                boolean was;
                synchronized (listening) {
                    Set<Integer> ready = listening.get(name);
                    was = ready != null && ready.size() == feeds.size();
                    if (ready != null) {
                        ready.remove(feed);
                    }
                }
                if (was) {
                    listener.interrupted(name);
                }
            }
        };
    }

    @Override
    public void subscribe(String name) {
        synchronized (listening) {
            listening.putIfAbsent(name, new HashSet<>());
        }
        feeds.forEach(feed -> feed.subscribe(name));
    }

    @Override
    public void unsubscribe(String name) {
        synchronized (listening) {
            listening.remove(name);
        }
        feeds.forEach(feed -> feed.unsubscribe(name));
    }
}
