package io.holdfast.lock.zookeeper;

import static io.holdfast.parts.Waits.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.parts.Proves;
import io.holdfast.parts.TestClaim;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The watches that closed providers leave in an application's client. */
@Execution(ExecutionMode.CONCURRENT)
@Tag("full")
class LeftWatchesTest extends ZooKeeperProxyScene {

    /** A client that shows which nodes it watches. ZooKeeper's own can be interrupted while it closes. */
    @SuppressWarnings("try")
    private static final class OpenClient extends ZooKeeper {
        OpenClient(String servers, int sessionMillis, Watcher watcher) throws IOException {
            super(servers, sessionMillis, watcher);
        }

        List<String> watched() {
            return getDataWatches();
        }

        List<String> watchedForCreation() {
            return getExistWatches();
        }
    }

    private final Operator application = Operator.at(
            "127.0.0.1:" + proxy.port(),
            builder -> builder.zookeeperFactory(
                    (servers, millis, watcher, readOnly) -> new OpenClient(servers, millis, watcher)));
    private final ZooKeeperLockProvider other = ZooKeeperProviders.on(server, "/holdfast?sessionTimeout=5m");

    @AfterEach
    void close() {
        other.close();
        application.close();
    }

    private List<String> watched() {
        return Operator.call(
                () -> ((OpenClient) application.curator.getZookeeperClient().getZooKeeper()).watched());
    }

    private ZooKeeperLockProvider given() {
        return ZooKeeperLockProvider.over(application.curator).build();
    }

    @Proves("9.3")
    @Test
    void closedProviderRemovesItsWatchesAndOtherWaitersGoOn() {
        TestClaim holder = TestClaim.once(other, "a");
        assertThat(holder.granted()).isTrue();
        for (int i = 0; i < 3; i++) {
            try (ZooKeeperLockProvider given = given()) {
                TestClaim waiter = TestClaim.waiting(given, "a");
                waiter.refused();
                assertThat(watched()).hasSize(1);
                assertThat(waiter.released()).isFalse();
            }
            soon().until(() -> watched().isEmpty());
        }
        try (ZooKeeperLockProvider staying = given()) {
            TestClaim stays = TestClaim.waiting(staying, "a");
            stays.refused();
            ZooKeeperLockProvider leaving = given();
            TestClaim leaves = TestClaim.waiting(leaving, "b");
            TestClaim.once(other, "b").granted();
            leaves.refused();
            assertThat(watched()).hasSize(2);
            leaving.close();
            soon().until(() -> watched().size() == 1);

            assertThat(holder.released()).isTrue();

            soon().until(() -> stays.mayBeFree.get() > 0);
            assertThat(stays.granted()).isTrue();
        }
    }

    @Proves("9.3")
    @Test
    void closedProviderRemovesTheWatchOfTheTokensOffset() {
        OpenClient client = (OpenClient) Objects.requireNonNull(
                Operator.call(() -> application.curator.getZookeeperClient().getZooKeeper()));
        try (ZooKeeperLockProvider given = given()) {
            for (String name : List.of("a", "b", "c")) {
                assertThat(TestClaim.once(given, name).granted()).isTrue();
            }
            assertThat(client.watchedForCreation()).containsExactly("/holdfast/#tokens");
        }
        soon().until(() -> client.watchedForCreation().isEmpty());
    }

    @Proves("9.3")
    @Test
    void watchesOfHoldersEndWithTheirNodes() {
        try (ZooKeeperLockProvider given = given()) {
            List<TestClaim> holders = Stream.of("a", "b", "c")
                    .map(name -> TestClaim.once(given, name))
                    .toList();
            holders.forEach(holder -> assertThat(holder.granted()).isTrue());
            for (int round = 0; round < 2; round++) {
                given.renewAll(holders.stream().map(holder -> holder.claim).toList());
                assertThat(watched()).hasSize(2);
            }

            assertThat(holders.get(1).released()).isTrue();

            assertThat(watched()).hasSize(1);
        }
        soon().until(() -> watched().isEmpty());
    }

    @Proves("9.3")
    @Test
    void providerClosedWithoutAConnectionRemovesItsWatches() {
        assertThat(TestClaim.once(other, "a").granted()).isTrue();
        ZooKeeperLockProvider given = given();
        TestClaim.waiting(given, "a").refused();
        ZooKeeper client = Objects.requireNonNull(
                Operator.call(() -> application.curator.getZookeeperClient().getZooKeeper()));
        proxy.refuse();
        proxy.reset();
        soon().until(() -> !client.getState().isConnected());
        assertThat(((OpenClient) client).watched()).hasSize(1);

        given.close();

        soon().until(() -> ((OpenClient) client).watched().isEmpty());
        assertThat(client.getState().isAlive()).isTrue();
    }
}
