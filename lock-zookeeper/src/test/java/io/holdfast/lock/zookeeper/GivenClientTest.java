package io.holdfast.lock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockStoreException;
import io.holdfast.servers.ZooKeeperServer;
import java.util.List;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.imps.CuratorFrameworkState;
import org.apache.curator.retry.RetryOneTime;
import org.junit.jupiter.api.Test;

/** A provider over a Curator client of the application. */
class GivenClientTest {

    @LockRule("9.6")
    @Test
    void worksInTheClientsNamespaceAndNeverClosesIt() {
        try (ZooKeeperServer server = ZooKeeperServer.start();
                Operator application = Operator.of(server)) {
            CuratorFramework named = application.curator.usingNamespace("shop");
            Bidder holder;
            try (ZooKeeperLockProvider given =
                    ZooKeeperLockProvider.over(named).basePath("/locks").build()) {
                holder = Bidder.once(given, "a");
                assertThat(holder.granted()).isTrue();
                assertThat(application.line("/shop/locks/a")).hasSize(1);
                assertThat(given.holder("a").orElseThrow().thread()).isEqualTo(Bidder.CLAIMANT.thread());
                assertThat(given.holder("a").orElseThrow().host()).isEqualTo(Bidder.CLAIMANT.host());
                assertThat(given.holder("a").orElseThrow().pid()).isEqualTo(Bidder.CLAIMANT.pid());
                assertThat(holder.released()).isTrue();
            }
            assertThatThrownBy(holder::granted)
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContaining("closed");
            assertThat(application.curator.getState()).isEqualTo(CuratorFrameworkState.STARTED);
            assertThat(application.exists("/shop/locks")).isTrue();
        }
    }

    @Test
    void refusesAClientThatIsNotStartedAndSettingsThatAreNone() {
        CuratorFramework latent = CuratorFrameworkFactory.newClient("localhost:1", new RetryOneTime(1));
        ZooKeeperLockProvider.Builder builder = ZooKeeperLockProvider.over(latent);

        assertThatThrownBy(builder::build)
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContainingAll("LATENT", "allowed");
        assertThatThrownBy(() -> builder.acl(List.of()))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("allowed");
        for (String path : new String[] {"", "/", "a", "/a/", "/a/../b", "/a\u0000"}) {
            assertThatThrownBy(() -> builder.basePath(path))
                    .isInstanceOf(LockConfigurationException.class)
                    .hasMessageContaining("allowed");
        }
    }
}
