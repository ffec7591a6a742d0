package io.holdfast.lock.zookeeper;

import static io.holdfast.parts.Waits.failure;
import static io.holdfast.parts.Waits.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimRequest.Intent;
import io.holdfast.lock.tck.faults.TcpProxy.Direction;
import io.holdfast.parts.Proves;
import io.holdfast.parts.TestClaim;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.CuratorEventType;
import org.apache.curator.framework.imps.CuratorFrameworkState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Attempts that are in flight over a given client while the provider, or the client, is closed. */
class ClosedInFlightTest extends ZooKeeperProxyScene {

    private static final String LOCK = "/holdfast/a";

    private final Operator operator = Operator.of(server);
    private final Operator application = Operator.at("127.0.0.1:" + proxy.port());

    @AfterEach
    void close() {
        application.close();
        operator.close();
    }

    private static CompletableFuture<Boolean> attempting(TestClaim claim) {
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        Thread caller = new Thread(() -> answer.completeAsync(claim::granted, Runnable::run));
        caller.start();
        return answer;
    }

    private ZooKeeperLockProvider over(CuratorFramework curator) {
        return ZooKeeperLockProvider.over(curator).build();
    }

    private void makeTheLocksNode(ZooKeeperLockProvider provider) {
        TestClaim first = TestClaim.once(provider, "a");
        assertThat(first.granted()).isTrue();
        assertThat(first.released()).isTrue();
    }

    /** The losses reported to a claim between the event that the client closes and the end of its session. */
    private List<LossCause> lossesBeforeTheSessionEnds(ZooKeeperLockProvider provider) {
        makeTheLocksNode(provider);
        TestClaim claim = TestClaim.once(provider, "a");
        List<LossCause> losses = new CopyOnWriteArrayList<>();
        CompletableFuture<Boolean> closing = new CompletableFuture<>();
        proxy.hold(Direction.REPLIES);
        CompletableFuture<Boolean> granted = attempting(claim);
        soon().until(() -> operator.queue(LOCK).size() == 1);
        application.curator.getCuratorListenable().addListener((client, event) -> {
            if (event.getType() == CuratorEventType.CLOSING) {
                assertThat(client.getState()).isEqualTo(CuratorFrameworkState.STOPPED);
                // The listeners are called in any order: the provider has been called before the grant comes.
                provider.losses().eventReceived(client, event);
                proxy.pass(Direction.REPLIES);
                assertThat(granted.get(30, TimeUnit.SECONDS)).isTrue();
                losses.addAll(claim.losses);
                closing.complete(operator.queue(LOCK).size() == 1);
            }
        });

        application.curator.close();

        assertThat(closing).isCompletedWithValue(true);
        return losses;
    }

    @Proves({"1.1", "8.1"})
    @Test
    void grantDuringTheCloseOfTheClientIsReportedLostBeforeTheSessionEnds() {
        try (ZooKeeperLockProvider provider = over(application.curator)) {
            assertThat(lossesBeforeTheSessionEnds(provider)).containsExactly(LossCause.SESSION_ENDED);
        }
    }

    @Proves("5.6")
    @Test
    void callsWaitingForAConnectionFailOnCloseAndLeaveNothing() {
        ZooKeeperLockProvider provider = over(application.curator);
        makeTheLocksNode(provider);
        proxy.refuse();
        proxy.reset();
        soon().until(() -> !application.curator.getZookeeperClient().isConnected());
        TestClaim claim = TestClaim.once(provider, "a");
        CompletableFuture<Boolean> attempt = new CompletableFuture<>();
        CompletableFuture<Object> question = new CompletableFuture<>();
        List<Thread> callers = List.of(
                new Thread(() -> attempt.completeAsync(claim::granted, Runnable::run)),
                new Thread(() -> question.completeAsync(() -> provider.holder("a"), Runnable::run)));
        callers.forEach(Thread::start);
        soon().until(() -> callers.stream().allMatch(caller -> caller.getState() == Thread.State.TIMED_WAITING));

        provider.close();
        proxy.accept();

        assertThat(failure(attempt)).isInstanceOf(LockStoreException.class).hasMessageContaining("provider is closed");
        assertThat(failure(question)).isInstanceOf(LockStoreException.class).hasMessageContaining("provider is closed");
        assertThat(operator.queue(LOCK)).isEmpty();
    }

    @Proves("5.6")
    @Test
    void attemptAfterCloseCreatesNoNode() {
        ZooKeeperLockProvider provider = over(application.curator);
        makeTheLocksNode(provider);
        Session session = provider.sessions().connected("acquire", "a");
        ClaimRequest request =
                new ClaimRequest("a", "claim", "owner", TestClaim.LEASE, Intent.TRY_ONCE, TestClaim.CLAIMANT);
        OwnNodes nodes = provider.nodesOf(request);
        int changes = operator.stat(LOCK).getCversion();

        provider.close();

        assertThatThrownBy(() -> nodes.create(session))
                .isInstanceOf(LockStoreException.class)
                .hasMessageContaining("provider is closed");
        // Not even one that was deleted at once.
        assertThat(operator.stat(LOCK).getCversion()).isEqualTo(changes);
    }

    @Proves("5.6")
    @Test
    void nodeCreatedDuringCloseIsDeletedAndNotGranted() {
        ZooKeeperLockProvider provider = over(application.curator);
        TestClaim claim = TestClaim.once(provider, "a");
        assertThat(application.exists("/")).isTrue();
        proxy.hold(Direction.REPLIES);
        long before = server.requests();
        CompletableFuture<Boolean> answer = attempting(claim);
        // The lock's node is missing: when the answers say so, the creation is repeated.
        soon().until(() -> server.requests() - before == 4);

        provider.close();
        // The search for the first node comes too early for the second.
        soon().until(() -> server.requests() - before >= 5);
        proxy.pass(Direction.REPLIES);

        assertThat(failure(answer)).isInstanceOf(LockStoreException.class).hasMessageContaining("provider is closed");
        soon().until(() -> operator.queue(LOCK).isEmpty());
        assertThat(application.curator.getState()).isEqualTo(CuratorFrameworkState.STARTED);
    }
}
