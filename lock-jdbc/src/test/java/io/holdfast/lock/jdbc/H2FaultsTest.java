package io.holdfast.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.tck.faults.Fault;
import io.holdfast.lock.tck.faults.TcpProxy;
import io.holdfast.lock.tck.faults.TcpProxy.Direction;
import io.holdfast.parts.Proves;
import io.holdfast.parts.TestClaim;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An H2 server in trouble. It runs in this JVM, so the connections to it are cut or paused. */
@Tag("full")
class H2FaultsTest {

    private final String name = "name-" + UUID.randomUUID();

    /**
     * A pool lends a connection untested that was in use half a second ago: so it must learn at once that one is
     * lost.
     */
    @Proves("9.5")
    @Test
    void busyClientRecoversFromLostConnection() {
        try (ProxiedDatabase proxied = ProxiedDatabase.of(Databases.SharedH2Server.URL);
                JdbcLockProvider provider = Databases.at(proxied.url())) {
            TestClaim before = TestClaim.once(provider, name);
            assertThat(before.granted() && before.released()).isTrue();
            proxied.proxy().reset();
            // It succeeds only if the machine stood still for so long meanwhile that the pool tests the connection.
            Throwable met = catchThrowable(TestClaim.once(provider, name)::granted);
            assertThat(met == null || met instanceof LockStoreException)
                    .as(String.valueOf(met))
                    .isTrue();
            TestClaim after = TestClaim.once(provider, name + "-after");
            assertThat(after.granted()).isTrue();
            assertThat(after.released()).isTrue();
        }
    }

    @Proves({"1.6", "7.1", "9.5"})
    @Test
    void waiterBehindAnotherFailsWhileTheServerIsSilent() throws InterruptedException {
        try (ProxiedDatabase proxied = ProxiedDatabase.of(Databases.SharedH2Server.URL);
                JdbcLockProvider other = Databases.at(Databases.SharedH2Server.URL);
                JdbcLockProvider provider = Databases.at(proxied.url(), "timeout", "1s")) {
            DatabaseOutages.assertWaitersFailWhile(silence(proxied.proxy()), provider, other, name);
        }
    }

    private static Fault silence(TcpProxy proxy) {
        return new Fault(
                () -> {
                    proxy.hold(Direction.REQUESTS);
                    proxy.hold(Direction.REPLIES);
                },
                () -> {
                    proxy.pass(Direction.REQUESTS);
                    proxy.pass(Direction.REPLIES);
                });
    }
}
