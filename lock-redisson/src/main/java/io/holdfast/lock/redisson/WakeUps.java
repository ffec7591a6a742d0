package io.holdfast.lock.redisson;

import io.holdfast.lock.spi.ClaimSignals;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Who waits for the release of which lock, and which channels are listened to: one listener for each lock, however many
 * claims wait for it. Thread-safe.
 *
 * <p>A claim registers before its bid and is woken by every message that comes after. If the channel was not listened to when
 * it registered, a release may have gone by unseen between its bid and the confirmation: then the confirmation wakes it, too.
 *
 * <p>Nothing in here calls Redisson, or a claim's signals, with the monitor held.
 */
final class WakeUps {

    /** So many channels stay open when nobody waits, so that a lock that is handed on does not subscribe each time. */
    static final int MOST_IDLE = 16;

    private static final Logger LOG = System.getLogger(WakeUps.class.getPackageName());

    private final Function<String, Channel> opener;
    private final Map<String, Topic> topics = new HashMap<>();
    private final Set<String> idle = new LinkedHashSet<>();
    private boolean closed;

    /**
     * Creates it.
     *
     * @param opener makes the listener of a topic, by the topic's name, that is not started yet
     */
    WakeUps(Function<String, Channel> opener) {
        this.opener = opener;
    }

    /** Listens to the channel of one lock. Used once: what has ended is replaced by a new one. */
    interface Channel {

        /** The name of the topic. */
        String topic();

        /** Starts to listen, and tells of what happens; what it throws is a failure, too. Does not wait. */
        void start(WakeUps wakeUps);

        /**
         * Listens no more.
         *
         * @return done when the server has confirmed it
         */
        CompletionStage<Void> stop();
    }

    /** One claim's wish to hear of releases. Its fields belong to {@link WakeUps} and are guarded by it. */
    static final class Interest {
        private final String topic;
        private final ClaimSignals signals;
        private boolean registered;
        private boolean waiting;
        private boolean covered;

        /**
         * Creates it.
         *
         * @param topic the name of the topic; empty if there is none that could be listened to
         */
        Interest(String topic, ClaimSignals signals) {
            this.topic = topic;
            this.signals = signals;
        }
    }

    private static final class Topic {
        private final Set<Interest> interests = new LinkedHashSet<>();
        private @Nullable Channel listener;
        private boolean confirmed;
        private boolean failing;

        boolean awaited() {
            return interests.stream().anyMatch(interest -> interest.waiting);
        }

        List<ClaimSignals> waiting() {
            return interests.stream()
                    .filter(interest -> interest.waiting)
                    .map(interest -> interest.signals)
                    .toList();
        }

        void lost() {
            listener = null;
            confirmed = false;
            interests.forEach(interest -> interest.covered = false);
        }
    }

    /** Notes an interest, locally. */
    synchronized void register(Interest interest) {
        if (interest.registered || interest.topic.isEmpty()) {
            return;
        }
        Topic topic = topics.computeIfAbsent(interest.topic, name -> new Topic());
        topic.interests.add(interest);
        idle.remove(interest.topic);
        interest.registered = true;
        interest.waiting = false;
        interest.covered = topic.confirmed;
    }

    /**
     * Makes sure that a registered claim, which has found the lock taken, hears of releases from now on. Does not wait.
     *
     * @return whether messages can be expected to come
     */
    boolean awaitRelease(Interest interest) {
        boolean missed;
        boolean announced;
        synchronized (this) {
            Topic topic = topics.get(interest.topic);
            if (topic == null || !interest.registered) {
                return false;
            }
            interest.waiting = true;
            missed = topic.confirmed && !interest.covered;
            interest.covered = topic.confirmed;
            announced = !topic.failing;
        }
        if (missed) {
            wake(interest.signals);
        }
        listen(interest.topic);
        return announced;
    }

    /** Starts to listen to a topic that somebody waits for, unless that was done. */
    private void listen(String name) {
        synchronized (this) {
            if (!wantsListener(name)) {
                return;
            }
        }
        Channel listener = opener.apply(name);
        synchronized (this) {
            Topic topic = topics.get(name);
            if (topic == null || !wantsListener(name)) {
                // Somebody else was faster, or nobody waits any more. It was not started.
                return;
            }
            topic.listener = listener;
        }
        try {
            listener.start(this);
        } catch (RuntimeException | Error failure) {
            // Whatever it is: a listener that is taken for one that starts would leave the lock deaf for ever.
            failed(listener, failure);
        }
    }

    private boolean wantsListener(String name) {
        Topic topic = topics.get(name);
        return !closed && topic != null && topic.listener == null && topic.awaited();
    }

