package io.holdfast.lock.zookeeper;

import static io.holdfast.parts.Waits.answered;
import static io.holdfast.parts.Waits.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.tck.faults.TcpProxy;
import io.holdfast.parts.Proves;
import io.holdfast.parts.TestClaim;
import io.holdfast.servers.ZooKeeperServer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.imps.CuratorFrameworkState;
import org.apache.curator.framework.listen.Listenable;
import org.apache.curator.framework.listen.ListenerManager;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A provider over a Curator client of the application. */
@Execution(ExecutionMode.CONCURRENT)
@Tag("server")
class ZooKeeperGivenClientTest {

    @Proves("9.6")
    @Test
    void worksInTheClientsNamespaceAndNeverClosesIt() {
        try (ZooKeeperServer server = ZooKeeperServer.start();
                Operator application = Operator.of(server)) {
            CuratorFramework named = application.curator.usingNamespace("shop");
            TestClaim holder;
            try (ZooKeeperLockProvider given =
                    ZooKeeperLockProvider.over(named).basePath("/locks").build()) {
                holder = TestClaim.once(given, "a");
                assertThat(holder.granted()).isTrue();
                assertThat(application.queue("/shop/locks/a")).hasSize(1);
                assertThat(given.holder("a").orElseThrow().thread()).contains(TestClaim.CLAIMANT.thread());
                assertThat(given.holder("a").orElseThrow().host()).contains(TestClaim.CLAIMANT.host());
                assertThat(given.holder("a").orElseThrow().pid()).hasValue(TestClaim.CLAIMANT.pid());
                assertThat(holder.released()).isTrue();
            }
            assertThatThrownBy(holder::granted)
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContaining("closed");
            assertThat(application.curator.getState()).isEqualTo(CuratorFrameworkState.STARTED);
            assertThat(application.exists("/shop/locks")).isTrue();
        }
    }

    @Proves("8.5")
    @Test
    void holderHearsOfItsLossWhenTheApplicationClosesItsClient() {
        try (ZooKeeperServer server = ZooKeeperServer.start();
                Operator application = Operator.of(server);
                ZooKeeperLockProvider given =
                        ZooKeeperLockProvider.over(application.curator).build()) {
            TestClaim holder = TestClaim.once(given, "a");
            assertThat(holder.granted()).isTrue();

            TestClaim waiter = TestClaim.waiting(given, "a");
            waiter.refused();

            application.curator.close();

            assertThat(holder.losses).containsExactly(LossCause.SESSION_ENDED);
            // A client that is closed answers nothing.
            soon().until(() -> waiter.mayBeFree.get() > 0);
        }
    }

    @Test
    void worksInAClientsChrootAndWithItsPermissions() {
        List<ACL> mine = List.of(new ACL(ZooDefs.Perms.ALL, new Id("auth", "")));
        try (ZooKeeperServer server = ZooKeeperServer.start();
                Operator root = Operator.of(server)) {
            root.create(CreateMode.PERSISTENT, "/top", "");
            try (Operator application = Operator.at(
                            server.host() + ":" + server.port() + "/top",
                            builder -> builder.authorization("digest", "me:secret".getBytes(StandardCharsets.UTF_8)));
                    ZooKeeperLockProvider given = ZooKeeperLockProvider.over(application.curator)
                            .basePath("/locks")
                            .acl(mine)
                            .build()) {
                TestClaim holder = TestClaim.once(given, "a");
                TestClaim waiter = TestClaim.waiting(given, "a");
                assertThat(holder.granted()).isTrue();
                waiter.refused();
                assertThat(holder.held()).isTrue();
                assertThat(application.queue("/locks/a")).hasSize(2);
                assertThatThrownBy(() -> root.queue("/top/locks/a")).hasMessageContaining("NoAuth");
                assertThat(holder.released()).isTrue();
                soon().until(() -> waiter.mayBeFree.get() > 0);
                assertThat(waiter.mayBeFree).hasValue(1);
                assertThat(waiter.granted()).isTrue();
            }
        }
    }

    @Proves("5.6")
    @Test
    void undeletedNodesAreDeletedAfterCloseWhileTheSessionLives() {
        try (ZooKeeperServer server = ZooKeeperServer.start();
                Operator operator = Operator.of(server);
                TcpProxy proxy = TcpProxy.to(server.host(), server.port());
                Operator application =
                        Operator.at("127.0.0.1:" + proxy.port(), builder -> builder.connectionTimeoutMs(500))) {
            ZooKeeperLockProvider given = ZooKeeperLockProvider.over(application.curator.usingNamespace("shop"))
                    .basePath("/locks")
                    .build();
            TestClaim gone = TestClaim.once(given, "gone");
            assertThat(gone.granted()).isTrue();
            assertThat(gone.released()).isTrue();
            TestClaim holder = TestClaim.once(given, "held");
            assertThat(holder.granted()).isTrue();
            application.create(CreateMode.EPHEMERAL, "/of-the-session", "");
            TestClaim unknown = TestClaim.once(given, "gone");
            proxy.dropNextReply();
            assertThatThrownBy(unknown::granted).isInstanceOf(LockStoreException.class);
            proxy.refuse();
            proxy.reset();
            assertThatThrownBy(holder::released).isInstanceOf(LockStoreException.class);

            given.close();
            assertThat(operator.queue("/shop/locks/held")).hasSize(1);
            assertThat(operator.queue("/shop/locks/gone")).hasSize(1);
            proxy.accept();

            soon().until(() -> operator.queue("/shop/locks/held").isEmpty()
                    && operator.queue("/shop/locks/gone").isEmpty());
            assertThat(operator.exists("/of-the-session")).isTrue();
        }
    }

