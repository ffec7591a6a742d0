package io.holdfast.lock.zookeeper;

import static io.holdfast.parts.Waits.answered;
import static io.holdfast.parts.Waits.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LossCause;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.lock.zookeeper.OwnNodes.ClaimNode;
import io.holdfast.parts.Proves;
import io.holdfast.parts.TestClaim;
import java.util.List;
import org.apache.curator.framework.state.ConnectionState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Sessions that the client has given up, while the server keeps them and their nodes. */
@Execution(ExecutionMode.CONCURRENT)
@Tag("full")
class FormerSessionTest extends ZooKeeperProxyScene {

    private final Operator operator = Operator.of(server);
    private final Operator application = Operator.at("127.0.0.1:" + proxy.port());
    private final ZooKeeperLockProvider provider =
            ZooKeeperLockProvider.over(application.curator).build();

    @AfterEach
    void close() {
        provider.close();
        application.close();
        operator.close();
    }

    /** The client begins a new session, and cannot close the old one at the server. */
    private void giveUpTheSession() {
        proxy.refuse();
        proxy.reset();
        Operator.call(() -> {
            application.curator.getZookeeperClient().reset();
            return true;
        });
        proxy.accept();
    }

    @Proves("5.6")
    @Test
    void attemptInTheNextSessionCreatesANodeAndDeletesTheOldOne() {
        try (ZooKeeperLockProvider other = ZooKeeperProviders.on(server, "/holdfast?sessionTimeout=5m")) {
            assertThat(TestClaim.once(other, "a").granted()).isTrue();
            TestClaim waiter = TestClaim.waiting(provider, "a");
            waiter.refused();
            List<String> queue = operator.queue("/holdfast/a");
            assertThat(queue).hasSize(2);

            giveUpTheSession();

            assertThat(operator.queue("/holdfast/a")).isEqualTo(queue);
            assertThat(answered().until(waiter.claim::attempt, attempt -> true)).isInstanceOf(Attempt.Contended.class);
            assertThat(operator.queue("/holdfast/a"))
                    .hasSize(2)
                    .startsWith(queue.get(0))
                    .doesNotContain(queue.get(1));
        }
    }

    @Proves("4.5")
    @Test
    void holderHoldsNothingInTheNextSessionUntilItIsGrantedAgain() {
        try (ZooKeeperLockProvider other = ZooKeeperProviders.on(server, "/holdfast?sessionTimeout=5m")) {
            TestClaim holder = TestClaim.waiting(provider, "a");
            assertThat(holder.granted()).isTrue();
            // So that the attempt comes before the event.
            provider.losses().remove((ZooKeeperClaim) holder.claim);
            TestClaim next = TestClaim.waiting(other, "a");
            next.refused();

            giveUpTheSession();

            assertThat(answered().until(holder.claim::attempt, attempt -> true)).isInstanceOf(Attempt.Contended.class);
            assertThat(next.granted()).isTrue();
            assertThat(holder.held()).isFalse();
        }
    }

    @Proves("3.2")
    @Test
    void renewalReportsTheEndOfASessionThatTheServerKeeps() {
        TestClaim mine = TestClaim.once(provider, "a");
        assertThat(mine.granted()).isTrue();
        // So that the renewal comes before the event.
        provider.losses().remove((ZooKeeperClaim) mine.claim);

        giveUpTheSession();

        Renewal renewal = answered().until(mine.claim::renew, answer -> true);
        assertThat(renewal).isEqualTo(new Renewal.Lost(LossCause.SESSION_ENDED));
        assertThat(provider.registry().size()).isZero();
        // Nobody holds the lock by it: it would block all others until the server ends the session.
        soon().until(() -> operator.queue("/holdfast/a").isEmpty());
    }

    @Proves("8.1")
    @Test
    void nodeOfAnEndedSessionIsDeletedWhileTheServerKeepsTheSession() {
        TestClaim mine = TestClaim.once(provider, "a");
        assertThat(mine.granted()).isTrue();

        giveUpTheSession();
        provider.losses().stateChanged(application.curator, ConnectionState.LOST);

        assertThat(mine.losses).containsExactly(LossCause.SESSION_ENDED);
        assertThat(provider.registry().size()).isZero();
        soon().until(() -> operator.queue("/holdfast/a").isEmpty());
    }

    @Test
    void grantRegisteredAfterItsSessionEndedIsReportedLost() {
        TestClaim mine = TestClaim.once(provider, "a");
        assertThat(mine.granted()).isTrue();
        ZooKeeperClaim claim = (ZooKeeperClaim) mine.claim;
        ClaimNode node = claim.held().orElseThrow();
        provider.losses().remove(claim);
        Operator.endSession(application.curator, server);
        soon().until(node.session()::isOver);
        assertThat(mine.losses).isEmpty();

        provider.losses().add(claim, node);

        assertThat(mine.losses).containsExactly(LossCause.SESSION_ENDED);
    }

    @Proves("8.1")
    @Test
    void lateEndOfASessionLosesOnlyWhatWasHeldInIt() {
        // Reported late, below, and not by Curator.
        application.curator.getConnectionStateListenable().removeListener(provider.losses());
        TestClaim before = TestClaim.once(provider, "a");
        assertThat(before.granted()).isTrue();
        Session ended = ((ZooKeeperClaim) before.claim).held().orElseThrow().session();
        Operator.endSession(application.curator, server);
        soon().until(ended::isOver);
        TestClaim after = TestClaim.once(provider, "a");
        answered().until(after::granted);
        assertThat(before.losses).isEmpty();

        provider.losses().stateChanged(application.curator, ConnectionState.LOST);

        assertThat(before.losses).containsExactly(LossCause.SESSION_ENDED);
        assertThat(after.losses).isEmpty();
        assertThat(after.held()).isTrue();
    }
}
