package io.holdfast.lock.redis;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionPool;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.providers.ClusterConnectionProvider;
import redis.clients.jedis.util.Pool;

/** The connections to the nodes of a cluster. Thread-safe. */
interface NodePools extends AutoCloseable {

    /** The pool of a node, perhaps a new one. */
    Pool<Connection> of(HostAndPort node);

    /** Opens a connection to subscribe on. */
    Connection subscription(HostAndPort node);

    /** The nodes that are known before any was asked. */
    Set<HostAndPort> seeds();

    /** Closes the connections to all other nodes. */
    void retain(Set<HostAndPort> nodes);

    @Override
    void close();

    /** Pools that the provider opens and closes. */
    static NodePools owned(
            Set<HostAndPort> seeds, JedisClientConfig client, GenericObjectPoolConfig<Connection> config) {
        return new NodePools() {
            private final Map<HostAndPort, ConnectionPool> pools = new HashMap<>();
            private boolean closed;

            @Override
            public synchronized Pool<Connection> of(HostAndPort node) {
                if (closed) {
                    throw new JedisException("The provider is closed");
                }
                return pools.computeIfAbsent(node, each -> new ConnectionPool(each, client, config));
            }

            @Override
            public Connection subscription(HostAndPort node) {
                return new Connection(node, client);
            }

            @Override
            public Set<HostAndPort> seeds() {
                return seeds;
            }

            @Override
            public synchronized void retain(Set<HostAndPort> nodes) {
                Map<HostAndPort, ConnectionPool> gone = new HashMap<>(pools);
                gone.keySet().removeAll(nodes);
                pools.keySet().removeAll(gone.keySet());
                gone.values().forEach(Pool::close);
            }

            @Override
            public synchronized void close() {
                closed = true;
                retain(Set.of());
            }
        };
    }

    /** The pools of a given client, which stay open. */
    static NodePools given(ClusterConnectionProvider client) {
        return new NodePools() {
            @Override
            public Pool<Connection> of(HostAndPort node) {
                ConnectionPool known = client.getNodes().get(node.toString());
                if (known != null) {
                    return known;
                }
                // Makes the pool as well.
                client.getConnection(node).close();
                ConnectionPool made = client.getNodes().get(node.toString());
                if (made == null) {
                    throw new JedisConnectionException("The node " + node + " has left the cluster");
                }
                return made;
            }

            @Override
            public Connection subscription(HostAndPort node) {
                return of(node).getResource();
            }

            @Override
            public Set<HostAndPort> seeds() {
                return client.getNodes().keySet().stream()
                        .map(HostAndPort::from)
                        .collect(Collectors.toCollection(LinkedHashSet::new));
            }

            @Override
            public void retain(Set<HostAndPort> nodes) {
                // The client closes its pools.
            }

            @Override
            public void close() {
                // The application closes the client.
            }
        };
    }
}
