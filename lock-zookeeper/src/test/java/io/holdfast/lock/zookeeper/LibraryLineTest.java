package io.holdfast.lock.zookeeper;

import static io.holdfast.parts.Waits.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LossCause;
import io.holdfast.servers.ZooKeeperServer;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The life of a lock with the versions of Curator and ZooKeeper of this test run. */
@Tag("server")
class LibraryLineTest {

    private static <T> T within(CompletableFuture<T> future) {
        return future.orTimeout(30, TimeUnit.SECONDS).join();
    }

    private static String jarOf(Class<?> type) throws Exception {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI())
                .getFileName()
                .toString();
    }

    @Test
    void theClassesComeFromTheVersionsOfThisRun() throws Exception {
        assertThat(jarOf(CuratorFramework.class))
                .isEqualTo("curator-framework-" + System.getProperty("line.version") + ".jar");
        assertThat(jarOf(ZooKeeper.class)).isEqualTo("zookeeper-" + System.getProperty("line.zookeeper") + ".jar");
    }

    @Test
    void aLockIsGrantedRenewedWaitedForReleasedAndLost() throws InterruptedException {
        try (ZooKeeperServer server = ZooKeeperServer.start();
                ZooKeeperLockProvider provider = ZooKeeperProviders.on(server, "/a?sessionTimeout=1m");
                LockClient client = LockClient.builder(provider).build();
                LockClient other = LockClient.builder(ZooKeeperProviders.on(server, "/a?sessionTimeout=1m"))
                        .build()) {
            LockHandle held = client.lock("a").acquire();
            assertThat(other.lock("a").tryAcquire()).isEmpty();
            CompletableFuture<LockHandle> waiter = other.lock("a").acquireAsync();
            assertThat(held.renew()).isTrue();
            assertThat(client.holder("a").orElseThrow().fencingToken()).isEqualTo(Optional.of(held.fencingToken()));
            held.close();
            LockHandle next = within(waiter);
            assertThat(next.fencingToken()).isGreaterThan(held.fencingToken());
            next.close();

            LockHandle doomed = client.lock("a").acquire();
            Operator.endSession(provider.sessions().curator(), server);

            assertThat(within(doomed.lost().toCompletableFuture())).isIn(LossCause.SESSION_ENDED, LossCause.STORE_LOST);
            soon().ignoreExceptions().until(() -> client.lock("a").tryAcquire().isPresent());
        }
    }
}
