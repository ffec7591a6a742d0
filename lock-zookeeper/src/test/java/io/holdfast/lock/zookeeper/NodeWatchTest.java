package io.holdfast.lock.zookeeper;

import static io.holdfast.parts.Waits.answered;
import static io.holdfast.parts.Waits.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LossCause;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimRequest.Intent;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.lock.tck.faults.TcpProxy.Direction;
import io.holdfast.lock.zookeeper.OwnNodes.ClaimNode;
import io.holdfast.lock.zookeeper.Session.NodeContent;
import io.holdfast.parts.Proves;
import io.holdfast.parts.TestClaim;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Renewals that do not read each node, and what happens to the nodes. */
class NodeWatchTest extends ZooKeeperProxyScene {

    private static final int HOLDERS = 5;

    /** Not the one whose node is asked for together with the session. */
    private static final int VICTIM = 3;

    private final Operator operator = Operator.of(server);

    @AfterEach
    void close() {
        operator.close();
    }

    private ZooKeeperLockProvider provider() {
        return ZooKeeperProviders.at("zookeeper://127.0.0.1:" + proxy.port() + "/a?sessionTimeout=5m");
    }

    private Operator application(boolean setsWatchesAgain) {
        ZKClientConfig config = new ZKClientConfig();
        config.setProperty(ZKClientConfig.DISABLE_AUTO_WATCH_RESET, Boolean.toString(!setsWatchesAgain));
        return Operator.at(
                "127.0.0.1:" + proxy.port(),
                builder -> builder.sessionTimeoutMs(300_000)
                        .zookeeperFactory((servers, millis, watcher, readOnly) ->
                                new ZooKeeper(servers, millis, watcher, readOnly, config)));
    }

    private static ZooKeeperLockProvider over(Operator application) {
        return ZooKeeperLockProvider.over(application.curator).basePath("/a").build();
    }

    private static String lock(int number) {
        return "lock-" + number;
    }

    /** Holders whose nodes are watched, but for the first. */
    private static List<TestClaim> watchedHolders(LockProvider provider) {
        List<TestClaim> holders = IntStream.range(0, HOLDERS)
                .mapToObj(number -> TestClaim.once(provider, lock(number)))
                .toList();
        holders.forEach(holder -> assertThat(holder.granted()).isTrue());
        assertThat(renewals(provider, holders)).allMatch(Renewal.Held.class::isInstance);
        return holders;
    }

    private static List<Renewal> renewals(LockProvider provider, List<TestClaim> holders) {
        List<Claim> claims = holders.stream().map(holder -> holder.claim).toList();
        return provider.renewAll(claims);
    }

    private static void assertOnlyTheVictimIsLost(List<Renewal> renewals) {
        assertThat(renewals.get(VICTIM)).isEqualTo(new Renewal.Lost(LossCause.TAKEN_OVER));
        assertThat(renewals.stream().filter(Renewal.Held.class::isInstance)).hasSize(HOLDERS - 1);
    }

    private void deleteTheVictim() {
        operator.deleteFirst("/a/" + lock(VICTIM));
    }

    private long requestsOfARenewal(LockProvider provider, List<TestClaim> holders) {
        long before = server.requests();
        assertThat(renewals(provider, holders)).allMatch(Renewal.Held.class::isInstance);
        return server.requests() - before;
    }

    @Proves("3.4")
    @Test
    void renewalsAfterTheFirstTakeOneRequestForAllClaims() {
        try (LockProvider provider = provider()) {
            List<TestClaim> holders = watchedHolders(provider);

            for (int round = 0; round < 3; round++) {
                assertThat(requestsOfARenewal(provider, holders)).isEqualTo(1);
            }
        }
    }

    @Proves("8.5")
    @Test
    void deletedNodeIsLostAtTheNextRenewal() {
        try (LockProvider provider = provider()) {
            List<TestClaim> holders = watchedHolders(provider);
            deleteTheVictim();

            assertOnlyTheVictimIsLost(renewals(provider, holders));
        }
    }

    /** The event and the leader's answer are on their way together. */
    @Proves("8.5")
    @Test
    void deletionJustBeforeTheLeadersAnswerIsNoticed() {
        try (LockProvider provider = provider()) {
            List<TestClaim> holders = watchedHolders(provider);
            proxy.hold(Direction.REPLIES);
            deleteTheVictim();
            long before = server.requests();
            CompletableFuture<List<Renewal>> renewing =
                    CompletableFuture.supplyAsync(() -> renewals(provider, holders));
            soon().until(() -> server.requests() > before);
            proxy.pass(Direction.REPLIES);

            assertOnlyTheVictimIsLost(renewing.orTimeout(30, TimeUnit.SECONDS).join());
        }
    }

