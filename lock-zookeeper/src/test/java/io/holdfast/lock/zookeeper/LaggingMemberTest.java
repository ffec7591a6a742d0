package io.holdfast.lock.zookeeper;

import static io.holdfast.parts.Waits.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimRequest.Intent;
import io.holdfast.parts.Proves;
import io.holdfast.parts.TestClaim;
import io.holdfast.servers.TcpProxy;
import io.holdfast.servers.ZooKeeperEnsemble;
import io.holdfast.servers.ZooKeeperServer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.curator.framework.CuratorFramework;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A member that has not heard yet what the others have decided: whoever asks it has it catch up first. */
@Tag("full")
@Tag("server")
class LaggingMemberTest {

    private static final String LONG = "/a?sessionTimeout=5m";
    private static final String LOCK = "/a/a";

    @SuppressWarnings("NullAway.Init")
    private static ZooKeeperEnsemble ensemble;

    @SuppressWarnings("NullAway.Init")
    private static ZooKeeperServer lagging;

    @BeforeAll
    static void start() {
        ensemble = ZooKeeperEnsemble.start();
        lagging = ensemble.follower();
    }

    @AfterAll
    static void close() {
        ensemble.close();
    }

    /** The lagging member has this node. */
    @BeforeEach
    void makeTheLocksNode() {
        try (ZooKeeperLockProvider provider = ZooKeeperProviders.on(lagging, LONG)) {
            TestClaim first = TestClaim.once(provider, "a");
            assertThat(first.granted()).isTrue();
            assertThat(first.released()).isTrue();
        }
    }

    /** Asks a member that is behind; it hears the rest when it has two requests, or has answered already. */
    private static <T> T answerOfTheLaggingMember(Supplier<T> question) {
        long before = lagging.requests();
        CompletableFuture<T> answer = CompletableFuture.supplyAsync(question);
        soon().until(() -> answer.isDone() || lagging.requests() - before >= 2);
        ensemble.catchUp(lagging);
        return answer.orTimeout(30, TimeUnit.SECONDS).join();
    }

    /** Nodes of a bid that was made at the leader, and whose reply was lost. */
    private static OwnNodes stray(ZooKeeperLockProvider provider, TcpProxy proxy) {
        ClaimRequest request =
                new ClaimRequest("a", "claim", "owner", TestClaim.LEASE, Intent.TRY_ONCE, TestClaim.CLAIMANT);
        OwnNodes nodes = provider.nodesOf(request);
        Session session = provider.sessions().connected("acquire", "a");
        proxy.dropNextReply();
        assertThatThrownBy(() -> nodes.make(session)).isInstanceOf(LockStoreException.class);
        assertThat(nodes.strays()).hasSize(1);
        return nodes;
    }

    @Test
    void theHolderIsTheOneThatWasGrantedTheLockLast() {
        try (ZooKeeperLockProvider behind = ZooKeeperProviders.on(lagging, LONG);
                ZooKeeperLockProvider other = ZooKeeperProviders.on(ensemble.leader(), LONG)) {
            assertThat(behind.holder("a")).isEmpty();
            ensemble.holdBack(lagging);
            TestClaim holder = TestClaim.once(other, "a");
            long token = holder.token();

            assertThat(answerOfTheLaggingMember(() -> behind.holder("a"))
                            .orElseThrow()
                            .fencingToken()
                            .orElseThrow()
                            .value())
                    .isEqualTo(token);
        } finally {
            ensemble.catchUp(lagging);
        }
    }

    @Proves("5.6")
    @Test
    void aBidWhoseReplyWasLostIsFoundThere() {
        ZooKeeperServer leader = ensemble.leader();
        try (TcpProxy proxy = TcpProxy.to(leader.host(), leader.port());
                ZooKeeperLockProvider bidding = ZooKeeperProviders.at("zookeeper://127.0.0.1:" + proxy.port() + LONG);
                ZooKeeperLockProvider behind = ZooKeeperProviders.on(lagging, LONG);
                Operator operator = Operator.of(leader)) {
            Session session = behind.sessions().connected("release", "a");
            ensemble.holdBack(lagging);
            OwnNodes nodes = stray(bidding, proxy);
            assertThat(operator.line(LOCK)).hasSize(1);

            assertThat(answerOfTheLaggingMember(() -> nodes.withdrawStrays(session, "release")))
                    .isTrue();

            assertThat(operator.line(LOCK)).isEmpty();
        } finally {
            ensemble.catchUp(lagging);
        }
    }

    @Proves("5.6")
    @Test
    void aLeaderThatIsCutOffDoesNotSayThatABidWasNeverThere() {
        ZooKeeperServer leader = ensemble.leader();
        try (TcpProxy proxy = TcpProxy.to(leader.host(), leader.port());
                ZooKeeperLockProvider bidding = ZooKeeperProviders.at("zookeeper://127.0.0.1:" + proxy.port() + LONG);
                ZooKeeperLockProvider behind = ZooKeeperProviders.on(leader, LONG);
                Operator operator = Operator.of(leader)) {
            OwnNodes nodes = stray(bidding, proxy);
            // The node is elsewhere, as it were: among what the others decide without this leader.
            operator.deleteFirst(LOCK);
            Session session = behind.sessions().connected("release", "a");

            ensemble.isolate(leader);

            // A sync asks nobody else, so it proves nothing.
            assertThat(session.catchUp(LOCK).await().isOk()).isTrue();
            assertThatThrownBy(() -> nodes.withdrawStrays(session, "release")).isInstanceOf(LockStoreException.class);
            assertThat(nodes.strays()).hasSize(1);
        } finally {
            ensemble.rejoin(leader);
            soon().until(() ->
                    ensemble.members().stream().allMatch(member -> member.mode().isPresent()));
            lagging = ensemble.follower();
        }
    }

    @Proves("5.6")
    @Test
    void whatAClosedProviderLeftBehindIsFoundThere() {
        ZooKeeperServer leader = ensemble.leader();
        try (TcpProxy proxy = TcpProxy.to(leader.host(), leader.port());
                ZooKeeperLockProvider bidding = ZooKeeperProviders.at("zookeeper://127.0.0.1:" + proxy.port() + LONG);
                Operator application = Operator.of(lagging);
                Operator operator = Operator.of(leader)) {
            CuratorFramework behind = application.curator;
            assertThat(application.line(LOCK)).isEmpty();
            ensemble.holdBack(lagging);
            OwnNodes nodes = stray(bidding, proxy);
            assertThat(operator.line(LOCK)).hasSize(1);
            ClaimNodes leftovers = new ClaimNodes(behind);
            leftovers.add(nodes);

            long before = lagging.requests();
            leftovers.close();
            // It is asked to catch up, or has answered already.
            soon().until(() -> lagging.requests() > before);
            ensemble.catchUp(lagging);

            soon().until(() -> operator.line(LOCK).isEmpty());
        } finally {
            ensemble.catchUp(lagging);
        }
    }
}
