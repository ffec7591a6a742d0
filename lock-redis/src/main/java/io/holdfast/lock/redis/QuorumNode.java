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

    static QuorumNode of(
            String address,
            Supplier<Connection> connecting,
            RedisFailures failures,
            RedlockOptions options,
            ConcurrentHashMap<String, String> addressesByRunId) {
        NodeIdentity identity = new NodeIdentity(address, options, addressesByRunId);
        NodeConnection connection = new NodeConnection(connecting, identity, failures, options.timeout());
        return new QuorumNode(connection, identity, connecting, failures);
    }
}
