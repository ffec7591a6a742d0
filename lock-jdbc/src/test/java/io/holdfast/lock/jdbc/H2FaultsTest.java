package io.holdfast.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.tck.Outage;
import io.holdfast.parts.Proves;
import io.holdfast.parts.TestClaim;
import io.holdfast.servers.TcpProxy;
import io.holdfast.servers.TcpProxy.Direction;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Trouble of an H2 server, which runs in this JVM: so it is the way to it that is cut or stands still. */
@Tag("full")
class H2FaultsTest {

    private final String name = "name-" + UUID.randomUUID();

    /** A connection that was in use half a second ago is lent again unchecked: so the pool has to hear of its end at once. */
    @Proves("9.5")
    @Test
    void aBusyClientThatLostItsConnectionToAServerWorksAgain() {
        try (ProxiedDatabase way = ProxiedDatabase.of(Databases.SharedH2Server.URL);
                JdbcLockProvider provider = Databases.at(way.url())) {
            TestClaim before = TestClaim.once(provider, name);
            assertThat(before.granted() && before.released()).isTrue();
            way.proxy().reset();
            assertThatThrownBy(TestClaim.once(provider, name)::granted).isInstanceOf(LockStoreException.class);
            TestClaim after = TestClaim.once(provider, name + "-after");
            assertThat(after.granted()).isTrue();
            assertThat(after.released()).isTrue();
        }
    }

    @Proves({"1.6", "7.1", "9.5"})
    @Test
    void aWaiterBehindAnotherIsNotToldOfASilentServerThatTheLockIsHeld() throws InterruptedException {
        try (ProxiedDatabase way = ProxiedDatabase.of(Databases.SharedH2Server.URL);
                JdbcLockProvider other = Databases.at(Databases.SharedH2Server.URL);
                JdbcLockProvider provider = Databases.at(way.url(), "timeout", "1s")) {
            ServerFaults.assertWaitersFailWhile(silence(way.proxy()), provider, other, name);
        }
    }

    private static Outage silence(TcpProxy proxy) {
        return new Outage(
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
