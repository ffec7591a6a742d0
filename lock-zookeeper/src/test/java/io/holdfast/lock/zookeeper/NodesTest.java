package io.holdfast.lock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockStoreException;
import io.holdfast.parts.Proves;
import io.holdfast.parts.TestClaim;
import io.holdfast.parts.Waits;
import io.holdfast.servers.ZooKeeperServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.common.PathUtils;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The nodes that locks are made of. */
@Execution(ExecutionMode.CONCURRENT)
@Tag("server")
class NodesTest {

    private static final int ROUNDS = 50;

    @Proves("1.4")
    @Test
    void differentNamesAreDifferentSegments() {
        List<String> names = List.of(
                ".",
                "..",
                "...",
                "%2E",
                "a/b",
                "a%2Fb",
                "a b",
                "a\u0000",
                "\u007F",
                "\u00E9",
                "e\u0301",
                "\uD83D\uDD12",
                "\uF8FF",
                "\uFFFF",
                "zookeeper",
                "stock:42",
                "x".repeat(DistributedLock.MAX_NAME_LENGTH),
                "\uFFFD".repeat(DistributedLock.MAX_NAME_LENGTH));
        List<String> segments = names.stream().map(LockPaths::segment).toList();

        assertThat(segments).doesNotHaveDuplicates().noneMatch(segment -> segment.contains("/"));
        segments.forEach(segment -> PathUtils.validatePath("/holdfast/" + segment));
        assertThat(LockPaths.segment("Stock-42_a.b")).isEqualTo("Stock-42_a.b");
        assertThat(LockPaths.segment("stock:42/é")).isEqualTo("stock%3A42%2F%C3%A9");
    }

    @Test
    void queueIsOrderedByTheNumbersOfItsNodes() {
        ClaimQueue queue =
                ClaimQueue.of(List.of("_c_z-lock-0000000002", "lock-0000000001", "other", "_c_a-lock-0000000010"));

        assertThat(queue.nodes()).containsExactly("lock-0000000001", "_c_z-lock-0000000002", "_c_a-lock-0000000010");
        assertThat(queue.predecessor("_c_z-lock-0000000002")).contains("lock-0000000001");
        assertThat(queue.predecessor("lock-0000000001")).isEmpty();
        assertThat(ClaimQueue.isPastTheEnd("lock--2147483648")).isTrue();
        // A server that has counted so far gives this number to every further node.
        assertThat(ClaimQueue.isPastTheEnd("lock-2147483647")).isTrue();
        assertThat(ClaimQueue.isPastTheEnd("lock-2147483646")).isFalse();
    }

    @Proves("6.1")
    @Test
    void claimIsAnEphemeralNodeAndItsTokensAreThoseOfTheTransactionThatCreatedIt() {
        try (ZooKeeperServer server = ZooKeeperServer.start();
                Operator operator = Operator.of(server);
                ZooKeeperLockProvider provider = ZooKeeperProviders.on(server, "/a?sessionTimeout=1m")) {
            long token = TestClaim.once(provider, "a").token();

            String node = operator.queue("/a/a").get(0);
            assertThat(node).matches("_c_[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}-lock-\\d{10}");
            assertThat(operator.stat("/a/a/" + node).getCzxid() * TokenOffset.TOKENS)
                    .isEqualTo(token);
            assertThat(operator.stat("/a/a/" + node).getEphemeralOwner()).isNotZero();
        }
    }

    @Proves("1.1")
    @Test
    void removalOfEmptyNodesDoesNotDisturbAttempts() {
        Duration often = Duration.ofMillis(10);
        try (ZooKeeperServer server = ZooKeeperServer.start(often);
                Operator operator = Operator.of(server);
                LockClient one = LockClient.builder(ZooKeeperProviders.on(server, "/some/base?sessionTimeout=1m"))
                        .build();
                LockClient other = LockClient.builder(ZooKeeperProviders.on(server, "/some/base?sessionTimeout=1m"))
                        .build()) {
            int[] unguarded = new int[1];
            List<CompletableFuture<Void>> workers = Stream.of(one, other, one, other)
                    .map(client -> CompletableFuture.runAsync(() -> count(client, unguarded)))
                    .toList();

            workers.forEach(worker -> worker.orTimeout(60, TimeUnit.SECONDS).join());

            assertThat(unguarded[0]).isEqualTo(4 * ROUNDS);
            Waits.soon().until(() -> !operator.exists("/some"));
        }
    }

