package io.holdfast.lock.jdbc;

import io.holdfast.lock.spi.ClaimSignals;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Who waits for the release of which lock. Thread-safe; does no I/O itself but lets a {@link Subscription} know that somebody
 * waits.
 *
 * <p>A claim registers before its bid and is woken by every message that comes after. If the database did not send messages
 * when it registered, a release may have gone by unseen: then it is woken once when messages can be relied on.
 *
 * <p>Nothing in here calls the subscription, or a claim's signals, with the monitor held.
 */
final class WakeUps implements AutoCloseable {

    private static final Logger LOG = System.getLogger(WakeUps.class.getPackageName());

    private final Map<String, Set<Interest>> interests = new HashMap<>();
    private final Subscription subscription;
    private boolean listening;

    WakeUps(Subscription.Source source, String channel) {
        this.subscription = new Subscription(source, channel, this);
    }

    /** One claim's wish to hear of releases. Its fields belong to {@link WakeUps} and are guarded by it. */
    static final class Interest {
        private final String hash;
        private final ClaimSignals signals;
        private boolean registered;
        private boolean waiting;
        private boolean covered;

        Interest(String hash, ClaimSignals signals) {
            this.hash = hash;
            this.signals = signals;
        }
    }

    /** Notes an interest, locally. */
    synchronized void register(Interest interest) {
        if (!interest.registered) {
            interests
                    .computeIfAbsent(interest.hash, hash -> new LinkedHashSet<>())
                    .add(interest);
            interest.registered = true;
            interest.waiting = false;
            interest.covered = listening;
        }
    }

    /**
     * Makes sure that a registered claim, which has found the lock taken, hears of releases from now on. Does not wait.
     *
     * @return whether messages can be expected to come; false while the database cannot be listened to
     */
    boolean awaitRelease(Interest interest) {
        boolean missed;
        synchronized (this) {
            interest.waiting = true;
            missed = listening && !interest.covered;
            interest.covered = listening;
        }
        if (missed) {
            wake(interest.signals);
        }
        return subscription.wanted();
    }

    /** Forgets an interest. */
    synchronized void cancel(Interest interest) {
        if (interest.registered) {
            interest.registered = false;
            interest.waiting = false;
            interests.computeIfPresent(interest.hash, (hash, all) -> {
                all.remove(interest);
                return all.isEmpty() ? null : all;
            });
        }
    }

    /** The database sends messages from now on. */
    void listening() {
        List<ClaimSignals> missed;
        synchronized (this) {
            listening = true;
            interests
                    .values()
                    .forEach(all -> all.stream().filter(each -> each.waiting).forEach(each -> each.covered = true));
            missed = signals(interest -> interest.waiting);
        }
        missed.forEach(WakeUps::wake);
    }

    /** Messages are lost from now on. */
    synchronized void deaf() {
        listening = false;
        interests.values().forEach(all -> all.forEach(each -> each.covered = false));
    }

    /** A lock was released. */
    void released(String hash) {
        List<ClaimSignals> woken;
        synchronized (this) {
            woken = interests.getOrDefault(hash, Set.of()).stream()
                    .map(each -> each.signals)
                    .toList();
        }
        woken.forEach(WakeUps::wake);
    }

    /** No messages can be expected for now: who waits for one has to ask by itself, and learns so by its next bid. */
    void wakeWaiting() {
        List<ClaimSignals> waiting;
        synchronized (this) {
            waiting = signals(interest -> interest.waiting);
        }
        waiting.forEach(WakeUps::wake);
    }

    private List<ClaimSignals> signals(Predicate<Interest> wanted) {
        List<ClaimSignals> signals = new ArrayList<>();
        interests.values().forEach(all -> all.stream().filter(wanted).forEach(each -> signals.add(each.signals)));
        return signals;
    }

    /** Whether anybody waits. */
    synchronized boolean anyWaiting() {
        return interests.values().stream().flatMap(Set::stream).anyMatch(each -> each.waiting);
    }

    private static void wake(ClaimSignals signals) {
        try {
            signals.mayBeFree();
        } catch (RuntimeException | Error broken) {
            // One claim's trouble must not keep the others asleep.
            LOG.log(Level.WARNING, "A claim that waits could not be woken", broken);
        }
    }

    @Override
    public void close() {
        subscription.close();
    }
}
