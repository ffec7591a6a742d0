package io.holdfast.lock.zookeeper;

import static io.holdfast.parts.Waits.answered;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.tck.faults.TcpProxy;
import io.holdfast.lock.tck.faults.TcpProxy.Direction;
import io.holdfast.parts.Proves;
import io.holdfast.parts.TestClaim;
import io.holdfast.parts.Waits;
import io.holdfast.servers.ZooKeeperServer;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A server that goes and comes back. */
@Tag("full")
@Tag("server")
class ServerRestartTest {

    /** A third of the session's time-out, for which the client would wait for the reply to its close. */
    private static final Duration CLOSE_BOUND = Duration.ofSeconds(10);

    @Proves("9.3")
    @Test
    void closeDoesNotWaitForASilentServer() {
        try (ZooKeeperServer server = ZooKeeperServer.start();
                TcpProxy proxy = TcpProxy.to(server.host(), server.port())) {
            proxy.swallow(Direction.REPLIES);
            ZooKeeperLockProvider provider = ZooKeeperProviders.at(
                    "zookeeper://127.0.0.1:" + proxy.port() + "/a?sessionTimeout=40s&connectTimeout=300ms");
            TestClaim claim = TestClaim.once(provider, "a");
            assertThatThrownBy(claim::granted)
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContaining("not connected");
            assertThat(claim.released()).isFalse();
            long before = System.nanoTime();
            provider.close();
            assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(CLOSE_BOUND);
        }
    }

    @Proves({"6.3", "9.5"})
    @Test
    void callsFailDuringARestartAndTheLockStaysHeld() {
        try (ZooKeeperServer server = ZooKeeperServer.start();
                ZooKeeperLockProvider provider =
                        ZooKeeperProviders.at("zookeeper://" + ZooKeeperProviders.amongOthers(server.port())
                                + "/a?sessionTimeout=1m&connectTimeout=300ms")) {
            TestClaim holder = TestClaim.once(provider, "a");
            // The client tries the servers in any order.
            answered().until(holder::granted);
            long token = holder.token();
            TestClaim waiter = TestClaim.waiting(provider, "a");
            waiter.refused();
            server.kill();

            assertThatThrownBy(() -> TestClaim.once(provider, "b").granted())
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContaining("acquire of lock 'b'");
            assertThatThrownBy(holder::held)
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContaining("renewal of lock 'a'");

            server.restart();
            answered().until(holder::held);
            assertThat(holder.losses).isEmpty();
            assertThat(TestClaim.once(provider, "a").granted()).isFalse();
            holder.released();
            Waits.soon().until(() -> waiter.mayBeFree.get() > 0);
            assertThat(waiter.token()).isGreaterThan(token);
        }
    }
}
