package io.holdfast.lock.redis;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.redis.RedisLockProvider.Layout;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.tck.LockHarness;
import io.holdfast.lock.tck.faults.Faults;
import io.holdfast.lock.tck.faults.ServerGate;
import io.holdfast.parts.JarVersion;
import io.holdfast.servers.RedisCluster;
import io.holdfast.servers.RedisServer;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.providers.ClusterConnectionProvider;

/**
 * A Redis cluster for the kit. All its tests share one, which ends with the JVM. For an outage the providers use given
 * connections, as these can be led through proxies: the nodes name their own addresses.
 */
final class ClusterHarness implements LockHarness {

    /** No outage of the kit is a fail-over. */
    private static final Duration SHORT = Duration.ofMillis(200);

    private final RedisCluster cluster = SharedCluster.get();
    private final Layout layout;
    private final Map<HostAndPort, ServerGate> gates = new HashMap<>();
    private final Queue<ClusterConnectionProvider> clients = new ConcurrentLinkedQueue<>();

    ClusterHarness(Layout layout) {
        this.layout = layout;
    }

    @Override
    public LockProvider open() {
        return gates.isEmpty()
                ? RedisProviders.at(address())
                : new RedisLockProvider(
                        ClusterScriptRunner.over(client(), ClientUse.LOCKS, new FailOverPatience(SHORT)),
                        layout,
                        new KeySpace(KeySpace.DEFAULT_PREFIX),
                        ReleaseMessages.QUIET_LIMIT);
    }

    /** A given client connects at once. */
    private ClusterConnectionProvider client() {
        ClusterConnectionProvider client;
        try {
            client = new ClusterConnectionProvider(
                    Set.copyOf(gates.keySet()),
                    DefaultJedisClientConfig.builder()
                            .hostAndPortMapper(node -> new HostAndPort(
                                    node.getHost(), gates.get(node).port()))
                            .build());
        } catch (JedisException unreachable) {
            throw new LockStoreException("The test cannot connect its client", unreachable);
        }
        clients.add(client);
        return client;
    }

    @Override
    public Optional<String> uri() {
        return Optional.of(address());
    }

    private String address() {
        return "redis-cluster://" + cluster.addresses() + "?layout=" + layout;
    }

    @Override
    public Optional<Consumer<String>> remover() {
        return Optional.of(name -> {
            String key = KeySpace.DEFAULT_PREFIX + name;
            cluster.master(key).command("DEL", key);
        });
    }

    @Override
    public Faults faults() {
        return SeveralServers.faults(this::openGates);
    }

    private Collection<ServerGate> openGates() {
        for (RedisServer node : cluster.nodes()) {
            gates.computeIfAbsent(
                    new HostAndPort(node.host(), node.port()), address -> new ServerGate(node.host(), node.port()));
        }
        gates.values().forEach(ServerGate::proxy);
        return gates.values();
    }

    @Override
    public List<String> versions() {
        return List.of("Redis " + cluster.nodes().get(0).version(), "Jedis " + JarVersion.of(UnifiedJedis.class));
    }

    @Override
    public void close() {
        clients.forEach(ClusterConnectionProvider::close);
        gates.values().forEach(ServerGate::close);
    }
}
