package io.holdfast.lock.zookeeper;

import static io.holdfast.parts.Waits.answered;
import static io.holdfast.parts.Waits.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.tck.faults.TcpProxy.Direction;
import io.holdfast.parts.Proves;
import io.holdfast.parts.TestClaim;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Requests that were carried out and whose reply was lost. */
@Execution(ExecutionMode.CONCURRENT)
class ZooKeeperUnknownOutcomeTest extends ZooKeeperProxyScene {

    private final Operator operator = Operator.of(server);
    private final ZooKeeperLockProvider provider =
            ZooKeeperProviders.at("zookeeper://127.0.0.1:" + proxy.port() + "/a?sessionTimeout=5m");

    @BeforeEach
    void makeTheLocksNode() {
        TestClaim first = TestClaim.once(provider, "a");
        first.granted();
        first.released();
    }

    @AfterEach
    void close() {
        provider.close();
        operator.close();
    }

    /** The first answer: calls fail at once until the client has noticed the loss of its connection. */
    private static boolean answerTo(Callable<Boolean> call) {
        return answered().until(call, any -> true);
    }

    @Proves("5.6")
    @Test
    void grantWithALostReplyIsUndoneByRelease() {
        TestClaim claim = TestClaim.once(provider, "a");
        proxy.dropNextReply();

        assertThatThrownBy(claim::granted)
                .isInstanceOf(LockStoreException.class)
                .hasMessageContainingAll("acquire of lock 'a'", "the connection was lost");

        assertThat(operator.queue("/a/a")).hasSize(1);
        assertThat(answerTo(claim::released)).isTrue();
        assertThat(operator.queue("/a/a")).isEmpty();
        assertThat(claim.released()).isFalse();
    }

    @Test
    void nodeWithALostReplyIsDeletedByReleaseAndWasNotHeld() {
        TestClaim holder = TestClaim.once(provider, "a");
        holder.granted();
        TestClaim claim = TestClaim.once(provider, "a");
        proxy.dropNextReply();
        assertThatThrownBy(claim::granted).isInstanceOf(LockStoreException.class);
        assertThat(operator.queue("/a/a")).hasSize(2);

        assertThat(answerTo(claim::released)).isFalse();

        assertThat(operator.queue("/a/a")).hasSize(1);
        assertThat(holder.held()).isTrue();
    }

    @Proves({"1.6", "5.6"})
    @Test
    void waitersAttemptWithALostReplyIsRepeatedAndLeavesOneNode() {
        TestClaim holder = TestClaim.once(provider, "a");
        holder.granted();
        TestClaim waiter = TestClaim.waiting(provider, "a");
        proxy.dropNextReply();

        waiter.refused();

        assertThat(operator.queue("/a/a")).hasSize(2);
        assertThat(holder.released()).isTrue();
        soon().until(() -> waiter.mayBeFree.get() > 0);
        assertThat(waiter.granted()).isTrue();
    }

    @Test
    void releaseWithALostReplyLeavesNothing() {
        TestClaim claim = TestClaim.once(provider, "a");
        claim.granted();
        proxy.dropNextReply();

        assertThatThrownBy(claim::released)
                .isInstanceOf(LockStoreException.class)
                .hasMessageContaining("release of lock 'a'");

        assertThat(operator.queue("/a/a")).isEmpty();
        TestClaim next = TestClaim.once(provider, "a");
        assertThat(answerTo(next::granted)).isTrue();
        assertThat(claim.released()).isFalse();
        assertThat(next.held()).isTrue();
    }

    /**
     * The proxy counts a request before it swallows it, and so might let it pass if it was told to before the cut. Nor does it
     * accept a connection whose first request it would swallow.
     */
    private void cutWithWhatWasSwallowed() {
        proxy.refuse();
        proxy.reset();
        proxy.pass(Direction.REQUESTS);
        proxy.accept();
    }

    @Test
    void failedReleaseIsMadeUpForByTheNext() {
        TestClaim claim = TestClaim.once(provider, "a");
        claim.granted();
        proxy.swallow(Direction.REQUESTS);
        long before = proxy.bytes(Direction.REQUESTS);
        Thread cut = new Thread(() -> {
            soon().until(() -> proxy.bytes(Direction.REQUESTS) > before);
            cutWithWhatWasSwallowed();
        });
        cut.start();

        assertThatThrownBy(claim::released).isInstanceOf(LockStoreException.class);

        assertThat(operator.queue("/a/a")).hasSize(1);
        assertThat(answerTo(claim::released)).isTrue();
        assertThat(operator.queue("/a/a")).isEmpty();
    }

    @Proves("1.5")
    @Test
    void nodeOfARefusedAttemptThatWasNotDeletedIsDeletedByRelease() {
        ZooKeeperLockProvider other = ZooKeeperProviders.on(server, "/a");
        assertThat(TestClaim.once(other, "a").granted()).isTrue();
        TestClaim refused = TestClaim.once(provider, "a");
        proxy.hold(Direction.REPLIES);
        long requests = server.requests();
        CompletableFuture<Boolean> attempt = CompletableFuture.supplyAsync(refused::granted);
        // The creation of the node, and the read of the queue.
        soon().until(() -> server.requests() - requests == 2);
        proxy.swallow(Direction.REQUESTS);
        long bytes = proxy.bytes(Direction.REQUESTS);
        proxy.pass(Direction.REPLIES);
        soon().until(() -> proxy.bytes(Direction.REQUESTS) > bytes);
        cutWithWhatWasSwallowed();

        assertThat(attempt.orTimeout(30, TimeUnit.SECONDS).join()).isFalse();
        assertThat(operator.queue("/a/a")).hasSize(2);
        assertThat(answerTo(refused::released)).isFalse();
        assertThat(operator.queue("/a/a")).hasSize(1);
        other.close();
    }

    @Test
    void lostConnectionIsNoLossOfTheLock() {
        TestClaim claim = TestClaim.once(provider, "a");
        claim.granted();

        proxy.reset();

        answered().until(claim::held);
        assertThat(claim.losses).isEmpty();
        assertThat(claim.released()).isTrue();
    }
}
