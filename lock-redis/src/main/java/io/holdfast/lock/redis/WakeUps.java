package io.holdfast.lock.redis;

import io.holdfast.lock.spi.ClaimSignals;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * Who waits for the release of which lock, and which channels the server has confirmed to send. Thread-safe; does no I/O
 * itself but tells a {@link Subscription} which channels are wanted.
 *
 * <p>A claim registers before its bid and is woken by every message that comes after. If the channel was not confirmed when
 * it registered, a release may have gone by unseen between its bid and the confirmation: then the confirmation wakes it, too.
 *
 * <p>The subscription calls in here while it holds its own lock, so its lock comes before this monitor: nothing in here
 * calls the subscription, or a claim's signals, with the monitor held.
 */
final class WakeUps implements AutoCloseable {

    /** So many channels stay subscribed when nobody waits, so that a lock that is handed on does not subscribe each time. */
    static final int MOST_IDLE = 64;

    private static final Logger LOG = System.getLogger(WakeUps.class.getPackageName());

    private final Map<String, Topic> topics = new HashMap<>();
    private final Set<String> idle = new LinkedHashSet<>();
    private final Subscription subscription;

    WakeUps(ScriptRunner runner, Duration silence, ThreadFactory threads) {
        this.subscription = new Subscription(runner, this, silence, threads);
    }

    /** One claim's wish to hear of releases. Its fields belong to {@link WakeUps} and are guarded by it. */
    static final class Interest {
        private final String channel;
        private final ClaimSignals signals;
        private boolean registered;
        private boolean waiting;
        private boolean covered;

        Interest(String channel, ClaimSignals signals) {
            this.channel = channel;
            this.signals = signals;
        }
    }

    /** How far the subscription to a channel has come on the connection that is open. Without one, all are unsent. */
    private enum Progress {
        UNSENT,
        SENT,
        CONFIRMED
    }

    private static final class Topic {
        private final Set<Interest> interests = new LinkedHashSet<>();
        private Progress progress = Progress.UNSENT;

        boolean confirmed() {
            return progress == Progress.CONFIRMED;
        }

        boolean awaited() {
            return interests.stream().anyMatch(interest -> interest.waiting);
        }

        void unsubscribed() {
            progress = Progress.UNSENT;
            interests.forEach(interest -> interest.covered = false);
        }
    }

    /** Notes an interest, locally. */
    synchronized void register(Interest interest) {
        if (interest.registered) {
            return;
        }
        Topic topic = topics.computeIfAbsent(interest.channel, channel -> new Topic());
        topic.interests.add(interest);
        idle.remove(interest.channel);
        interest.registered = true;
        interest.waiting = false;
        interest.covered = topic.confirmed();
    }

    /**
     * Makes sure that a registered claim, which has found the lock taken, hears of releases from now on. Does not wait.
     *
     * @return whether messages can be expected to come; false while the server cannot be subscribed to
     */
    boolean awaitRelease(Interest interest) {
        boolean unsent;
        boolean missed = false;
        synchronized (this) {
            Topic topic = topics.get(interest.channel);
            if (topic == null || !interest.registered) {
                return false;
            }
            interest.waiting = true;
            unsent = topic.progress == Progress.UNSENT;
            if (topic.confirmed()) {
                missed = !interest.covered;
                interest.covered = true;
            }
        }
        if (missed) {
            wake(interest.signals);
        }
        if (unsent) {
            subscription.subscribe(interest.channel);
        }
        return !subscription.failing();
    }

    /** Forgets an interest; the channel stays subscribed for a while. */
    void cancel(Interest interest) {
        String surplus = null;
        synchronized (this) {
            if (!interest.registered) {
                return;
            }
            interest.registered = false;
            Topic topic = topics.get(interest.channel);
            if (topic != null) {
                topic.interests.remove(interest);
                surplus = settle(interest.channel, topic);
            }
        }
        if (surplus != null) {
            subscription.unsubscribe(surplus);
        }
    }

    private static void wake(ClaimSignals signals) {
        try {
            signals.mayBeFree();
        } catch (RuntimeException | Error broken) {
            // One claim's trouble must not keep the others asleep.
            LOG.log(Level.WARNING, "A claim that waits could not be woken", broken);
        }
    }

