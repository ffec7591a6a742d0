package io.holdfast.lock.redisson;

import io.holdfast.lock.redisson.LockNaming.Topology;
import java.nio.charset.StandardCharsets;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.connection.ConnectionManager;
import org.redisson.connection.MasterSlaveEntry;

/** Tells which keys the same node of the store is responsible for, as far as Redisson knows at the moment. */
interface KeyOwners {

    /**
     * Who is responsible for a key.
     *
     * @return something that is equal for keys of the same node
     */
    Object ownerOf(String key);

    static KeyOwners of(RedissonClient redisson, Topology topology) {
        if (topology == Topology.SINGLE) {
            return key -> topology;
        }
        // Redisson's API does not tell; its own modules ask in this way, too.
        return redisson instanceof Redisson known
                ? inCluster(known.getCommandExecutor().getConnectionManager())
                // Somebody's wrapper. That each key has a node of its own is never wrong, but costs more.
                : key -> key;
    }

    private static KeyOwners inCluster(ConnectionManager nodes) {
        return key -> {
            int slot = nodes.calcSlot(key.getBytes(StandardCharsets.UTF_8));
            MasterSlaveEntry node = nodes.getWriteEntry(slot);
            return node == null ? slot : node;
        };
    }
}
