package io.holdfast.lock.redisson;

import io.holdfast.lock.redisson.LockNaming.Topology;
import java.nio.charset.StandardCharsets;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.connection.ConnectionManager;
import org.redisson.connection.MasterSlaveEntry;

/** Which keys are on the same node of the store, as far as Redisson knows. */
interface KeyOwners {

    /**
     * The node of a key.
     *
     * @return an object that is equal for keys of the same node
     */
    Object ownerOf(String key);

    static KeyOwners of(RedissonClient redisson, Topology topology) {
        if (topology == Topology.SINGLE) {
            return key -> topology;
        }
        // Not in Redisson's API; its own modules ask in this way, too.
        return redisson instanceof Redisson known
                ? inCluster(known.getCommandExecutor().getConnectionManager())
                // A wrapper. One node per key is never wrong, but costs more round trips.
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
