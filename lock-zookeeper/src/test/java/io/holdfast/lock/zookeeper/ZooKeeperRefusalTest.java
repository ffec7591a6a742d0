package io.holdfast.lock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockStoreException;
import io.holdfast.parts.TestClaim;
import io.holdfast.servers.ZooKeeperServer;
import java.util.List;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.KeeperException.NoNodeException;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a call reports if the server refuses it for good. */
@Tag("server")
class ZooKeeperRefusalTest {

    @Test
    void acquireBelowAMissingChrootNamesTheNodeAndTheChroot() {
        try (ZooKeeperServer server = ZooKeeperServer.start();
                Operator application = Operator.at(server.host() + ":" + server.port() + "/app/x");
                ZooKeeperLockProvider given =
                        ZooKeeperLockProvider.over(application.curator).build()) {
            TestClaim claim = TestClaim.once(given, "l");

            assertThatThrownBy(claim::granted)
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContainingAll("acquire of lock 'l'", "/holdfast/l", "chroot")
                    .hasCauseInstanceOf(NoNodeException.class);
        }
    }

    @Test
    void unusableAccessControlListIsReported() {
        try (ZooKeeperServer server = ZooKeeperServer.start();
                Operator application = Operator.of(server);
                ZooKeeperLockProvider given = ZooKeeperLockProvider.over(application.curator)
                        .acl(List.of(new ACL(ZooDefs.Perms.ALL, new Id("auth", ""))))
                        .build()) {
            TestClaim claim = TestClaim.once(given, "l");

            assertThatThrownBy(claim::granted)
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContainingAll("acquire of lock 'l'", "does not accept the access control list");
        }
    }

    @Test
    void holderNeedsThePermissionToReadAlone() {
        try (ZooKeeperServer server = ZooKeeperServer.start();
                Operator operator = Operator.of(server);
                ZooKeeperLockProvider provider =
                        ZooKeeperLockProvider.over(operator.curator).build()) {
            assertThat(provider.holder("l")).isEmpty();
            TestClaim claim = TestClaim.once(provider, "l");
            long token = claim.token();
            // The other one is for this test, to change them again.
            permit(operator, ZooDefs.Perms.READ | ZooDefs.Perms.ADMIN);

            assertThat(provider.holder("l")
                            .orElseThrow()
                            .fencingToken()
                            .orElseThrow()
                            .value())
                    .isEqualTo(token);

            permit(operator, ZooDefs.Perms.ALL & ~ZooDefs.Perms.READ);
            assertThatThrownBy(() -> provider.holder("l"))
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContainingAll("holder of lock 'l'", "not permitted");
            assertThat(claim.released()).isTrue();
        }
    }

    private static void permit(Operator operator, int permissions) {
        List<ACL> acl = List.of(new ACL(permissions, new Id("world", "anyone")));
        Operator.call(() -> operator.curator.setACL().withACL(acl).forPath("/holdfast/l"));
    }

    @Test
    void readOnlyServerIsReported() {
        assertThat(new RequestResult<>(Code.NOTREADONLY, null).failure("acquire", "l"))
                .hasMessageContainingAll("acquire of lock 'l'", "only answers reads");
    }
}