    /** Forgets an interest; the channel stays open for a while. */
    void cancel(Interest interest) {
        Channel surplus;
        synchronized (this) {
            if (!interest.registered) {
                return;
            }
            interest.registered = false;
            Topic topic = topics.get(interest.topic);
            if (topic == null) {
                return;
            }
            topic.interests.remove(interest);
            surplus = settle(interest.topic, topic);
        }
        stop(surplus);
    }

    /** Decides what becomes of a topic that may have nobody left; returns a listener that is not wanted any more. */
    private @Nullable Channel settle(String name, Topic topic) {
        if (!topic.interests.isEmpty()) {
            return null;
        }
        if (topic.listener == null) {
            topics.remove(name);
            return null;
        }
        if (!topic.confirmed) {
            // What is being opened can be closed only when it is open.
            return null;
        }
        idle.add(name);
        if (idle.size() <= MOST_IDLE) {
            return null;
        }
        Iterator<String> oldestFirst = idle.iterator();
        String oldest = oldestFirst.next();
        oldestFirst.remove();
        Topic removed = topics.remove(oldest);
        return removed == null ? null : removed.listener;
    }

    private static void stop(@Nullable Channel surplus) {
        if (surplus != null) {
            surplus.stop().whenComplete((done, failure) -> {
                if (failure != null) {
                    LOG.log(Level.DEBUG, "Redisson could not unsubscribe from " + surplus.topic(), failure);
                }
            });
        }
    }

    private static void wakeAll(List<ClaimSignals> woken) {
        woken.forEach(WakeUps::wake);
    }

    private static void wake(ClaimSignals signals) {
        try {
            signals.mayBeFree();
        } catch (RuntimeException | Error broken) {
            // One claim's trouble must not keep the others asleep.
            LOG.log(Level.WARNING, "A claim that waits could not be woken", broken);
        }
    }

    /** The server sends the topic's messages from now on, for the first time or once more after the connection was lost. */
    void confirmed(Channel listener) {
        List<ClaimSignals> missed = List.of();
        Channel surplus = listener;
        synchronized (this) {
            Topic topic = topics.get(listener.topic());
            if (!closed && topic != null && topic.listener == listener) {
                topic.confirmed = true;
                topic.failing = false;
                topic.interests.forEach(interest -> interest.covered |= interest.waiting);
                missed = topic.waiting();
                surplus = settle(listener.topic(), topic);
            }
        }
        wakeAll(missed);
        stop(surplus);
    }

    /** The topic cannot be listened to. Who waits has to ask by itself, and learns so by its next bid. */
    void failed(Channel listener, Throwable failure) {
        List<ClaimSignals> waiting = List.of();
        synchronized (this) {
            Topic topic = topics.get(listener.topic());
            if (closed || topic == null || topic.listener != listener) {
                return;
            }
            topic.lost();
            if (!topic.failing) {
                topic.failing = true;
                waiting = topic.waiting();
            }
            settle(listener.topic(), topic);
        }
        // Of its two halves one may have succeeded.
        stop(listener);
        if (!waiting.isEmpty()) {
            LOG.log(
                    Level.WARNING,
                    "Redisson cannot subscribe to " + listener.topic()
                            + "; claims that wait ask again from time to time",
                    failure);
        }
        wakeAll(waiting);
    }

    /**
     * The server sends the topic's messages no more. Redisson itself ends a subscription, other listeners or not, when the last
     * {@code RLock} of the same client has stopped waiting for that lock.
     */
    void ended(Channel listener) {
        synchronized (this) {
            Topic topic = topics.get(listener.topic());
            if (topic == null || topic.listener != listener) {
                return;
            }
            topic.lost();
            idle.remove(listener.topic());
            settle(listener.topic(), topic);
        }
        listen(listener.topic());
    }

    /** A lock was released. */
    void message(Channel listener) {
        List<ClaimSignals> woken = new ArrayList<>();
        boolean stale;
        synchronized (this) {
            Topic topic = topics.get(listener.topic());
            stale = topic == null || topic.listener != listener;
            if (topic != null) {
                topic.interests.forEach(interest -> woken.add(interest.signals));
            }
        }
        wakeAll(woken);
        if (stale) {
            stop(listener);
        }
    }

    /**
     * Ends all subscriptions.
     *
     * @return done when the server has confirmed it
     */
    CompletableFuture<Void> close() {
        List<Channel> open = new ArrayList<>();
        synchronized (this) {
            closed = true;
            for (Topic topic : topics.values()) {
                if (topic.confirmed && topic.listener != null) {
                    open.add(topic.listener);
                }
            }
            topics.clear();
            idle.clear();
        }
        return CompletableFuture.allOf(open.stream()
                .map(listener -> listener.stop().toCompletableFuture())
                .toArray(CompletableFuture[]::new));
    }
}
