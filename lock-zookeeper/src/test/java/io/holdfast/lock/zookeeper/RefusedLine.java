package io.holdfast.lock.zookeeper;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockConfigurationException;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.junit.jupiter.api.Test;

/** A version of Curator or of ZooKeeper's client that is too old. Runs only with such a version. */
class RefusedLine {

    private static final String REASON = "The version of " + System.getProperty("line.refused") + " or newer";

    @Test
    void isNamedByTheUri() {
        assertThatThrownBy(() -> LockClient.connect("zookeeper://127.0.0.1"))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessage(REASON);
    }

    @Test
    void isNamedByTheProviderOverAClient() {
        try (CuratorFramework curator = CuratorFrameworkFactory.newClient("127.0.0.1", new RetryOneTime(1))) {
            curator.start();
            ZooKeeperLockProvider.Builder builder = ZooKeeperLockProvider.over(curator);

            assertThatThrownBy(builder::build)
                    .isInstanceOf(LockConfigurationException.class)
                    .hasMessage(REASON);
        }
    }
}
