package io.holdfast.parts;

import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.ReleaseFeed;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.WeakHashMap;

/** Passes the messages of a provider's feed on to waiting claims, as the engine does for its waiters. */
final class Feeds implements ReleaseFeed.Listener {

    private static final Map<LockProvider, Feeds> ALL = new WeakHashMap<>();

    private final Map<String, Set<Runnable>> waiting = new HashMap<>();
    private final Set<String> listening = new HashSet<>();
    private Optional<ReleaseFeed> feed = Optional.empty();

    private Feeds() {}

    /** The feed of a provider: the provider gives it out once. */
    static synchronized Feeds of(LockProvider provider) {
        return ALL.computeIfAbsent(provider, none -> {
            Feeds feeds = new Feeds();
            feeds.feed = provider.releases(feeds);
            return feeds;
        });
    }

    /** Registers a claim before its attempt, so that no release after the store's answer is missed. */
    synchronized void asks(String name, Runnable claim) {
        waiting.computeIfAbsent(name, none -> new LinkedHashSet<>()).add(claim);
    }

    /**
     * Subscribes to the name of a waiting claim that was refused, until the provider is closed; again with each refusal while the
     * feed does not listen, as a subscription may have failed.
     */
    synchronized void refused(String name) {
        if (!listening.contains(name)) {
            feed.ifPresent(source -> source.subscribe(name));
        }
    }

    /** Whether the feed listens to a name. The claims that wait for it have been signalled that by then. */
    synchronized boolean listensTo(String name) {
        return listening.contains(name);
    }

    /** Removes a claim that no longer waits. */
    synchronized void ends(String name, Runnable claim) {
        waiting.getOrDefault(name, new HashSet<>()).remove(claim);
    }

    @Override
    public synchronized void listening(String name) {
        listening.add(name);
        released(name);
    }

    @Override
    public void released(String name) {
        awaiting(name).forEach(Runnable::run);
    }

    @Override
    public synchronized void interrupted(String name) {
        listening.remove(name);
        released(name);
    }

    private synchronized List<Runnable> awaiting(String name) {
        return List.copyOf(waiting.getOrDefault(name, Set.of()));
    }
}
