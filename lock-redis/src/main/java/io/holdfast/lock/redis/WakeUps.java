package io.holdfast.lock.redis;

import io.holdfast.lock.spi.ClaimSignals;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who waits for the release of which lock, and which channels the server has confirmed to send. Thread-safe; does no I/O
 * itself but tells a {@link Subscription} which channels are wanted.
 *
 * <p>A claim registers before its bid and is woken by every message that comes after. If the channel was not confirmed when
 * it registered, a release may have gone by unseen between its bid and the confirmation: then the confirmation wakes it, too.
 */
final class WakeUps implements AutoCloseable {

    /** So many channels stay subscribed when nobody waits, so that a lock that is handed on does not subscribe each time. */
    static final int MOST_IDLE = 64;

    private final Map<String, Topic> topics = new HashMap<>();
    private final Set<String> idle = new LinkedHashSet<>();
    private final Subscription subscription;

    WakeUps(ScriptRunner runner) {
        this.subscription = new Subscription(runner, this);
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

    private static final class Topic {
        private final Set<Interest> interests = new LinkedHashSet<>();
        private boolean requested;
        private boolean confirmed;
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
        interest.covered = topic.confirmed;
    }

    /**
     * Makes sure that a registered claim, which has found the lock taken, hears of releases from now on. Does not wait.
     *
     * @return whether messages can be expected to come; false while the server cannot be subscribed to
     */
    boolean awaitRelease(Interest interest) {
        boolean request = false;
        boolean missed = false;
        synchronized (this) {
            Topic topic = topics.get(interest.channel);
            if (topic == null || !interest.registered) {
                return false;
            }
            interest.waiting = true;
            if (topic.confirmed) {
                missed = !interest.covered;
                interest.covered = true;
            } else {
                request = !topic.requested;
                topic.requested = true;
            }
        }
        if (missed) {
            interest.signals.mayBeFree();
        }
        if (request) {
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

    /** Decides what becomes of a topic that may have nobody left; returns a channel to unsubscribe from. */
    private @Nullable String settle(String channel, Topic topic) {
        if (!topic.interests.isEmpty()) {
            return null;
        }
        if (!topic.requested) {
            topics.remove(channel);
            return null;
        }
        if (!topic.confirmed) {
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
            topic.requested = true;
            topic.confirmed = true;
            for (Interest interest : topic.interests) {
                if (interest.waiting) {
                    interest.covered = true;
                    missed.add(interest.signals);
                }
            }
            surplus = settle(channel, topic);
        }
        missed.forEach(ClaimSignals::mayBeFree);
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
            if (topic == null || !topic.confirmed) {
                return;
            }
            topic.confirmed = false;
            topic.interests.forEach(interest -> interest.covered = false);
            topic.requested = topic.interests.stream().anyMatch(interest -> interest.waiting);
            if (!topic.requested) {
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
        woken.forEach(ClaimSignals::mayBeFree);
    }

    /** The connection is gone: nothing is subscribed any more, and whatever was sent meanwhile is lost. */
    synchronized void disconnected() {
        idle.clear();
        topics.values().removeIf(topic -> topic.interests.isEmpty());
        for (Topic topic : topics.values()) {
            topic.requested = false;
            topic.confirmed = false;
            topic.interests.forEach(interest -> interest.covered = false);
        }
    }

    /** The channels to subscribe to on a new connection. */
    synchronized List<String> wanted() {
        List<String> wanted = new ArrayList<>();
        topics.forEach((channel, topic) -> {
            if (topic.interests.stream().anyMatch(interest -> interest.waiting)) {
                topic.requested = true;
                wanted.add(channel);
            }
        });
        return wanted;
    }

    /** Whether anybody waits. */
    synchronized boolean anyWaiting() {
        return topics.values().stream()
                .anyMatch(topic -> topic.interests.stream().anyMatch(interest -> interest.waiting));
    }

    @Override
    public void close() {
        subscription.close();
    }
}
