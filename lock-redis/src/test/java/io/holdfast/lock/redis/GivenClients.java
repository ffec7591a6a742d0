package io.holdfast.lock.redis;

import io.holdfast.servers.RedisCluster;
import io.holdfast.servers.RedisSentinels;
import io.holdfast.servers.RedisServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import net.bytebuddy.ByteBuddy;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.RedisProtocol;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.providers.ConnectionProvider;
import redis.clients.jedis.providers.PooledConnectionProvider;

/** Clients as an application has them: of each kind that this version of Jedis has, in each protocol. */
final class GivenClients {

    private GivenClients() {}

    static List<UnifiedJedis> of(RedisServer server) {
        HostAndPort place = new HostAndPort(server.host(), server.port());
        List<UnifiedJedis> clients = new ArrayList<>();
        for (RedisProtocol protocol : RedisProtocol.values()) {
            JedisClientConfig config =
                    DefaultJedisClientConfig.builder().protocol(protocol).build();
            for (String kind : List.of("JedisPooled", "RedisClient")) {
                if (!has(kind)) {
                    continue;
                }
                if (kind.equals("RedisClient")) {
                    clients.add(RedisClients.open(place, config));
                } else {
                    clients.add(made(pooled(), place, config));
                    // A subclass, as in an application that counts its commands.
                    clients.add(made(
                            new ByteBuddy()
                                    .subclass(pooled())
                                    .make()
                                    .load(GivenClients.class.getClassLoader())
                                    .getLoaded(),
                            place,
                            config));
                }
            }
        }
        return clients;
    }

    /** Clients of sentinels, of each kind that this version of Jedis has, in each protocol. */
    static List<UnifiedJedis> of(RedisSentinels sentinels) {
        Set<HostAndPort> nodes = sentinels.sentinels().stream()
                .map(sentinel -> new HostAndPort(sentinel.host(), sentinel.port()))
                .collect(Collectors.toSet());
        List<UnifiedJedis> clients = new ArrayList<>();
        for (RedisProtocol protocol : RedisProtocol.values()) {
            JedisClientConfig config =
                    DefaultJedisClientConfig.builder().protocol(protocol).build();
            if (has("JedisSentineled")) {
                clients.add(sentineled(nodes, config));
            }
            if (has("RedisSentinelClient")) {
                clients.add(SentinelClients.open(nodes, config));
            }
        }
        return clients;
    }

    /** Clients of a cluster. */
    @SuppressWarnings("deprecation") // The one that Jedis 6 has.
    static List<UnifiedJedis> of(RedisCluster cluster) {
        Set<HostAndPort> seeds = cluster.nodes().stream()
                .map(node -> new HostAndPort(node.host(), node.port()))
                .collect(Collectors.toSet());
        List<UnifiedJedis> clients = new ArrayList<>();
        for (RedisProtocol protocol : RedisProtocol.values()) {
            JedisClientConfig config =
                    DefaultJedisClientConfig.builder().protocol(protocol).build();
            clients.add(new redis.clients.jedis.JedisCluster(seeds, config));
            if (has("RedisClusterClient")) {
                clients.add(ClusterClients.open(seeds, config));
            }
        }
        return clients;
    }

    private static boolean has(String kind) {
        return GivenClients.class.getResource("/redis/clients/jedis/" + kind + ".class") != null;
    }

    private static UnifiedJedis sentineled(Set<HostAndPort> nodes, JedisClientConfig config) {
        try {
            return Class.forName("redis.clients.jedis.JedisSentineled")
                    .asSubclass(UnifiedJedis.class)
                    .getConstructor(String.class, JedisClientConfig.class, Set.class, JedisClientConfig.class)
                    .newInstance(RedisSentinels.MASTER, config, nodes, config);
        } catch (ReflectiveOperationException missing) {
            throw new LinkageError("A JedisSentineled could not be made", missing);
        }
    }

    /** A client of an unknown kind. */
    static UnifiedJedis unknown(RedisServer server) {
        return new Unknown(new PooledConnectionProvider(new HostAndPort(server.host(), server.port())));
    }

    private static final class Unknown extends UnifiedJedis {
        Unknown(ConnectionProvider provider) {
            super(provider, RedisProtocol.RESP2);
        }
    }

    /** By name, as it is missing in the version of Jedis that the tests are compiled with. */
    private static Class<? extends UnifiedJedis> pooled() {
        try {
            return Class.forName("redis.clients.jedis.JedisPooled").asSubclass(UnifiedJedis.class);
        } catch (ClassNotFoundException missing) {
            throw new LinkageError("There is no JedisPooled", missing);
        }
    }

    private static UnifiedJedis made(Class<? extends UnifiedJedis> type, HostAndPort place, JedisClientConfig config) {
        try {
            return type.getConstructor(HostAndPort.class, JedisClientConfig.class)
                    .newInstance(place, config);
        } catch (ReflectiveOperationException missing) {
            throw new LinkageError("A " + type + " could not be made", missing);
        }
    }

    /** Separate, as it can be loaded only if there is such a client. */
    private static final class RedisClients {
        static UnifiedJedis open(HostAndPort place, JedisClientConfig config) {
            return redis.clients.jedis.RedisClient.builder()
                    .hostAndPort(place)
                    .clientConfig(config)
                    .build();
        }
    }

    /** Separate for the same reason. */
    private static final class SentinelClients {
        static UnifiedJedis open(Set<HostAndPort> nodes, JedisClientConfig config) {
            return redis.clients.jedis.RedisSentinelClient.builder()
                    .masterName(RedisSentinels.MASTER)
                    .sentinels(nodes)
                    .sentinelClientConfig(config)
                    .clientConfig(config)
                    .build();
        }
    }

    /** Separate for the same reason. */
    private static final class ClusterClients {
        static UnifiedJedis open(Set<HostAndPort> seeds, JedisClientConfig config) {
            return redis.clients.jedis.RedisClusterClient.builder()
                    .nodes(seeds)
                    .clientConfig(config)
                    .build();
        }
    }
}
