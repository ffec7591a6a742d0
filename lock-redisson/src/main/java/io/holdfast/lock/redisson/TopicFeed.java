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
 * Hears of releases by one of Redisson's topics for each lock. Thread-safe. Nothing in here calls Redisson or the engine with the
 * monitor held.
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
     * @param opener makes the channel of a lock, by the lock's name, that is not started yet; empty if the lock has none
     */
    TopicFeed(Function<String, Optional<Channel>> opener, Listener listener) {
        this.opener = opener;
        this.listener = listener;
    }

    /** Listens to the channel of one lock. Used once: what has ended is replaced by a new one. */
    interface Channel {

        /** The name of the lock. */
        String lockName();

        /** Starts to listen, and tells the feed what happens; what it throws is a failure, too. Does not wait. */
        void start(TopicFeed feed);

        /**
         * Listens no more.
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
            // Whatever it is: a channel that is taken for one that starts would leave the lock without messages for
            // ever.
            failed(opened.get(), failure);
        }
    }

    /** A channel that is being opened is closed when it is open. */
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

    /** The server sends the channel's messages from now on, for the first time or once more after the connection was lost. */
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

    /** The channel cannot be listened to. The engine subscribes again while somebody waits. */
    void failed(Channel channel, Throwable failure) {
        boolean first;
        synchronized (this) {
            if (closed || !channels.remove(channel.lockName(), channel)) {
                return;
            }
            first = failing.add(channel.lockName());
        }
        // Of its two halves one may have succeeded.
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
     * The server sends the channel's messages no more. Redisson itself ends a subscription, other listeners or not, when the last
     * {@code RLock} of the same client has stopped waiting for that lock.
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
