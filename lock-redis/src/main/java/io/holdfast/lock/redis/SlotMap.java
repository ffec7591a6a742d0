package io.holdfast.lock.redis;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisDataException;

/** Which master serves which slot, as one node of the cluster has told it. Immutable. */
final class SlotMap {

    /** In a range of slots: its first slot and its last one, its master, and the replicas. */
    private static final int MASTER = 2;

    private final @Nullable HostAndPort[] masters = new @Nullable HostAndPort[HashTags.SLOTS];
    private final Set<HostAndPort> allMasters = new LinkedHashSet<>();
    private final Set<HostAndPort> nodes = new LinkedHashSet<>();

    private SlotMap() {}

    /**
     * Asks a node. A slot may have no master: a cluster without full coverage serves the others.
     *
     * @throws JedisDataException if none has: the node was never in the cluster, or is there no longer
     */
    static SlotMap read(Connection connection, HostAndPort node) {
        connection.sendCommand(Command.CLUSTER, "SLOTS");
        SlotMap map = new SlotMap();
        for (Object range : (List<?>) connection.getOne()) {
            map.add((List<?>) range, node.getHost());
        }
        if (map.allMasters.isEmpty()) {
            throw new JedisDataException("CLUSTERDOWN the node " + node
                    + " knows no master of any slot: it belongs to no cluster, or that has not been made yet");
        }
        return map;
    }

    private void add(List<?> range, String askedHost) {
        for (int i = MASTER; i < range.size(); i++) {
            List<?> told = (List<?>) range.get(i);
            // A node that does not know its host name means the one that it was asked by.
            String host = told.get(0) instanceof byte[] name && name.length > 0
                    ? new String(name, StandardCharsets.UTF_8)
                    : askedHost;
            HostAndPort node = new HostAndPort(host, number(told.get(1)));
            nodes.add(node);
            if (i == MASTER) {
                allMasters.add(node);
                for (int slot = number(range.get(0)); slot <= number(range.get(1)); slot++) {
                    masters[slot] = node;
                }
            }
        }
    }

    private static int number(@Nullable Object reply) {
        return reply instanceof Long number ? Math.toIntExact(number) : 0;
    }

    Optional<HostAndPort> master(int slot) {
        return Optional.ofNullable(masters[slot]);
    }

    Set<HostAndPort> masters() {
        return allMasters;
    }

    /** Masters and replicas. */
    Set<HostAndPort> nodes() {
        return nodes;
    }
}
