package io.holdfast.lock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimRequest.Intent;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.zookeeper.OwnNodes.ClaimNode;
import io.holdfast.parts.Proves;
import io.holdfast.parts.TestClaim;
import io.holdfast.parts.Waits;
import io.holdfast.servers.ZooKeeperServer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.zookeeper.AsyncCallback;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tokens that begin above a number, and what happens in between the steps of a grant. */
@Tag("server")
class RaisedOffsetTest {

    private static final long AHEAD = 5_000_000_000_000_000L;

    /** More transactions than a test makes. */
    private static final long FEW = 1_000_000;

    private static final String LONG = "/a?sessionTimeout=5m";

    private final ZooKeeperServer server = ZooKeeperServer.start();
    private final ZooKeeperLockProvider one = ZooKeeperProviders.on(server, LONG);
    private final ZooKeeperLockProvider other = ZooKeeperProviders.on(server, LONG);

    /** Runs before the queue is asked for, once. */
    private final AtomicReference<Runnable> beforeTheQueue = new AtomicReference<>(() -> {});

    @AfterEach
    void close() {
        one.close();
        other.close();
        server.close();
    }

    private static long next(LockProvider provider, String name) {
        TestClaim claim = TestClaim.once(provider, name);
        long token = claim.token();
        assertThat(shown(provider, name)).isEqualTo(token);
        assertThat(claim.released()).isTrue();
        return token;
    }

    private static long shown(LockProvider provider, String name) {
        return provider.holder(name).orElseThrow().fencingToken().orElseThrow().value();
    }

    /** A client that stops between two requests of a grant. */
    @SuppressWarnings("try") // ZooKeeper's close may throw an InterruptedException
    private static final class StoppingClient extends ZooKeeper {
        private final Runnable beforeTheQueue;

        StoppingClient(String servers, int timeOut, Watcher watcher, Runnable beforeTheQueue) throws IOException {
            super(servers, timeOut, watcher);
            this.beforeTheQueue = beforeTheQueue;
        }

        @Override
        public void getChildren(String path, boolean watch, AsyncCallback.Children2Callback reply, Object context) {
            beforeTheQueue.run();
            super.getChildren(path, watch, reply, context);
        }
    }

    private Operator stoppingClient() {
        return Operator.at(
                server.host() + ":" + server.port(),
                builder -> builder.zookeeperFactory((servers, timeOut, watcher, readOnly) -> new StoppingClient(
                        servers,
                        timeOut,
                        watcher,
                        () -> beforeTheQueue.getAndSet(() -> {}).run())));
    }

    @Proves("6.7")
    @Test
    void everyNameOfEveryClientHasGreaterTokens() {
        long before = next(one, "a");
        assertThat(other.highestToken()).isGreaterThanOrEqualTo(before);
        assertThat(next(other, "quiet")).isLessThan(FEW);

        one.raiseTokens(AHEAD);

        long last = next(other, "quiet");
        assertThat(last).isBetween(AHEAD + 1, AHEAD + FEW);
        assertThat(next(one, "new-" + UUID.randomUUID())).isBetween(AHEAD + 1, AHEAD + FEW);
        assertThat(one.highestToken()).isBetween(last, AHEAD + FEW);
        try (Operator operator = Operator.of(server)) {
            String offset = operator.text("/a/#tokens");
            other.raiseTokens(before);
            other.raiseTokens(last);
            other.raiseTokens(AHEAD);
            assertThat(operator.text("/a/#tokens")).isEqualTo(offset);
        }
        assertThat(next(one, "quiet")).isBetween(last + 1, AHEAD + FEW);
        try (ZooKeeperLockProvider later = ZooKeeperProviders.on(server, LONG)) {
            assertThat(next(later, "a")).isBetween(AHEAD + 1, AHEAD + FEW);
        }
    }

