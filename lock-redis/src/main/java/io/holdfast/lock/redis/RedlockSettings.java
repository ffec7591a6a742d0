package io.holdfast.lock.redis;

import io.holdfast.lock.redis.QuorumNode.Place;
import io.holdfast.lock.redis.RedisFailures.Transport;
import io.holdfast.lock.spi.ConnectionParameters;
import io.holdfast.lock.spi.ServerAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import redis.clients.jedis.Connection;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;

/** The settings of a URI of Redlock and its parameters. */
final class RedlockSettings {

    private static final Duration LONGEST = Duration.ofDays(365);

    private RedlockSettings() {}

    static RedlockLockProvider open(URI uri, ConnectionParameters parameters, Duration quietLimit) {
        RedisAddress address = RedisAddress.of(uri, parameters);
        RedlockLockProvider.requireQuorum(address.servers().size());
        KeySpace keys = new KeySpace(parameters.text("prefix").orElse(KeySpace.DEFAULT_PREFIX));
        RedlockOptions options = options(parameters);
        JedisClientConfig config =
                RedisSettings.client(address.server(), address, address.database(), parameters, options.timeout());
        parameters.rejectUnknown();
        Transport transport = Transport.of(address);
        List<Place> places = address.servers().stream()
                .map(server -> place(server, config, transport))
                .toList();
        return new RedlockLockProvider(Quorum.of(places, options), keys, quietLimit);
    }

    private static Place place(ServerAddress server, JedisClientConfig config, Transport transport) {
        HostAndPort node = new HostAndPort(server.host(), server.port());
        return new Place(
                server.toString(),
                () -> new Connection(node, config),
                new RedisFailures(server.toString(), "none", transport));
    }

    private static RedlockOptions options(ConnectionParameters parameters) {
        RedlockOptions usual = RedlockOptions.USUAL;
        RedlockOptions options = usual.withTimeout(parameters.duration(
                        "timeout", usual.timeout(), RedlockOptions.LEAST_TIMEOUT, RedlockOptions.MOST_TIMEOUT))
                .withDrift(
                        parameters.integer("driftPercent", usual.driftPercent(), 0, RedlockOptions.MOST_DRIFT_PERCENT),
                        parameters.duration("drift", usual.drift(), Duration.ZERO, RedlockOptions.MOST_TIMEOUT))
                .withLongestLease(parameters.duration(
                        "longestLease", usual.longestLease(), RedlockOptions.LEAST_TIMEOUT, LONGEST));
        return parameters.choice("persistence", Persistence.NONE) == Persistence.ALWAYS ? options.asDurable() : options;
    }

    /** What the servers write to their disks before they answer. */
    private enum Persistence {
        NONE,
        ALWAYS
    }
}
