package io.holdfast.lock.redis;

import io.holdfast.lock.spi.ReleaseFeed.Listener;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * What the feed of a client subscribes to, and where it reports.
 *
 * @param keys the keys of the locks
 * @param reach whom a message reaches
 * @param channels the channel of a name
 * @param messages gets each message before the listener hears of it
 * @param listener the engine's
 * @param quietLimit how long a connection may say nothing until it is replaced
 */
record FeedTarget(
        KeySpace keys,
        Reach reach,
        UnaryOperator<String> channels,
        Consumer<String> messages,
        Listener listener,
        Duration quietLimit) {

    /** Whom the message of a release reaches. */
    enum Reach {
        /** All clients that are subscribed to the name. */
        ALL,
        /** The client whose claim was granted the lock. */
        NEXT
    }

    /** The messages that a lock was released: all clients subscribe to the same channels. */
    static FeedTarget ofReleases(KeySpace keys, Listener listener, Duration quietLimit) {
        return new FeedTarget(keys, Reach.ALL, keys::channel, message -> {}, listener, quietLimit);
    }

    String channel(String name) {
        return channels.apply(name);
    }
}
