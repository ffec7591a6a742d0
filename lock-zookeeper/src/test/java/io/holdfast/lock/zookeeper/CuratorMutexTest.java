package io.holdfast.lock.zookeeper;

import static io.holdfast.lock.zookeeper.Operator.call;
import static io.holdfast.parts.Waits.answered;
import static io.holdfast.parts.Waits.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockStoreException;
import io.holdfast.parts.TestClaim;
import io.holdfast.servers.ZooKeeperServer;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Locks of this backend and Curator's own mutex on the same path. */
@Tag("server")
class CuratorMutexTest {

    private final ZooKeeperServer server = Site.ONE_SERVER.next();
    private final String base = "/shared-" + UUID.randomUUID();
    private final String path = base + "/stock-42";
    private final ZooKeeperLockProvider provider = ZooKeeperProviders.on(server, base + "?sessionTimeout=1m");
    private final Operator operator = Operator.of(server);
    private final InterProcessMutex mutex = new InterProcessMutex(operator.curator, path);

    @AfterEach
    void close() {
        operator.close();
        provider.close();
    }

    private boolean mutexIsHad() {
        return call(() -> mutex.acquire(100, TimeUnit.MILLISECONDS));
    }

    private void mutexIsReleased() {
        call(() -> {
            mutex.release();
            return true;
        });
    }

    @Test
    void lockExcludesTheMutexUntilItIsReleased() {
        TestClaim holder = TestClaim.once(provider, "stock-42");
        assertThat(holder.granted()).isTrue();

        assertThat(mutexIsHad()).isFalse();
        assertThat(holder.released()).isTrue();
        assertThat(mutexIsHad()).isTrue();
    }

    @Test
    void mutexExcludesTheLockAndItsReleaseWakesTheWaiter() {
        assertThat(mutexIsHad()).isTrue();
        TestClaim waiter = TestClaim.waiting(provider, "stock-42");

        assertThat(TestClaim.once(provider, "stock-42").granted()).isFalse();
        waiter.refused();
        mutexIsReleased();
        soon().until(() -> waiter.mayBeFree.get() > 0);

        assertThat(waiter.granted()).isTrue();
        assertThat(mutexIsHad()).isFalse();
    }

    @Test
    void endOfTheMutexSessionLetsAClaimInWhichItsLateReleaseDoesNotFree() {
        assertThat(mutexIsHad()).isTrue();
        TestClaim claim = TestClaim.waiting(provider, "stock-42");
        claim.refused();

        Operator.endSession(operator.curator, server);

        soon().until(() -> claim.mayBeFree.get() > 0);
        assertThat(claim.granted()).isTrue();
        mutexIsReleased();
        assertThat(claim.held()).isTrue();
        assertThat(claim.released()).isTrue();
    }

    @Test
    void endOfOurSessionLetsTheMutexInWhichOurLateReleaseDoesNotFree() {
        try (Operator application = Operator.of(server);
                ZooKeeperLockProvider ours = ZooKeeperLockProvider.over(application.curator)
                        .basePath(base)
                        .build()) {
            TestClaim claim = TestClaim.once(ours, "stock-42");
            assertThat(claim.granted()).isTrue();
            assertThat(mutexIsHad()).isFalse();

            Operator.endSession(application.curator, server);

            soon().until(() -> operator.queue(path).isEmpty());
            assertThat(mutexIsHad()).isTrue();
            // The client may not have noticed yet that its connection was closed.
            assertThat(answered().until(claim::held, held -> true)).isFalse();
            assertThat(claim.released()).isFalse();
            assertThat(TestClaim.once(provider, "stock-42").granted()).isFalse();
        }
    }

    @Test
    void lockAndMutexShareOneQueue() {
        TestClaim holder = TestClaim.once(provider, "stock-42");
        holder.granted();
        CompletableFuture<Boolean> second = CompletableFuture.supplyAsync(() -> call(() -> {
            mutex.acquire();
            return mutex.isOwnedByCurrentThread();
        }));
        soon().until(() -> operator.queue(path).size() == 2);
        TestClaim third = TestClaim.waiting(provider, "stock-42");
        third.refused();

        holder.released();

        assertThat(second.orTimeout(30, TimeUnit.SECONDS).join()).isTrue();
        third.refused();
        assertThat(third.mayBeFree).hasValue(0);
    }

    @Test
    void mutexIsShownAsTheHolder() {
        assertThat(mutexIsHad()).isTrue();

        LockHolder holder = provider.holder("stock-42").orElseThrow();

        assertThat(holder.owner()).isEqualTo(operator.queue(path).get(0));
        assertThat(holder.host()).contains(operator.text(path + "/" + holder.owner()));
        assertThat(holder.fencingToken()).isPresent();
        assertThat(holder.since()).isPresent();
    }

    @Test
    void foreignWriteToTheHoldersNodeChangesNeitherItsTokenNorItsTime() {
        long token = TestClaim.once(provider, "stock-42").token();
        LockHolder before = provider.holder("stock-42").orElseThrow();
        String node = path + "/" + operator.queue(path).get(0);
        soon().until(() -> {
            call(() -> operator.curator.setData().forPath(node, new byte[0]));
            return operator.stat(node).getMtime() > operator.stat(node).getCtime();
        });

        LockHolder after = provider.holder("stock-42").orElseThrow();

        assertThat(after.fencingToken().orElseThrow().value()).isEqualTo(token);
        assertThat(after.since()).isEqualTo(before.since());
    }

    @Test
    void unreadablePredecessorIsAFailureAndIsNotWatched() {
        List<ACL> nobodyReads = List.of(new ACL(Perms.DELETE, new Id("world", "anyone")));
        call(() -> operator.curator
                .create()
                .creatingParentsIfNeeded()
                .withMode(CreateMode.EPHEMERAL_SEQUENTIAL)
                .withACL(nobodyReads)
                .forPath(path + "/lock-"));

        assertThatThrownBy(() -> TestClaim.waiting(provider, "stock-42").granted())
                .isInstanceOf(LockStoreException.class)
                .hasMessageContainingAll("acquire of lock 'stock-42'", "not permitted");

        assertThat(provider.watches().size()).isZero();
    }
}