    /** Of those that wait each has a number of a different kind: of its creation, or of a write once the tokens were raised. */
    @Proves({"6.1", "6.8"})
    @Test
    void allTokensOfAGrantAreBelowThoseOfLaterGrants() {
        long last = 0;
        for (long above : new long[] {0, 0, AHEAD}) {
            List<TestClaim> claims = List.of(
                    TestClaim.waiting(one, "a"),
                    TestClaim.waiting(other, "a"),
                    TestClaim.waiting(one, "a"),
                    TestClaim.once(other, "a"));
            last = lastAbove(last, claims.get(0), TokenOffset.TOKENS);
            claims.subList(1, 3).forEach(TestClaim::refused);
            for (int i = 0; i < claims.size(); i++) {
                if (i > 0) {
                    last = lastAbove(last, claims.get(i), TokenOffset.TOKENS);
                }
                assertThat(one.highestToken()).isGreaterThanOrEqualTo(last);
                assertThat(lastAbove(0, claims.get(i), 1)).isEqualTo(last - TokenOffset.TOKENS + 1);
                assertThat(claims.get(i).released()).isTrue();
            }
            one.raiseTokens(above);
        }
    }

    /** The last token of a grant, whose tokens are greater than one. It gets fewer than it asks for. */
    private static long lastAbove(long last, TestClaim claim, int tokens) {
        Attempt.Granted granted = (Attempt.Granted) claim.claim.attemptFor(1_000);
        long token = granted.fencingToken().orElseThrow().value();
        assertThat(token).isGreaterThan(last);
        assertThat(granted.tokens()).isEqualTo(tokens);
        return token + tokens - 1;
    }

    /**
     * Its node has a lower number than the transaction that raised the tokens. Also if what they are raised to was passed
     * already.
     */
    @Proves({"6.1", "6.7"})
    @Test
    void waitersFromBeforeTheRaiseHaveGreaterTokens() {
        for (long above : new long[] {0, AHEAD}) {
            TestClaim holder = TestClaim.once(one, "a");
            long token = holder.token();
            List<TestClaim> waiters =
                    List.of(TestClaim.waiting(other, "a"), TestClaim.waiting(one, "a"), TestClaim.waiting(other, "a"));
            waiters.forEach(TestClaim::refused);

            long floor = above > 0 ? above : other.highestToken();
            one.raiseTokens(floor);

            assertThat(holder.token()).isEqualTo(token);
            assertThat(shown(other, "a")).isEqualTo(token);
            assertThat(holder.released()).isTrue();
            long last = floor;
            for (TestClaim waiter : waiters) {
                long next = waiter.token();
                assertThat(next).isBetween(last + 1, floor + FEW);
                assertThat(waiter.token()).isEqualTo(next);
                assertThat(shown(one, "a")).isEqualTo(next);
                assertThat(waiter.held()).isTrue();
                assertThat(waiter.released()).isTrue();
                last = next;
            }
            assertThat(next(one, "a")).isGreaterThan(last);
        }
    }

    @Proves("6.2")
    @Test
    void grantKeepsItsTokenWhileTokensAreRaised() {
        for (int round = 1; round <= 3; round++) {
            TestClaim holder = TestClaim.once(one, "a");
            long token = holder.token();

            other.raiseTokens(AHEAD * round);

            assertThat(holder.token()).isEqualTo(token);
            assertThat(holder.held()).isTrue();
            assertThat(shown(other, "a")).isEqualTo(token);
            assertThat(holder.released()).isTrue();
        }
    }

    /** The first one waits since before its client knew the offset, the second one began to wait with it. */
    @Proves("6.1")
    @Test
    void waiterThatKnewTheOffsetHasAGreaterTokenThanTheOneBeforeIt() {
        assertThat(next(other, "a")).isPositive();
        one.raiseTokens(AHEAD);
        TestClaim holder = TestClaim.once(one, "a");
        assertThat(holder.granted()).isTrue();
        TestClaim unknowing = TestClaim.waiting(other, "a");
        unknowing.refused();
        TestClaim knowing = TestClaim.waiting(one, "a");
        knowing.refused();
        assertThat(holder.released()).isTrue();

        long token = unknowing.token();
        assertThat(unknowing.released()).isTrue();

        assertThat(knowing.token()).isGreaterThan(token);
    }