    private static void count(LockClient client, int[] unguarded) {
        for (int i = 0; i < ROUNDS; i++) {
            try (LockHandle held = client.lock("a").acquire()) {
                held.requireRemaining(Duration.ZERO);
                unguarded[0]++;
            } catch (InterruptedException stop) {
                throw new IllegalStateException(stop);
            }
            // Now and then the queue is empty for long enough for the server to look.
            Waits.letPass(Duration.ofMillis(i % 5 == 0 ? 15 : 0));
        }
    }

    @Test
    void foreignNodeAtTheLocksPathIsUsedAndKept() {
        try (ZooKeeperServer server = ZooKeeperServer.start(Duration.ofMillis(50));
                Operator other = Operator.of(server);
                ZooKeeperLockProvider provider = ZooKeeperProviders.on(server, "/a?sessionTimeout=1m")) {
            other.create(CreateMode.PERSISTENT, "/a", "base");
            other.create(CreateMode.PERSISTENT, "/a/a", "not ours");
            other.create(CreateMode.PERSISTENT, "/a/a/other", "not a claim");
            TestClaim claim = TestClaim.waiting(provider, "a");

            assertThat(claim.granted()).isTrue();
            assertThat(provider.holder("a")).isPresent();
            assertThat(claim.released()).isTrue();

            assertThat(provider.holder("a")).isEmpty();
            assertThat(other.text("/a/a")).isEqualTo("not ours");
            assertThat(other.text("/a/a/other")).isEqualTo("not a claim");
        }
    }

    @Test
    void nodeThatMayHaveNoChildrenIsAFailureThatNamesTheLock() {
        try (ZooKeeperServer server = ZooKeeperServer.start();
                Operator other = Operator.of(server);
                ZooKeeperLockProvider provider = ZooKeeperProviders.on(server, "/a?sessionTimeout=1m")) {
            other.create(CreateMode.PERSISTENT, "/a", "base");
            other.create(CreateMode.EPHEMERAL, "/a/a", "not ours");

            assertThatThrownBy(() -> TestClaim.once(provider, "a").granted())
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContainingAll("acquire of lock 'a'", "NoChildrenForEphemerals");
            other.delete("/a/a");
            other.delete("/a");
            other.create(CreateMode.EPHEMERAL, "/a", "not ours");
            assertThatThrownBy(() -> TestClaim.once(provider, "a").granted())
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContainingAll("making /a/a", "lock 'a'", "NoChildrenForEphemerals");
        }
    }

    @Test
    void removedLockNodeIsCreatedAgain() {
        try (ZooKeeperServer server = ZooKeeperServer.start(Duration.ofMillis(300));
                Operator operator = Operator.of(server);
                ZooKeeperLockProvider provider = ZooKeeperProviders.on(server, "/some/base?sessionTimeout=1m")) {
            for (int i = 0; i < 2; i++) {
                TestClaim claim = TestClaim.waiting(provider, "a");
                assertThat(claim.granted()).isTrue();
                assertThat(claim.released()).isTrue();
                Waits.soon().until(() -> !operator.exists("/some"));
            }
        }
    }

    @Test
    void nodesOfAClientWithCredentialsAreClosedToOthers() {
        try (ZooKeeperServer server = ZooKeeperServer.start();
                ZooKeeperLockProvider other = ZooKeeperProviders.on(server, "/a?sessionTimeout=1m");
                ZooKeeperLockProvider owner = ZooKeeperProviders.at(
                        "zookeeper://" + server.host() + ":" + server.port() + "/a?sessionTimeout=1m",
                        Map.of("user", "me", "password", "s%cret:1"))) {
            TestClaim claim = TestClaim.waiting(owner, "a");
            assertThat(claim.granted()).isTrue();
            assertThat(claim.held()).isTrue();

            assertThatThrownBy(() -> TestClaim.once(other, "a").granted())
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContainingAll("acquire of lock 'a'", "not permitted")
                    .hasMessageNotContaining("s%cret");
            assertThat(claim.released()).isTrue();
        }
    }
}
