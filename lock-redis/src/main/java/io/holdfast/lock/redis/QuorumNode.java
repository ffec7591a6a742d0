package io.holdfast.lock.redis;

import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import redis.clients.jedis.Connection;

/**
 * One node of a quorum.
 *
 * @param connection for calls
 * @param identity which server it is
 * @param subscriptions opens connections for messages
 * @param failures describes its failures
 */
record QuorumNode(
        NodeConnection connection, NodeIdentity identity, Supplier<Connection> subscriptions, RedisFailures failures) {

    /**
     * Where a node is.
     *
     * @param address for messages
     * @param connecting opens a connection
     * @param failures describes its failures
     */
    record Place(String address, Supplier<Connection> connecting, RedisFailures failures) {}

    /** Makes its thread, which connects at the first use. */
    static QuorumNode at(
            Place place,
            RedlockOptions options,
            ConcurrentHashMap<String, NodeIdentity> nodesByRunId,
            Runnable clockSet) {
        NodeIdentity identity = new NodeIdentity(place.address(), options, nodesByRunId, clockSet);
        NodeConnection connection =
                new NodeConnection(place.connecting(), identity, place.failures(), options.timeout());
        return new QuorumNode(connection, identity, place.connecting(), place.failures());
    }
}
