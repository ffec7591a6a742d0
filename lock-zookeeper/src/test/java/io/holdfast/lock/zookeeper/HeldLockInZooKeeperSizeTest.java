package io.holdfast.lock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockClient;
import io.holdfast.parts.LiveHeap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** What a lock that is held in ZooKeeper costs its client. */
@Tag("full")
@Isolated
class HeldLockInZooKeeperSizeTest extends ZooKeeperProxyScene {

    /** Without the watch on its node, which the first renewal sets: ZooKeeper's client keeps 230 bytes for it, and the path. */
    @Test
    void heldLockCostsLittleMoreThanAThousandBytes() {
        try (LockClient client = LockClient.connect("zookeeper://127.0.0.1:" + proxy.port() + "?sessionTimeout=5m")) {
            assertThat(LiveHeap.bytesForEachLockOf(client)).isLessThan(1_150);
        }
    }
}
