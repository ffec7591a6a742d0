package io.holdfast.lock.zookeeper;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockConfigurationException;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.junit.jupiter.api.Test;

/** What a version of Curator comes to that is too old. It runs with such a one, and with no other. */
class RefusedLine {

    @Test
    void isNamedByTheUri() {
        assertThatThrownBy(() -> LockClient.connect("zookeeper://127.0.0.1"))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContainingAll("Curator", System.getProperty("line.version"), "allowed is 5.1 or newer");
    }

    @Test
    void isNamedByTheProviderOverAClient() {
        try (CuratorFramework curator = CuratorFrameworkFactory.newClient("127.0.0.1", new RetryOneTime(1))) {
            curator.start();
            ZooKeeperLockProvider.Builder builder = ZooKeeperLockProvider.over(curator);

            assertThatThrownBy(builder::build)
                    .isInstanceOf(LockConfigurationException.class)
                    .hasMessageContainingAll("Curator", System.getProperty("line.version"), "allowed is 5.1 or newer");
        }
    }
}
