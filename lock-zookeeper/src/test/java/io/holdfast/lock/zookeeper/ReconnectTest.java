package io.holdfast.lock.zookeeper;

import static io.holdfast.parts.Waits.answered;
import static io.holdfast.parts.Waits.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.parts.Proves;
import io.holdfast.parts.TestClaim;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Connections that break under a session, and the session's time-out. */
@Execution(ExecutionMode.CONCURRENT)
@Tag("full")
class ReconnectTest extends ZooKeeperProxyScene {

    private String uri(String query) {
        return "zookeeper://127.0.0.1:" + proxy.port() + "/a?" + query;
    }

    private static Duration validity(ZooKeeperLockProvider provider, String name) {
        TestClaim claim = TestClaim.once(provider, name);
        // A session of 200 ms is easily lost.
        Attempt granted = answered().until(claim.claim::attempt, Attempt.Granted.class::isInstance);
        return ((Attempt.Granted) granted).validFor();
    }

    @Proves("2.5")
    @Test
    void validityIsFiveTwelfthsOfTheNegotiatedTimeOut() {
        try (ZooKeeperLockProvider more = ZooKeeperProviders.at(uri("sessionTimeout=1h"));
                ZooKeeperLockProvider less = ZooKeeperProviders.at(uri("sessionTimeout=100ms"))) {
            Duration longest = Duration.ofMinutes(10);
            Duration shortest = Duration.ofMillis(200);

            assertIsGoodFor(
                    validity(more, "a"), longest.multipliedBy(5).dividedBy(12).minus(longest.dividedBy(1_000)));
            assertIsGoodFor(
                    validity(less, "b"), shortest.multipliedBy(5).dividedBy(12).minus(shortest.dividedBy(1_000)));
        }
    }

    @Test
    void connectingClientHasTheSessionThatItWillGet() throws Exception {
        ZooKeeper client = new ZooKeeper("127.0.0.1:" + proxy.port(), 60_000, event -> {});
        try {
            Session before = new Session(client, Duration.ofSeconds(30));

            assertThat(before.children("/").await().isOk()).isTrue();

            assertThat(before.isSameAs(new Session(client, Duration.ofSeconds(30))))
                    .isTrue();
        } finally {
            client.close();
        }
    }

    @Proves({"3.3", "8.1"})
    @Test
    void suspendedConnectionIsNoLoss() throws InterruptedException {
        List<ConnectionState> states = new CopyOnWriteArrayList<>();
        try (Operator application = Operator.at("127.0.0.1:" + proxy.port());
                LockClient client = LockClient.builder(
                                ZooKeeperLockProvider.over(application.curator).build())
                        .build()) {
            application.curator.getConnectionStateListenable().addListener((curator, state) -> states.add(state));
            LockHandle held = client.lock("a").acquire();

            proxy.refuse();
            proxy.reset();
            soon().until(() -> states.contains(ConnectionState.SUSPENDED));
            assertThat(held.isHeld()).isTrue();
            proxy.accept();
            soon().until(() -> states.contains(ConnectionState.RECONNECTED));

            answered().until(held::renew);
            assertThat(held.lost()).isNotDone();
            assertThat(held.release()).isTrue();
        }
    }

    @Proves("7.2")
    @Test
    void reconnectsLoseNoLockNoQueuePositionAndNoWatch() {
        try (ZooKeeperLockProvider shaken = ZooKeeperProviders.at(uri("sessionTimeout=1m"));
                ZooKeeperLockProvider calm = ZooKeeperProviders.on(server, "/a?sessionTimeout=1m")) {
            TestClaim holder = TestClaim.once(shaken, "held");
            assertThat(holder.granted()).isTrue();
            TestClaim before = TestClaim.once(calm, "awaited");
            long token = before.token();
            TestClaim waiter = TestClaim.waiting(shaken, "awaited");
            waiter.refused();
            for (int i = 0; i < 4; i++) {
                proxy.reset();
                answered().until(holder::held);
            }
            assertThat(waiter.mayBeFree).hasValue(0);
            assertThat(shaken.watches().size()).isEqualTo(1);

            assertThat(before.released()).isTrue();

            soon().until(() -> waiter.mayBeFree.get() > 0);
            assertThat(waiter.mayBeFree).hasValue(1);
            assertThat(waiter.token()).isGreaterThan(token);
            assertThat(holder.losses).isEmpty();
            assertThat(holder.released()).isTrue();
        }
    }

    @Proves("7.2")
    @Test
    void releaseDuringADisconnectionWakesTheWaiterAfterIt() {
        try (ZooKeeperLockProvider shaken = ZooKeeperProviders.at(uri("sessionTimeout=1m"));
                ZooKeeperLockProvider calm = ZooKeeperProviders.on(server, "/a?sessionTimeout=1m")) {
            TestClaim holder = TestClaim.once(calm, "a");
            holder.granted();
            TestClaim waiter = TestClaim.waiting(shaken, "a");
            waiter.refused();
            proxy.refuse();
            proxy.reset();
            assertThat(holder.released()).isTrue();
            assertThat(waiter.mayBeFree).hasValue(0);

            proxy.accept();

            soon().until(() -> waiter.mayBeFree.get() > 0);
            assertThat(waiter.mayBeFree).hasValue(1);
            assertThat(waiter.granted()).isTrue();
        }
    }

    @Proves("7.2")
    @Test
    void waiterWithoutItsWatchGetsTheLockAtItsNextPoll() {
        ZKClientConfig forgetful = new ZKClientConfig();
        forgetful.setProperty(ZKClientConfig.DISABLE_AUTO_WATCH_RESET, "true");
        try (Operator application =
                        Operator.at("127.0.0.1:" + proxy.port(), builder -> builder.zkClientConfig(forgetful));
                ZooKeeperLockProvider shaken = ZooKeeperLockProvider.over(application.curator)
                        .basePath("/a")
                        .build();
                ZooKeeperLockProvider calm = ZooKeeperProviders.on(server, "/a?sessionTimeout=1m")) {
            TestClaim holder = TestClaim.once(calm, "a");
            holder.granted();
            TestClaim waiter = TestClaim.waiting(shaken, "a");
            waiter.refused();
            proxy.reset();
            assertThat(holder.released()).isTrue();

            assertThat(answered().until(waiter.claim::attempt, answer -> true)).isInstanceOf(Attempt.Granted.class);
            assertThat(shaken.watches().isWaiting(waiter)).isFalse();
        }
    }

    @Proves("9.2")
    @Test
    void closeEndsACallThatWaitsForAConnection() {
        ZooKeeperLockProvider provider = ZooKeeperProviders.at(uri("sessionTimeout=1m&connectTimeout=30s"));
        assertThat(TestClaim.once(provider, "a").granted()).isTrue();
        proxy.refuse();
        proxy.reset();
        soon().until(() -> !provider.sessions().curator().getZookeeperClient().isConnected());
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        Thread caller = new Thread(() -> {
            try {
                answer.complete(TestClaim.once(provider, "b").granted());
            } catch (LockStoreException failure) {
                answer.completeExceptionally(failure);
            }
        });
        caller.start();
        soon().until(() -> caller.getState() == Thread.State.TIMED_WAITING);

        provider.close();

        assertThatThrownBy(() -> answer.get(20, TimeUnit.SECONDS)).hasCauseInstanceOf(LockStoreException.class);
        assertThatThrownBy(() -> TestClaim.once(provider, "c").granted())
                .isInstanceOf(LockStoreException.class)
                .hasMessageContaining("closed");
    }
}
