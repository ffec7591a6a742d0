package io.holdfast.lock.tck;

import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.ReleaseFeed;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/** Passes the messages of a provider's feed on to the waiting claims of the kit, as the engine does for its waiters. */
final class Feed implements ReleaseFeed.Listener {

    /** Names in a row to which a feed did not listen in time, after which none is waited for: the leases of a test end meanwhile. */
    private static final int MOST_SILENCES = 4;

    private final AtomicInteger silences = new AtomicInteger();
    private final Map<String, Set<Runnable>> waiting = new HashMap<>();
    private final Set<String> subscribed = new HashSet<>();
    private final Set<String> listening = new HashSet<>();
    private final Set<String> heard = new HashSet<>();
    private final Optional<ReleaseFeed> feed;

    /** Takes the feed of a provider, if it has one. */
    Feed(LockProvider provider) {
        this.feed = provider.releases(this);
    }

    /** Whether the provider has one. */
    boolean isThere() {
        return feed.isPresent();
    }

    boolean reachesRefusedClaimsOnly() {
        return feed.isPresent() && feed.get().reachesRefusedClaimsOnly();
    }

    /** Registers a claim before its attempt, so that no release after the store's answer is missed. */
    synchronized void asks(String name, Runnable claim) {
        waiting.computeIfAbsent(name, none -> new LinkedHashSet<>()).add(claim);
    }

    /**
     * Subscribes to the name of a waiting claim that was refused, until no claim waits for it; again with each refusal while the
     * feed does not listen, as a subscription may have failed. A store that tells the claim alone that comes next may pass over
     * one whose client does not listen yet, so this waits until it does.
     */
    void refused(String name) {
        subscribe(name);
        if (reachesRefusedClaimsOnly() && silences.get() < MOST_SILENCES) {
            boolean listens = awaitListening(name, Pace.WOKEN_WITHIN);
            silences.updateAndGet(before -> listens ? 0 : before + 1);
        }
    }

    /** Subscribes to a name, or again while the feed does not listen to it. */
    synchronized void subscribe(String name) {
        if (subscribed.add(name) || !listening.contains(name)) {
            feed.ifPresent(source -> source.subscribe(name));
        }
    }

    /**
     * Waits until the feed listens to a name that it is subscribed to, as far as there is a feed.
     *
     * @return false if the time was over before
     */
    boolean awaitListening(String name, Duration time) {
        return feed.isEmpty() || Pace.within(time, () -> listensTo(name));
    }

    synchronized boolean listensTo(String name) {
        return listening.contains(name);
    }

    /** Removes a claim that no longer waits. */
    synchronized void ends(String name, Runnable claim) {
        Set<Runnable> others = waiting.getOrDefault(name, new HashSet<>());
        others.remove(claim);
        if (others.isEmpty()) {
            waiting.remove(name);
            listening.remove(name);
            if (subscribed.remove(name)) {
                feed.ifPresent(source -> source.unsubscribe(name));
            }
        }
    }

    @Override
    public void listening(String name) {
        synchronized (this) {
            // A report may be late: nobody waits for the name any more.
            if (subscribed.contains(name)) {
                listening.add(name);
            }
        }
        wake(name);
    }

    @Override
    public void released(String name) {
        synchronized (this) {
            heard.add(name);
        }
        wake(name);
    }

    /** Whether a release of the name was reported. That the feed listens, or does not, is no release. */
    synchronized boolean hasHeardOf(String name) {
        return heard.contains(name);
    }

    @Override
    public void interrupted(String name) {
        synchronized (this) {
            listening.remove(name);
        }
        wake(name);
    }

    private void wake(String name) {
        awaiting(name).forEach(Runnable::run);
    }

    private synchronized List<Runnable> awaiting(String name) {
        return List.copyOf(waiting.getOrDefault(name, Set.of()));
    }
}
