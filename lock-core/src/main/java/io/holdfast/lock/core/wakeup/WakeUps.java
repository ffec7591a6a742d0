package io.holdfast.lock.core.wakeup;

import io.holdfast.lock.LockCapabilities.Ordering;
import io.holdfast.lock.core.runtime.Alarm;
import io.holdfast.lock.core.runtime.EngineRuntime;
import io.holdfast.lock.core.runtime.LockLog;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.ReleaseFeed;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Which lock names somebody in this client waits for, and which of them the store's feed is subscribed to.
 *
 * <p>A waiter registers when the store has refused it. Until the feed listens to its name it polls. A release between that answer
 * and the subscription would be missed, so the confirmation of a subscription wakes the waiters of its name once; so does the end
 * of one, and they poll again.
 */
public final class WakeUps implements ReleaseFeed.Listener {

    /** So many names stay subscribed when nobody waits, so that a lock that is handed on does not subscribe each time. */
    static final int MOST_IDLE = 64;

    /** For so long, at most. */
    static final Duration LONGEST_IDLE = Duration.ofSeconds(30);

    private final EngineRuntime runtime;
    private final Consumer<String> wakeUp;
    private final ReentrantLock mutex = new ReentrantLock();
    private final @Nullable ReleaseFeed feed;
    private final boolean inOrder;

    // All below is guarded by the mutex.
    private final Map<String, Subscribed> names = new HashMap<>();
    private final LinkedHashSet<String> idle = new LinkedHashSet<>();
    private final Alarm idleTooLong;

    /**
     * Takes the feed of a provider, if it has one.
     *
     * @param wakeUp wakes the waiters of a name
     */
    public WakeUps(LockProvider provider, EngineRuntime runtime, Consumer<String> wakeUp) {
        this.runtime = runtime;
        this.wakeUp = wakeUp;
        this.idleTooLong = new Alarm(runtime, mutex, this::unsubscribeIdle);
        this.feed = provider.releases(this).orElse(null);
        this.inOrder = provider.capabilities().ordering() == Ordering.FIFO;
    }

    /** Whether the store has a feed. */
    public boolean hasFeed() {
        return feed != null;
    }

    /** Whether its messages also reach waiters that have not asked the store. */
    public boolean reachesAllWaiters() {
        return feed != null && !feed.reachesRefusedClaimsOnly();
    }

    /** Whether its messages reach the claim that comes next, and no others. Not so for two stores, which have no common order. */
    public boolean tellsNextClaim() {
        return inOrder && feed != null && feed.reachesRefusedClaimsOnly();
    }

    private static final class Subscribed {
        private final Set<Object> waiters = new HashSet<>();
        private boolean listening;
    }

    /** Has a waiter woken by the releases of a name. Returns whether a message can be expected. */
    public boolean register(String name, Object waiter) {
        ReleaseFeed source = feed;
        if (source == null) {
            return false;
        }
        RuntimeException broken;
        mutex.lock();
        try {
            Subscribed subscribed = names.computeIfAbsent(name, unknown -> new Subscribed());
            idle.remove(name);
            subscribed.waiters.add(waiter);
            if (!subscribed.listening) {
                source.subscribe(name);
            }
            return subscribed.listening;
        } catch (RuntimeException failure) {
            broken = failure;
        } finally {
            mutex.unlock();
        }
        // Without the mutex: a handler of the log that blocks would hold up the timer.
        LockLog.write(Level.WARNING, "The releases of the lock '" + name + "' cannot be subscribed to", broken);
        return false;
    }

    /** A waiter has ended. The name stays subscribed for a while. */
    public void unregister(String name, Object waiter) {
        mutex.lock();
        try {
            Subscribed subscribed = names.get(name);
            if (subscribed != null && subscribed.waiters.remove(waiter) && subscribed.waiters.isEmpty()) {
                idle.add(name);
                if (idle.size() > MOST_IDLE) {
                    unsubscribe(idle.iterator().next());
                }
                idleTooLong.setAtTheLatest(runtime.now() + LONGEST_IDLE.toNanos());
            }
        } finally {
            mutex.unlock();
        }
    }

    private void unsubscribeIdle() {
        mutex.lock();
        try {
            List.copyOf(idle).forEach(this::unsubscribe);
        } finally {
            mutex.unlock();
        }
    }

    private void unsubscribe(String name) {
        idle.remove(name);
        names.remove(name);
        if (feed != null) {
            feed.unsubscribe(name);
        }
    }

    @Override
    public void listening(String name) {
        if (changes(name, true)) {
            wakeUp.accept(name);
        }
    }

    @Override
    public void released(String name) {
        wakeUp.accept(name);
    }

    /** Wakes the waiters once, so that they fall back to polling. */
    @Override
    public void interrupted(String name) {
        if (changes(name, false)) {
            wakeUp.accept(name);
        }
    }

    /** Notes whether messages come. Returns whether the waiters need to know. */
    private boolean changes(String name, boolean listening) {
        mutex.lock();
        try {
            Subscribed subscribed = names.get(name);
            if (subscribed == null) {
                return false;
            }
            // A feed may replace its connection without reporting the end of the former one.
            boolean news = listening || subscribed.listening;
            subscribed.listening = listening;
            return news && !subscribed.waiters.isEmpty();
        } finally {
            mutex.unlock();
        }
    }
}