    @Test
    void releasedClaimIsForgotten() {
        try (ZooKeeperServer server = ZooKeeperServer.start();
                ZooKeeperLockProvider provider = ZooKeeperProviders.on(server, "/a?sessionTimeout=1m")) {
            TestClaim holder = TestClaim.once(provider, "a");
            TestClaim waiter = TestClaim.waiting(provider, "a");
            TestClaim refused = TestClaim.once(provider, "a");
            assertThat(holder.granted()).isTrue();
            waiter.refused();
            refused.refused();
            assertThat(provider.registry().size()).isEqualTo(2);

            assertThat(holder.released()).isTrue();
            assertThat(waiter.released()).isFalse();

            assertThat(provider.registry().size()).isZero();
            assertThat(provider.losses().size()).isZero();
            server.kill();
            // Without a request.
            assertThat(holder.released()).isFalse();
            assertThat(refused.released()).isFalse();
        }
    }

    @Test
    void lostClaimIsForgotten() {
        try (ZooKeeperServer server = ZooKeeperServer.start();
                Operator operator = Operator.of(server);
                ZooKeeperLockProvider provider = ZooKeeperProviders.on(server, "/a?sessionTimeout=1m")) {
            TestClaim holder = TestClaim.once(provider, "a");
            assertThat(holder.granted()).isTrue();
            operator.deleteFirst("/a/a");

            assertThat(holder.held()).isFalse();

            assertThat(provider.registry().size()).isZero();
            assertThat(provider.losses().size()).isZero();
            assertThat(holder.held()).isFalse();
        }
    }

    private static int listeners(Listenable<?> listenable) {
        return ((ListenerManager<?, ?>) listenable).size();
    }

    @Proves("9.3")
    @Test
    void closedProviderRemovesItsListeners() {
        try (ZooKeeperServer server = ZooKeeperServer.start();
                Operator application = Operator.of(server)) {
            CuratorFramework client = application.curator;
            int ofConnection = listeners(client.getConnectionStateListenable());
            int ofEvents = listeners(client.getCuratorListenable());
            ZooKeeperLockProvider given = ZooKeeperLockProvider.over(client).build();
            assertThat(TestClaim.once(given, "a").granted()).isTrue();

            given.close();

            assertThat(listeners(client.getConnectionStateListenable())).isEqualTo(ofConnection);
            assertThat(listeners(client.getCuratorListenable())).isEqualTo(ofEvents);
        }
    }

    @Proves("9.4")
    @Test
    void callsFailInTimeWhileACallbackBlocksTheClient() throws Exception {
        CountDownLatch blocked = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        try (ZooKeeperServer server = ZooKeeperServer.start();
                Operator operator = Operator.of(server);
                Operator application = Operator.at(
                        server.host() + ":" + server.port(),
                        // Long enough for the session to last until the callback blocks.
                        builder -> builder.sessionTimeoutMs(3_000).connectionTimeoutMs(500));
                ZooKeeperLockProvider given =
                        ZooKeeperLockProvider.over(application.curator).build()) {
            TestClaim claim = TestClaim.once(given, "a");
            application
                    .curator
                    .checkExists()
                    .inBackground((client, event) -> {
                        blocked.countDown();
                        end.await();
                    })
                    .forPath("/");
            blocked.await();

            assertThatThrownBy(claim::granted)
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContainingAll("acquire of lock 'a'", "timed out");

            end.countDown();
            answered().until(() -> {
                claim.released();
                return operator.queue("/holdfast/a").isEmpty();
            });
        } finally {
            end.countDown();
        }
    }

    @Test
    void stoppedClientAndInvalidSettingsAreRefused() {
        CuratorFramework latent = CuratorFrameworkFactory.newClient("localhost:1", new RetryOneTime(1));
        ZooKeeperLockProvider.Builder builder = ZooKeeperLockProvider.over(latent);

        assertThatThrownBy(builder::build)
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContainingAll("LATENT", "allowed");
        assertThatThrownBy(() -> builder.acl(List.of()))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("allowed");
        for (String path : new String[] {"", "/", "a", "/a/", "/a/../b", "/a\u0000", "/" + "x".repeat(1_024)}) {
            assertThatThrownBy(() -> builder.basePath(path))
                    .isInstanceOf(LockConfigurationException.class)
                    .hasMessageContaining("allowed");
        }
    }
}
