package io.holdfast.lock.zookeeper;

import static io.holdfast.parts.Waits.answered;
import static io.holdfast.parts.Waits.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.lock.tck.faults.TcpProxy.Direction;
import io.holdfast.lock.zookeeper.OwnNodes.ClaimNode;
import io.holdfast.parts.Proves;
import io.holdfast.parts.TestClaim;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Sessions that come back with another time-out, because the server's configuration has changed. */
@Execution(ExecutionMode.CONCURRENT)
@Tag("full")
class ChangedTimeOutTest extends ZooKeeperProxyScene {

    private static final Duration BOUND = Duration.ofSeconds(30);
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final Duration SHORT = Duration.ofSeconds(10);
    /** The client pauses for up to a second before it tries the next one of several servers. */
    private static final String ASKED = "/a?sessionTimeout=1m&connectTimeout=20s";

    private ZooKeeperLockProvider shaken() {
        return ZooKeeperProviders.at("zookeeper://" + ZooKeeperProviders.amongOthers(proxy.port()) + ASKED);
    }

    private static Duration timeOut(ZooKeeperLockProvider provider) {
        return Operator.call(() -> Duration.ofMillis(provider.sessions()
                .curator()
                .getZookeeperClient()
                .getZooKeeper()
                .getSessionTimeout()));
    }

    /** The client comes back in the same session, and has sent nothing else yet. */
    private void comeBack(ZooKeeperLockProvider provider, Duration granted) {
        proxy.refuse();
        proxy.reset();
        server.restart(granted);
        long before = proxy.accepted();
        proxy.accept();
        // In this order: Curator gives out no client that is not connected for long.
        soon().until(() -> proxy.accepted() > before
                && provider.sessions().curator().getZookeeperClient().isConnected()
                && timeOut(provider).equals(granted));
    }

    private static Duration validFor(TestClaim mine) {
        return ((Attempt.Granted) mine.claim.attempt()).validFor();
    }

    private static <T> T within(CompletableFuture<T> future) {
        return future.orTimeout(BOUND.toMillis(), TimeUnit.MILLISECONDS).join();
    }

    @Proves({"2.5", "8.2"})
    @Test
    void cutOffHolderWithShortenedSessionLosesTheLockBeforeTheNextHolderGetsIt() throws InterruptedException {
        ZooKeeperLockProvider provider = shaken();
        try (LockClient cutOff = LockClient.builder(provider).build();
                LockClient other = LockClient.builder(ZooKeeperProviders.at(
                                "zookeeper://" + ZooKeeperProviders.amongOthers(server.port()) + ASKED))
                        .build()) {
            LockHandle held = cutOff.lock("a").acquire();
            assertThat(timeOut(provider)).isEqualTo(LONG);
            // The next holder gets the lock when the session ends.
            comeBack(provider, Duration.ofSeconds(3));

            proxy.swallow(Direction.REQUESTS);
            proxy.swallow(Direction.REPLIES);

            // From now on nobody else may believe to hold the lock.
            CompletableFuture<Boolean> heldByBoth =
                    other.lock("a").acquireAsync().thenApply(next -> next.isHeld() && held.isHeld());
            assertThat(within(heldByBoth)).isFalse();
            assertThat(within(held.lost().toCompletableFuture())).isEqualTo(LossCause.SESSION_ENDED);

            // Else the close would wait for an answer.
            proxy.pass(Direction.REQUESTS);
            proxy.pass(Direction.REPLIES);
            proxy.reset();
        }
    }

    @Proves("8.1")
    @Test
    void shorterTimeOutLosesHeldLocksAndDeletesTheirNodes() {
        try (ZooKeeperLockProvider provider = shaken();
                Operator operator = Operator.at(ZooKeeperProviders.amongOthers(server.port()))) {
            // Curator's own events come later than the client's.
            provider.sessions().curator().getConnectionStateListenable().removeListener(provider.losses());
            TestClaim holder = TestClaim.once(provider, "a");
            TestClaim waiter = TestClaim.waiting(provider, "a");
            assertThat(holder.granted()).isTrue();
            waiter.refused();
            List<String> queue = operator.queue("/a/a");

            comeBack(provider, SHORT);

            soon().until(() -> !holder.losses.isEmpty());
            assertThat(holder.losses).containsExactly(LossCause.SESSION_ENDED);
            soon().until(() -> waiter.mayBeFree.get() > 0);
            assertThat(operator.queue("/a/a")).containsExactly(queue.get(1));
            assertIsGoodFor(validFor(waiter), new NegotiatedTimeOut(SHORT).validity());
            assertThat(holder.held()).isFalse();
            assertThat(holder.released()).isFalse();
            assertThat(waiter.losses).isEmpty();
            assertThat(waiter.held()).isTrue();
        }
    }