    /** The claim sees itself first in its first look, although it had to wait. */
    @Proves("6.1")
    @Test
    void claimOvertakenBetweenItsCreationAndItsLookHasTheGreaterToken() {
        try (Operator application = stoppingClient();
                LockProvider late = ZooKeeperLockProvider.over(application.curator)
                        .basePath("/a")
                        .build()) {
            one.raiseTokens(AHEAD);
            assertThat(next(late, "a")).isGreaterThan(AHEAD);
            assertOvertaken(late, () -> {});
        }
    }

    @Proves({"6.1", "6.7"})
    @Test
    void claimOvertakenAfterARaiseHasTheGreaterToken() {
        try (Operator application = stoppingClient();
                LockProvider late = ZooKeeperLockProvider.over(application.curator)
                        .basePath("/a")
                        .build()) {
            assertThat(next(late, "a")).isPositive();
            assertOvertaken(late, () -> one.raiseTokens(AHEAD));
        }
    }

    private void assertOvertaken(LockProvider late, Runnable meanwhile) {
        TestClaim holder = TestClaim.once(one, "a");
        assertThat(holder.granted()).isTrue();
        TestClaim waiter = TestClaim.waiting(other, "a");
        waiter.refused();
        assertThat(holder.released()).isTrue();
        AtomicLong earlier = new AtomicLong();
        beforeTheQueue.set(() -> {
            try (Operator operator = Operator.of(server)) {
                Waits.soon().until(() -> operator.queue("/a/a").size() == 2);
            }
            meanwhile.run();
            earlier.set(waiter.token());
            assertThat(waiter.released()).isTrue();
        });

        assertThat(next(late, "a")).isGreaterThan(earlier.get());
        assertThat(earlier).hasValueGreaterThan(AHEAD);
    }

    /**
     * An attempt that failed after it had created its node. Meanwhile others have asked for what the tokens are above already.
     */
    @Proves("6.7")
    @Test
    void repeatedAttemptHasAGreaterTokenThanWhatWasRaisedToBeforeIt() {
        one.raiseTokens(AHEAD);
        assertThat(next(other, "a")).isGreaterThan(AHEAD);
        ClaimRequest request =
                new ClaimRequest("a", "claim", "owner", TestClaim.LEASE, Intent.TRY_ONCE, TestClaim.CLAIMANT);
        OwnNodes nodes = other.nodesOf(request);
        Session session = other.sessions().connected("acquire", "a");
        ClaimNode mine = nodes.create(session).node().node();
        long floor = one.highestToken();
        one.raiseTokens(floor);

        FencingToken token =
                nodes.view(session).fixToken(session, mine, request).orElseThrow();

        assertThat(token.value()).isGreaterThan(floor);
    }

    @Proves({"6.1", "6.7"})
    @Test
    void tokensGrowWhileOthersRaiseThem() {
        AtomicLong floor = new AtomicLong();
        ExecutorService threads = Executors.newFixedThreadPool(7);
        List<CompletableFuture<Void>> runs = new ArrayList<>();
        Holders holders = new Holders();
        for (int thread = 0; thread < 6; thread++) {
            LockProvider provider = thread % 2 == 0 ? one : other;
            runs.add(CompletableFuture.runAsync(() -> holders.takeOften(provider, floor), threads));
        }
        runs.add(CompletableFuture.runAsync(
                () -> {
                    for (int raise = 0; raise < 100; raise++) {
                        long above = other.highestToken() + raise % 7;
                        one.raiseTokens(above);
                        floor.set(above);
                    }
                },
                threads));
        try {
            runs.forEach(CompletableFuture::join);
        } finally {
            threads.shutdownNow();
        }
        assertThat(holders.last).hasValueGreaterThan(0);
    }

    /** Takes a lock, and notes the tokens while it is held. */
    private static final class Holders {
        private final AtomicLong last = new AtomicLong();