    /** Also by a client that does not set its watches again. */
    @Proves("8.5")
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void deletionWhileThereIsNoConnectionIsNoticed(boolean setsWatchesAgain) {
        try (Operator application = application(setsWatchesAgain);
                ZooKeeperLockProvider provider = over(application)) {
            List<TestClaim> holders = watchedHolders(provider);
            proxy.refuse();
            proxy.reset();
            deleteTheVictim();
            proxy.accept();

            List<Renewal> renewals = answered()
                    .until(
                            () -> renewals(provider, holders),
                            all -> all.stream().noneMatch(Renewal.Unknown.class::isInstance));
            assertOnlyTheVictimIsLost(renewals);
        }
    }

    /** A connection that has ended tells nothing of the next one. */
    @Proves("8.5")
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void deletionAfterAReconnectIsNoticed(boolean setsWatchesAgain) {
        try (Operator application = application(setsWatchesAgain);
                ZooKeeperLockProvider provider = over(application)) {
            List<TestClaim> holders = watchedHolders(provider);
            proxy.reset();
            answered().until(() -> holders.get(0).held());
            assertThat(requestsOfARenewal(provider, holders)).isEqualTo(HOLDERS);
            assertThat(requestsOfARenewal(provider, holders)).isEqualTo(1);
            deleteTheVictim();

            assertOnlyTheVictimIsLost(renewals(provider, holders));
        }
    }

    /** The answer to the read is here, but the claim has not looked at it yet. */
    @Proves("8.5")
    @Test
    void watchThatIsUsedUpBeforeItsAnswerIsLookedAtIsNotQuiet() {
        try (ZooKeeperLockProvider provider = provider()) {
            ClaimRequest request =
                    new ClaimRequest("a", "claim", "owner", TestClaim.LEASE, Intent.TRY_ONCE, TestClaim.CLAIMANT);
            Session session = provider.sessions().connected("acquire", "a");
            ClaimNode mine = provider.nodesOf(request).create(session).node().node();
            NodeWatch watch = new NodeWatch(mine);
            assertThat(watch.isQuiet()).isFalse();
            assertThat(watch.set().get().isOk()).isTrue();
            assertThat(watch.isQuiet()).isTrue();

            Supplier<RequestResult<NodeContent>> read = watch.set();
            assertThat(session.prove(mine.path()).await().isOk()).isTrue();
            operator.delete(mine.path());
            // Answered after the event.
            assertThat(session.prove(mine.path()).await().isMissing()).isTrue();

            assertThat(read.get().isOk()).isTrue();
            assertThat(watch.isQuiet()).isFalse();
        }
    }

    /** A change uses the watch up. */
    @Proves("8.5")
    @Test
    void nodeThatSomebodyHasWrittenIsReadAndWatchedAgain() {
        try (LockProvider provider = provider()) {
            List<TestClaim> holders = watchedHolders(provider);
            String lock = "/a/" + lock(VICTIM);
            String node = lock + "/" + operator.queue(lock).get(0);
            Operator.call(() -> operator.curator.setData().forPath(node, new byte[0]));

            assertThat(requestsOfARenewal(provider, holders)).isEqualTo(1 + 1);
            assertThat(requestsOfARenewal(provider, holders)).isEqualTo(1);
            deleteTheVictim();

            assertOnlyTheVictimIsLost(renewals(provider, holders));
        }
    }

    @Proves("8.5")
    @Test
    void claimThatIsGrantedAgainHasAWatchOfItsNewNode() {
        try (LockProvider provider = provider()) {
            List<TestClaim> holders = watchedHolders(provider);
            for (int round = 0; round < 2; round++) {
                deleteTheVictim();
                assertOnlyTheVictimIsLost(renewals(provider, holders));
                assertThat(holders.get(VICTIM).granted()).isTrue();
                assertThat(requestsOfARenewal(provider, holders)).isEqualTo(1 + 1);
            }
        }
    }

    /** A waiter of another provider over the same client watches the same node. */
    @Proves({"8.5", "9.6"})
    @Test
    void closeOfAnotherProviderLeavesTheWatch() {
        try (Operator application = application(true);
                ZooKeeperLockProvider provider = over(application)) {
            List<TestClaim> holders = watchedHolders(provider);
            try (ZooKeeperLockProvider other = over(application)) {
                TestClaim.waiting(other, lock(VICTIM)).refused();
                assertThat(other.watches().armed()).isEqualTo(1);
            }
            deleteTheVictim();

            assertOnlyTheVictimIsLost(renewals(provider, holders));
        }
    }
}
