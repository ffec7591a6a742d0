package io.holdfast.lock.redisson;

import io.holdfast.lock.spi.ReleaseFeed;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Subscribes to one of Redisson's topics per lock. Thread-safe. Redisson and the engine are never called with the monitor held.
 */
final class TopicFeed implements ReleaseFeed {

    private static final Logger LOG = System.getLogger("io.holdfast.lock");

    private final Function<String, Optional<Channel>> opener;
    private final Listener listener;
    private final Map<String, Channel> channels = new HashMap<>();
    private final Set<String> failing = new HashSet<>();
    private boolean closed;

    /**
     * Creates a feed.
     *
     * @param opener makes the channel of a lock, by the lock's name, without starting it; empty if the lock has none
     */
    TopicFeed(Function<String, Optional<Channel>> opener, Listener listener) {
        this.opener = opener;
        this.listener = listener;
    }

    /** The subscription to the channel of one lock. Used once: an ended one is replaced by a new one. */
    interface Channel {

        /** The name of the lock. */
        String lockName();

        /** Subscribes, and reports to the feed; a thrown exception is a failure, too. Does not wait. */
        void start(TopicFeed feed);

        /**
         * Unsubscribes.
         *
         * @return done when the server has confirmed it
         */
        CompletionStage<Void> stop();
    }

    @Override
    public void subscribe(String name) {
        Optional<Channel> opened = opener.apply(name);
        synchronized (this) {
            if (closed || opened.isEmpty() || channels.putIfAbsent(name, opened.get()) != null) {
                return;
            }
        }
        try {
            opened.get().start(this);
        } catch (RuntimeException | Error failure) {
            // Any failure: a channel that never starts would leave the lock without messages.
            failed(opened.get(), failure);
        }
    }

    /** A channel that is being opened is stopped when it is confirmed. */
    @Override
    public void unsubscribe(String name) {
        Channel surplus;
        synchronized (this) {
            surplus = channels.remove(name);
            failing.remove(name);
        }
        if (surplus != null) {
            stop(surplus);
        }
    }

    private static void stop(Channel surplus) {
        surplus.stop().whenComplete((done, failure) -> {
            if (failure != null) {
                LOG.log(
                        Level.DEBUG,
                        "Redisson could not unsubscribe from the releases of " + surplus.lockName(),
                        failure);
            }
        });
    }

    private synchronized boolean isCurrent(Channel channel) {
        return !closed && channels.get(channel.lockName()) == channel;
    }

    /** The server sends the channel's messages from now on: for the first time, or again after a lost connection. */
    void confirmed(Channel channel) {
        if (!isCurrent(channel)) {
            stop(channel);
            return;
        }
        synchronized (this) {
            failing.remove(channel.lockName());
        }
        listener.listening(channel.lockName());
    }

    /** The subscription failed. The engine subscribes again with each attempt of a waiter. */
    void failed(Channel channel, Throwable failure) {
        boolean first;
        synchronized (this) {
            if (closed || !channels.remove(channel.lockName(), channel)) {
                return;
            }
            first = failing.add(channel.lockName());
        }
        // One of its two listeners may have been added.
        stop(channel);
        if (first) {
            LOG.log(
                    Level.WARNING,
                    "Redisson cannot subscribe to the releases of " + channel.lockName() + ", so waiters poll",
                    failure);
        }
        listener.interrupted(channel.lockName());
    }

    /**
     * The subscription ended. Redisson does that, despite other listeners, when the last {@code RLock} of the same client stops
     * waiting for that lock.
     */
    void ended(Channel channel) {
        synchronized (this) {
            if (!channels.remove(channel.lockName(), channel)) {
                return;
            }
        }
        subscribe(channel.lockName());
    }

    /** A lock was released. */
    void message(Channel channel) {
        if (isCurrent(channel)) {
            listener.released(channel.lockName());
        } else {
            stop(channel);
        }
    }

    /**
     * Ends all subscriptions.
     *
     * @return done when the server has confirmed it
     */
    CompletableFuture<Void> close() {
        List<Channel> open;
        synchronized (this) {
            closed = true;
            open = new ArrayList<>(channels.values());
            channels.clear();
        }
        return CompletableFuture.allOf(open.stream()
                .map(channel -> channel.stop().toCompletableFuture())
                .toArray(CompletableFuture[]::new));
    }
}