        void takeOften(LockProvider provider, AtomicLong floor) {
            for (int i = 0; i < 40; i++) {
                TestClaim claim = TestClaim.waiting(provider, "a");
                long raised = floor.get();
                long token = claim.tokenOrZero();
                while (token == 0) {
                    Waits.soon().until(() -> claim.mayBeFree.getAndSet(0) > 0);
                    raised = floor.get();
                    token = claim.tokenOrZero();
                }
                assertThat(token).isGreaterThan(Math.max(raised, last.getAndSet(token)));
                assertThat(shown(provider, "a")).isEqualTo(token);
                assertThat(claim.token()).isEqualTo(token);
                assertThat(claim.released()).isTrue();
            }
        }
    }

    @Proves({"6.3", "6.7"})
    @Test
    void raiseLastsWithoutClientsAndOverARestart() {
        try (ZooKeeperServer looking = ZooKeeperServer.start(Duration.ofMillis(50))) {
            try (ZooKeeperLockProvider raising = ZooKeeperProviders.on(looking, LONG)) {
                raising.raiseTokens(AHEAD);
            }
            looking.kill();
            looking.restart();
            // The server looks for empty containers every 50 ms.
            try (Operator operator = Operator.of(looking);
                    ZooKeeperLockProvider later = ZooKeeperProviders.on(looking, LONG)) {
                operator.create(CreateMode.CONTAINER, "/empty", "");
                operator.create(CreateMode.PERSISTENT, "/empty/a", "");
                operator.delete("/empty/a");
                Waits.soon().until(() -> !operator.exists("/empty"));
                assertThat(next(later, "a")).isGreaterThan(AHEAD);
            }
        }
    }

    @Proves("6.7")
    @Test
    void tooLargeNumberIsRefusedAndChangesNothing() {
        assertThatThrownBy(() -> one.raiseTokens((1L << 62) + 1))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("allowed is up to " + (1L << 62));
        assertThat(next(one, "a")).isLessThan(FEW);

        one.raiseTokens(1L << 62);
        assertThat(next(one, "a")).isGreaterThan(1L << 62);
    }

    @Test
    void missingPermissionsAreNamed() {
        ACL readable = new ACL(ZooDefs.Perms.READ, new Id("world", "anyone"));
        try (Operator operator = Operator.of(server)) {
            assertThat(next(one, "a")).isPositive();
            Operator.call(
                    () -> operator.curator.create().withACL(List.of(readable)).forPath("/a/#tokens", new byte[] {'0'}));

            for (Runnable call : List.<Runnable>of(() -> one.raiseTokens(AHEAD), one::highestToken)) {
                assertThatThrownBy(call::run)
                        .isInstanceOf(LockStoreException.class)
                        .hasMessageContainingAll("read and write on /a/#tokens", "create on /a", "not permitted");
            }
            assertThat(next(one, "a")).isPositive();
        }
    }

    @Test
    void claimsThatMayNotWriteTheirNodeAreRefusedWithTheMissingPermission() {
        List<ACL> acl = List.of(
                new ACL(ZooDefs.Perms.CREATE | ZooDefs.Perms.READ | ZooDefs.Perms.DELETE, new Id("world", "anyone")));
        one.raiseTokens(AHEAD);
        try (Operator application = Operator.of(server);
                LockProvider given = ZooKeeperLockProvider.over(application.curator)
                        .basePath("/a")
                        .acl(acl)
                        .build()) {
            assertThatThrownBy(() -> next(given, "a"))
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContainingAll("acquire of lock 'a'", "the permission write", "not permitted");
        }
    }

    @Test
    void unreadableOffsetIsReported() {
        assertThat(next(one, "a")).isPositive();
        try (Operator operator = Operator.of(server)) {
            operator.create(CreateMode.PERSISTENT, "/a/#tokens", "many");
        }
        for (Runnable call : List.<Runnable>of(() -> next(one, "a"), one::highestToken)) {
            assertThatThrownBy(call::run)
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContainingAll("/a/#tokens", "changed by another program");
        }
    }
}
