package io.holdfast.lock.zookeeper;

import static io.holdfast.parts.Waits.answered;
import static io.holdfast.parts.Waits.letPass;
import static io.holdfast.parts.Waits.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.tck.faults.TcpProxy;
import io.holdfast.parts.Proves;
import io.holdfast.parts.TestClaim;
import io.holdfast.servers.ZooKeeperEnsemble;
import io.holdfast.servers.ZooKeeperServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Members of an ensemble that are cut off from each other, or die, under locks that are held and waited for. */
@Tag("full")
@Tag("server")
class EnsembleTest {

    private static final Duration BOUND = Duration.ofSeconds(60);

    /** Of a session of 8 seconds: half a tick and the longest silence of a client could be 4.6. */
    private static final Duration SILENCE = Duration.ofMillis(1_600);

    @SuppressWarnings("NullAway.Init")
    private static ZooKeeperEnsemble ensemble;

    @BeforeAll
    static void start() {
        ensemble = ZooKeeperEnsemble.start();
    }

    @AfterAll
    static void close() {
        ensemble.close();
    }

    private static <T> T within(CompletableFuture<T> future) {
        return future.orTimeout(BOUND.toMillis(), TimeUnit.MILLISECONDS).join();
    }

    private static void rejoin(ZooKeeperServer member) {
        ensemble.rejoin(member);
        soon().until(() -> member.mode().equals(Optional.of("follower")));
    }

    private static String everywhere(String pathAndQuery) {
        return "zookeeper://" + ensemble.connectionString() + pathAndQuery;
    }

    @Proves({"1.1", "8.2", "8.4"})
    @Test
    void holderOnACutOffMemberLosesTheLockBeforeTheNextHolderGetsIt() throws InterruptedException {
        ZooKeeperServer member = ensemble.follower();
        String query = "/cut?sessionTimeout=8s";
        try (LockClient cutOff =
                        LockClient.builder(ZooKeeperProviders.on(member, query)).build();
                LockClient other = LockClient.builder(ZooKeeperProviders.on(ensemble.leader(), query))
                        .build()) {
            LockHandle held = cutOff.lock("a").acquire();
            CompletableFuture<Long> lostAt = held.lost().toCompletableFuture().thenApply(cause -> System.nanoTime());
            CompletableFuture<LockHandle> next = other.lock("a").acquireAsync();
            CompletableFuture<Long> nextAt = next.thenApply(granted -> {
                // From now on nobody else may believe to hold the lock.
                assertThat(held.isHeld()).isFalse();
                return System.nanoTime();
            });

            // The member goes on answering the holder's heartbeats for longer than the session lasts.
            ensemble.isolate(member);

            long known = within(lostAt);
            assertThat(within(nextAt) - known).isPositive();
            assertThat(within(held.lost().toCompletableFuture())).isEqualTo(LossCause.STORE_LOST);
            assertThat(within(next).fencingToken()).isGreaterThan(held.fencingToken());
            rejoin(member);
            within(next).close();
            answered().until(() -> cutOff.lock("b").tryAcquire().isPresent());
        } finally {
            rejoin(member);
        }
    }

    /**
     * The leader last heard of the holder {@link #SILENCE} before the holder's request. A server with ticks of half a session
     * allows that, and a validity of the whole time-out, or of eleven twelfths of it, would overlap with the next holder.
     */
    @Proves({"1.1", "2.5", "8.2"})
    @Test
    void holderUnheardByTheLeaderGivesUpBeforeTheNextHolderGetsTheLock() throws InterruptedException {
        ZooKeeperServer member = ensemble.follower();
        String query = "/heard?sessionTimeout=8s";
        try (LockClient cutOff =
                        LockClient.builder(ZooKeeperProviders.on(member, query)).build();
                LockClient other = LockClient.builder(ZooKeeperProviders.on(ensemble.leader(), query))
                        .build();
                Operator operator = Operator.of(ensemble.leader())) {
            cutOff.lock("a").acquire().close();
            // Connected in time: from the request on, the lease runs.
            assertThat(other.holder("a")).isEmpty();
            // It does not hear the leader ask for heartbeats, and so passes none on.
            ensemble.holdBack(member);
            letPass(SILENCE);
            LockOptions unrenewed = LockOptions.DEFAULTS.withoutRenewal();
            CompletableFuture<LockHandle> grant = cutOff.lock("a", unrenewed).acquireAsync();
            soon().until(() -> operator.queue("/heard/a").size() == 1);
            CompletableFuture<LockHandle> next = other.lock("a").acquireAsync();
            soon().until(() -> operator.queue("/heard/a").size() == 2);
            assertThat(grant).isNotDone();

            // The grant reaches the holder; nothing else from the member reaches anybody.
            ensemble.isolate(member);
            ensemble.catchUp(member);

            LockHandle held = within(grant);
            assertThat(held.isHeld()).isTrue();
            boolean heldByBoth = within(next.thenApply(granted -> held.isHeld()));
            assertThat(heldByBoth).isFalse();
            assertThat(within(held.lost().toCompletableFuture())).isEqualTo(LossCause.EXPIRED);
            rejoin(member);
            within(next).close();
        } finally {
            rejoin(member);
        }
    }

