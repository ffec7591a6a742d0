package io.holdfast.lock.zookeeper;

import static io.holdfast.parts.Waits.failure;
import static io.holdfast.parts.Waits.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimRequest.Intent;
import io.holdfast.parts.Proves;
import io.holdfast.parts.TestClaim;
import io.holdfast.servers.TcpProxy.Direction;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.CuratorEventType;
import org.apache.curator.framework.imps.CuratorFrameworkState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** NodeCreation that are under way over a given client while the provider, or the client, is closed. */
class ClosedInFlightTest extends ZooKeeperProxyScene {

    private static final String LINE = "/holdfast/a";

    private final Operator operator = Operator.of(server);
    private final Operator application = Operator.at("127.0.0.1:" + proxy.port());

    @AfterEach
    void close() {
        application.close();
        operator.close();
    }

    private static CompletableFuture<Boolean> bidding(TestClaim bidder) {
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        Thread caller = new Thread(() -> answer.completeAsync(bidder::granted, Runnable::run));
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

    /** What a claim has been told between the news that the client closes and the end of its session. */
    private List<LossCause> toldBeforeTheSessionEnds(ZooKeeperLockProvider provider) {
        makeTheLocksNode(provider);
        TestClaim bidder = TestClaim.once(provider, "a");
        List<LossCause> told = new CopyOnWriteArrayList<>();
        CompletableFuture<Boolean> closing = new CompletableFuture<>();
        proxy.hold(Direction.REPLIES);
        CompletableFuture<Boolean> granted = bidding(bidder);
        soon().until(() -> operator.line(LINE).size() == 1);
        application.curator.getCuratorListenable().addListener((client, event) -> {
            if (event.getType() == CuratorEventType.CLOSING) {
                assertThat(client.getState()).isEqualTo(CuratorFrameworkState.STOPPED);
                // Whatever order the listeners are called in: the provider has heard it before the grant comes.
                provider.losses().eventReceived(client, event);
                proxy.pass(Direction.REPLIES);
                assertThat(granted.get(30, TimeUnit.SECONDS)).isTrue();
                told.addAll(bidder.losses);
                closing.complete(operator.line(LINE).size() == 1);
            }
        });

        application.curator.close();

        assertThat(closing).isCompletedWithValue(true);
        return told;
    }

    @Proves({"1.1", "8.1"})
    @Test
    void aGrantThatComesAfterTheNewsThatTheClientClosesIsToldAsLostBeforeTheSessionEnds() {
        try (ZooKeeperLockProvider provider = over(application.curator)) {
            assertThat(toldBeforeTheSessionEnds(provider)).containsExactly(LossCause.SESSION_ENDED);
        }
    }

    @Proves("5.6")
    @Test
    void callsThatWaitForAConnectionFailWhenTheProviderIsClosedMeanwhileAndLeaveNothing() {
        ZooKeeperLockProvider provider = over(application.curator);
        makeTheLocksNode(provider);
        proxy.refuse();
        proxy.reset();
        soon().until(() -> !application.curator.getZookeeperClient().isConnected());
        TestClaim bidder = TestClaim.once(provider, "a");
        CompletableFuture<Boolean> bid = new CompletableFuture<>();
        CompletableFuture<Object> question = new CompletableFuture<>();
        List<Thread> callers = List.of(
                new Thread(() -> bid.completeAsync(bidder::granted, Runnable::run)),
                new Thread(() -> question.completeAsync(() -> provider.holder("a"), Runnable::run)));
        callers.forEach(Thread::start);
        soon().until(() -> callers.stream().allMatch(caller -> caller.getState() == Thread.State.TIMED_WAITING));

        provider.close();
        proxy.accept();

        assertThat(failure(bid)).isInstanceOf(LockStoreException.class).hasMessageContaining("provider is closed");
        assertThat(failure(question)).isInstanceOf(LockStoreException.class).hasMessageContaining("provider is closed");
        assertThat(operator.line(LINE)).isEmpty();
    }

    @Proves("5.6")
    @Test
    void aBidThatHasItsSessionMakesNoNodeOnceTheProviderIsClosed() {
        ZooKeeperLockProvider provider = over(application.curator);
        makeTheLocksNode(provider);
        Session session = provider.sessions().connected("acquire", "a");
        ClaimRequest request =
                new ClaimRequest("a", "claim", "owner", TestClaim.LEASE, Intent.TRY_ONCE, TestClaim.CLAIMANT);
        OwnNodes nodes = provider.nodesOf(request);
        int changes = operator.stat(LINE).getCversion();

        provider.close();

        assertThatThrownBy(() -> nodes.make(session))
                .isInstanceOf(LockStoreException.class)
                .hasMessageContaining("provider is closed");
        // Not even one that was deleted at once.
        assertThat(operator.stat(LINE).getCversion()).isEqualTo(changes);
    }

    @Proves("5.6")
    @Test
    void aNodeThatIsMadeWhileTheProviderIsClosedIsDeletedAndNotGranted() {
        ZooKeeperLockProvider provider = over(application.curator);
        TestClaim bidder = TestClaim.once(provider, "a");
        assertThat(application.exists("/")).isTrue();
        proxy.hold(Direction.REPLIES);
        long before = server.requests();
        CompletableFuture<Boolean> answer = bidding(bidder);
        // The lock's node is missing: when the answers say so, the bid comes once more.
        soon().until(() -> server.requests() - before == 2);

        provider.close();
        // The search for the first bid comes too early for the second.
        soon().until(() -> server.requests() - before >= 3);
        proxy.pass(Direction.REPLIES);

        assertThat(failure(answer)).isInstanceOf(LockStoreException.class).hasMessageContaining("provider is closed");
        soon().until(() -> operator.line(LINE).isEmpty());
        assertThat(application.curator.getState()).isEqualTo(CuratorFrameworkState.STARTED);
    }
}