    /** Such a client reports the state of its connection only on another thread. */
    @Proves("8.1")
    @Test
    void shorterTimeOutLosesLocksHeldOverANamespacedClient() {
        try (Operator application = Operator.at(ZooKeeperProviders.amongOthers(proxy.port()));
                ZooKeeperLockProvider provider = ZooKeeperLockProvider.over(application.curator.usingNamespace("shop"))
                        .build()) {
            TestClaim holder = TestClaim.once(provider, "a");
            assertThat(holder.granted()).isTrue();

            comeBack(provider, SHORT);

            soon().until(() -> !holder.losses.isEmpty());
            assertThat(holder.losses).containsExactly(LossCause.SESSION_ENDED);
            soon().until(() -> application.queue("/shop/holdfast/a").isEmpty());
        }
    }

    @Proves("2.5")
    @Test
    void renewalReportsTheLossAfterAShorterTimeOut() {
        try (ZooKeeperLockProvider provider = shaken();
                Operator operator = Operator.at(ZooKeeperProviders.amongOthers(server.port()))) {
            TestClaim holder = TestClaim.once(provider, "a");
            assertThat(holder.granted()).isTrue();
            // So that the renewal comes before the event.
            provider.losses().remove((ZooKeeperClaim) holder.claim);

            comeBack(provider, SHORT);

            assertThat(holder.claim.renew()).isEqualTo(new Renewal.Lost(LossCause.SESSION_ENDED));
            assertThat(provider.registry().size()).isZero();
            soon().until(() -> operator.queue("/a/a").isEmpty());
        }
    }

    @Proves("2.5")
    @Test
    void grantRegisteredAfterAShorterTimeOutIsReportedLost() {
        try (ZooKeeperLockProvider provider = shaken()) {
            TestClaim holder = TestClaim.once(provider, "a");
            assertThat(holder.granted()).isTrue();
            ZooKeeperClaim claim = (ZooKeeperClaim) holder.claim;
            ClaimNode node = claim.held().orElseThrow();
            provider.losses().remove(claim);
            comeBack(provider, SHORT);
            assertThat(holder.losses).isEmpty();

            provider.losses().add(claim, node);

            assertThat(holder.losses).containsExactly(LossCause.SESSION_ENDED);
        }
    }

    @Proves("5.6")
    @Test
    void nodeOfALostHolderIsDeletedDespiteAConnectionLoss() {
        try (ZooKeeperLockProvider provider = shaken();
                Operator operator = Operator.at(ZooKeeperProviders.amongOthers(server.port()))) {
            TestClaim holder = TestClaim.once(provider, "a");
            assertThat(holder.granted()).isTrue();
            ZooKeeperClaim claim = (ZooKeeperClaim) holder.claim;
            proxy.swallow(Direction.REQUESTS);

            claim.reportSessionLoss(claim.held().orElseThrow());
            proxy.reset();
            proxy.pass(Direction.REQUESTS);

            soon().until(() -> operator.queue("/a/a").isEmpty());
        }
    }

    @Proves("2.5")
    @Test
    void timeOutNotBelowTheOneAtTheGrantLosesNothing() {
        Duration middle = Duration.ofSeconds(20);
        server.restart(middle);
        try (ZooKeeperLockProvider provider = shaken()) {
            TestClaim renewed = TestClaim.once(provider, "renewed");
            TestClaim granted = TestClaim.once(provider, "granted");
            answered().until(renewed::granted);
            assertIsGoodFor(validFor(granted), new NegotiatedTimeOut(middle).validity());

            comeBack(provider, middle);
            answered().until(renewed::held);
            comeBack(provider, LONG);
            Renewal longer = answered().until(renewed.claim::renew, answer -> true);
            assertThat(longer).isEqualTo(new Renewal.Held(new NegotiatedTimeOut(LONG).validity()));
            assertThat(renewed.losses).isEmpty();

            comeBack(provider, middle);
            soon().until(() -> !renewed.losses.isEmpty());
            assertThat(renewed.losses).containsExactly(LossCause.SESSION_ENDED);
            answered().until(granted::held);
            assertThat(granted.losses).isEmpty();
        }
    }
}