    @Proves("1.1")
    @Test
    void cutOffMemberGrantsNothingToTheNodeThatItShowsFirst() {
        ZooKeeperServer member = ensemble.follower();
        // Shorter by far than the time for which the member still answers.
        String query = "/stale?sessionTimeout=4s";
        try (ZooKeeperLockProvider cutOff = ZooKeeperProviders.on(member, query);
                ZooKeeperLockProvider other = ZooKeeperProviders.on(ensemble.leader(), "/stale?sessionTimeout=20s");
                Operator operator = Operator.of(ensemble.leader())) {
            TestClaim holder = TestClaim.once(other, "a");
            holder.granted();
            TestClaim waiter = TestClaim.waiting(cutOff, "a");
            waiter.refused();
            holder.released();
            soon().until(() -> waiter.mayBeFree.get() > 0);
            assertThat(waiter.mayBeFree).hasValue(1);
            List<String> nodes = operator.queue("/stale/a");
            assertThat(nodes).hasSize(1);

            ensemble.isolate(member);
            soon().until(() -> operator.queue("/stale/a").isEmpty());
            TestClaim next = TestClaim.once(other, "a");
            assertThat(next.granted()).isTrue();

            // It still answers, and in its answer the waiter is the first.
            Session session = cutOff.sessions().connected("acquire", "a");
            assertThat(ClaimQueue.of(session.children("/stale/a").await().get().names())
                            .nodes())
                    .isEqualTo(nodes);
            assertThatThrownBy(waiter::granted).isInstanceOf(LockStoreException.class);
            assertThat(next.held()).isTrue();
            assertThat(next.released()).isTrue();
        } finally {
            rejoin(member);
        }
    }

    @Proves("3.4")
    @Test
    void holderMovesToAnotherMemberInTheSameSession() {
        ZooKeeperServer member = ensemble.follower();
        List<TcpProxy> doors = ensemble.members().stream()
                .map(server -> TcpProxy.to(server.host(), server.port()))
                .toList();
        TcpProxy only = doors.get(ensemble.members().indexOf(member));
        String servers = doors.stream().map(door -> "127.0.0.1:" + door.port()).collect(Collectors.joining(","));
        doors.stream().filter(door -> door != only).forEach(TcpProxy::refuse);
        try (ZooKeeperLockProvider holding =
                        ZooKeeperProviders.at("zookeeper://" + servers + "/on?sessionTimeout=20s");
                ZooKeeperLockProvider other = ZooKeeperProviders.on(ensemble.leader(), "/on?sessionTimeout=20s")) {
            TestClaim holder = TestClaim.once(holding, "a");
            answered().until(holder::granted);
            assertThat(only.open()).isEqualTo(1);
            doors.stream().filter(door -> door != only).forEach(TcpProxy::accept);
            TestClaim waiter = TestClaim.waiting(other, "a");
            waiter.refused();

            ensemble.disconnect(member);

            answered().until(() -> holder.held() && only.open() == 0);
            assertThat(holder.losses).isEmpty();
            assertThat(waiter.mayBeFree).hasValue(0);
            assertThat(holder.released()).isTrue();
            soon().until(() -> waiter.mayBeFree.get() > 0);
            assertThat(waiter.granted()).isTrue();
            assertThat(waiter.released()).isTrue();
        } finally {
            rejoin(member);
            doors.forEach(TcpProxy::close);
        }
    }

    @Proves({"3.4", "6.1", "6.3", "7.5"})
    @Test
    void deathOfTheLeaderKeepsTheHolderAndTheOrderOfWaiters() throws InterruptedException {
        // Both longer than an election takes on a slow machine.
        String uri = everywhere("/dies?sessionTimeout=30s&connectTimeout=20s");
        List<LockClient> clients = new ArrayList<>();
        ZooKeeperServer dead = ensemble.leader();
        try (LockClient holding = LockClient.connect(uri)) {
            LockHandle held = holding.lock("a").acquire();
            List<Integer> order = new CopyOnWriteArrayList<>();
            List<CompletableFuture<LockHandle>> waits = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                int number = i;
                ZooKeeperLockProvider waiting = ZooKeeperProviders.at(uri);
                LockClient client = LockClient.builder(waiting).build();
                clients.add(client);
                waits.add(client.lock("a").acquireAsync().thenApply(granted -> {
                    order.add(number);
                    return granted;
                }));
                // Its attempt has been answered: one that is interrupted by the election fails.
                soon().until(() -> waiting.watches().armed() == 1);
            }
            dead.kill();

            assertThat(ensemble.leader()).isNotSameAs(dead);
            answered().until(held::renew);
            assertThat(waits).noneMatch(CompletableFuture::isDone);

            long token = held.fencingToken().value();
            held.close();
            for (CompletableFuture<LockHandle> wait : waits) {
                LockHandle granted = within(wait);
                assertThat(granted.fencingToken().value()).isGreaterThan(token);
                token = granted.fencingToken().value();
                granted.close();
            }
            assertThat(order).containsExactly(0, 1, 2);
            try (LockHandle afterwards = holding.lock("a").acquire()) {
                // The upper half counts the leaders.
                assertThat(afterwards.fencingToken().value() >>> Integer.SIZE).isGreaterThan(token >>> Integer.SIZE);
            }
        } finally {
            dead.restart();
            clients.forEach(LockClient::close);
        }
    }
}
