package io.holdfast.lock.redis;

import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.HostAndPort;

/** Where a {@link ReleaseMessages} subscribes. */
@FunctionalInterface
interface SubscriptionPlace {

    /**
     * Opens a connection to subscribe on. The caller closes it.
     *
     * @throws redis.clients.jedis.exceptions.JedisException if none can be had
     */
    Connection open();

    /** What follows for waiters while no connection can be had, for the log. */
    default String consequence() {
        return "until it is back, waiters poll";
    }

    /** What to subscribe by, if the server is new enough for it. */
    default Requests.Kind kind() {
        return Requests.Kind.CLASSIC;
    }

    /**
     * The node failed, or said that it does not serve a channel: finds out what the cluster is now, and unsubscribes the names
     * that another node serves. Throws nothing.
     *
     * @param node the node to ask instead, if the answer named one
     */
    default void changed(@Nullable HostAndPort node) {}
}