    /** Decides what becomes of a topic that may have nobody left; returns a channel to unsubscribe from. */
    private @Nullable String settle(String channel, Topic topic) {
        if (!topic.interests.isEmpty()) {
            return null;
        }
        if (topic.progress == Progress.UNSENT) {
            topics.remove(channel);
            return null;
        }
        if (topic.progress == Progress.SENT) {
            // Its confirmation is on the way, and would be taken for that of a later request.
            return null;
        }
        idle.add(channel);
        if (idle.size() <= MOST_IDLE) {
            return null;
        }
        Iterator<String> oldestFirst = idle.iterator();
        String oldest = oldestFirst.next();
        oldestFirst.remove();
        topics.remove(oldest);
        return oldest;
    }

    /** The server sends the channel's messages from now on. */
    void confirmed(String channel) {
        List<ClaimSignals> missed = new ArrayList<>();
        String surplus;
        synchronized (this) {
            Topic topic = topics.computeIfAbsent(channel, unknown -> new Topic());
            topic.progress = Progress.CONFIRMED;
            for (Interest interest : topic.interests) {
                if (interest.waiting) {
                    interest.covered = true;
                    missed.add(interest.signals);
                }
            }
            surplus = settle(channel, topic);
        }
        missed.forEach(WakeUps::wake);
        if (surplus != null) {
            subscription.unsubscribe(surplus);
        }
    }

    /**
     * The server sends the channel's messages no more. A claim may have come to wait between the decision to leave the channel
     * and the message that said so, and its request may have overtaken that message.
     */
    void unsubscribed(String channel) {
        synchronized (this) {
            Topic topic = topics.get(channel);
            if (topic == null || !topic.confirmed()) {
                return;
            }
            topic.unsubscribed();
            if (topic.interests.isEmpty()) {
                idle.remove(channel);
                topics.remove(channel);
            }
            if (!topic.awaited()) {
                return;
            }
        }
        subscription.subscribe(channel);
    }

    /** A lock was released. */
    void message(String channel) {
        List<ClaimSignals> woken = new ArrayList<>();
        synchronized (this) {
            Topic topic = topics.get(channel);
            if (topic != null) {
                topic.interests.forEach(interest -> woken.add(interest.signals));
            }
        }
        woken.forEach(WakeUps::wake);
    }

    /** The connection is gone: nothing is subscribed any more, and whatever was sent meanwhile is lost. */
    synchronized void disconnected() {
        idle.clear();
        topics.values().removeIf(topic -> topic.interests.isEmpty());
        topics.values().forEach(Topic::unsubscribed);
    }

    /** No messages can be expected for now: who waits for one has to ask by itself, and learns so by its next bid. */
    void wakeWaiting() {
        List<ClaimSignals> waiting = new ArrayList<>();
        synchronized (this) {
            for (Topic topic : topics.values()) {
                topic.interests.stream().filter(each -> each.waiting).forEach(each -> waiting.add(each.signals));
            }
        }
        waiting.forEach(WakeUps::wake);
    }

    /** The channels that somebody waits for. */
    synchronized List<String> awaited() {
        List<String> awaited = new ArrayList<>();
        topics.forEach((channel, topic) -> {
            if (topic.awaited()) {
                awaited.add(channel);
            }
        });
        return awaited;
    }

    /** Whether a channel still has to be asked for; the caller, who holds the open connection, does so now. */
    synchronized boolean ask(String channel) {
        Topic topic = topics.get(channel);
        if (topic == null || topic.progress != Progress.UNSENT || !topic.awaited()) {
            return false;
        }
        topic.progress = Progress.SENT;
        return true;
    }

    /** Whether the server was asked for a channel and has not answered yet. */
    synchronized boolean anyUnanswered() {
        return topics.values().stream().anyMatch(topic -> topic.progress == Progress.SENT);
    }

    /** Whether anybody waits. */
    synchronized boolean anyWaiting() {
        return topics.values().stream().anyMatch(Topic::awaited);
    }

    @Override
    public void close() {
        subscription.close();
    }
}
