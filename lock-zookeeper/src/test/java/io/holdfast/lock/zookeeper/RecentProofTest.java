package io.holdfast.lock.zookeeper;

import static io.holdfast.parts.Waits.letPass;
import static io.holdfast.parts.Waits.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.spi.Attempt;
import io.holdfast.parts.Proves;
import io.holdfast.parts.TestClaim;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Waiters whose grant rests on the creation of their node, and those that have to ask the leader. */
class RecentProofTest extends ZooKeeperProxyScene {

    private static final Duration ASKED = Duration.ofSeconds(20);

    private final ZooKeeperLockProvider provider = provider();
    private final ZooKeeperLockProvider other = provider();
    private final TestClaim holder = TestClaim.once(other, "a");

    private ZooKeeperLockProvider provider() {
        return ZooKeeperProviders.at(
                "zookeeper://127.0.0.1:" + proxy.port() + "/a?sessionTimeout=" + ASKED.toSeconds() + "s");
    }

    @AfterEach
    void close() {
        other.close();
        provider.close();
    }

    private void releaseAndAwaitWakeUp(TestClaim waiter) {
        assertThat(holder.released()).isTrue();
        soon().until(() -> waiter.mayBeFree.get() > 0);
    }

    private static Attempt.Granted granted(TestClaim waiter) {
        return (Attempt.Granted) waiter.claim.attempt();
    }

    /**
     * On a machine that stands still for half a second the proof is not recent any more: then the leader is asked, as in the
     * other test.
     */
    @Proves("2.5")
    @Test
    void grantByARecentProofEndsAsIfItWereGivenWithIt() {
        assertThat(holder.granted()).isTrue();
        TestClaim waiter = TestClaim.waiting(provider, "a");
        waiter.refused();
        long proven = System.nanoTime();
        Duration validity = new NegotiatedTimeOut(ASKED).validity();

        long requests = server.requests();
        releaseAndAwaitWakeUp(waiter);
        Duration sinceProof = Duration.ofNanos(System.nanoTime() - proven);
        Duration validFor = granted(waiter).validFor();
        boolean hasAsked = server.requests() - requests > 1 + 1;

        assertThat(validFor)
                .isBetween(
                        validity.minus(ProvenNode.RECENT),
                        hasAsked ? validity.plus(ASKED) : validity.minus(sinceProof));
        assertThat(hasAsked || sinceProof.compareTo(ProvenNode.RECENT) < 0).isTrue();
        assertThat(waiter.held()).isTrue();
    }

    @Proves({"1.1", "2.6"})
    @Test
    void proofThatIsNotRecentIsRepeated() {
        assertThat(holder.granted()).isTrue();
        TestClaim waiter = TestClaim.waiting(provider, "a");
        waiter.refused();
        letPass(ProvenNode.RECENT.plusMillis(50));

        long requests = server.requests();
        releaseAndAwaitWakeUp(waiter);
        Duration validFor = granted(waiter).validFor();

        assertThat(server.requests() - requests).isEqualTo(1 + 2);
        assertThat(validFor).isGreaterThanOrEqualTo(new NegotiatedTimeOut(ASKED).validity());
        assertThat(waiter.released()).isTrue();
    }
}
