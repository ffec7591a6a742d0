package io.holdfast.lock.zookeeper;

import static io.holdfast.parts.Waits.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.tck.faults.ChildJvm;
import io.holdfast.lock.tck.faults.TcpProxy.Direction;
import io.holdfast.parts.Proves;
import io.holdfast.parts.Refusals;
import io.holdfast.parts.TestClaim;
import io.holdfast.parts.Waits;
import java.lang.Thread.State;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Sessions that end under a lock: by the server, behind a partition, while the holder is stopped. */
@Execution(ExecutionMode.CONCURRENT)
class SessionEndTest extends ZooKeeperProxyScene {

    private static final Duration BOUND = Duration.ofSeconds(60);
    private static final String SHORT = "/a?sessionTimeout=8s";

    private static <T> T within(CompletableFuture<T> future) {
        return future.orTimeout(BOUND.toMillis(), TimeUnit.MILLISECONDS).join();
    }

    @Proves({"8.1", "8.5"})
    @Test
    void sessionEndIsReportedAndTheNextSessionWorks() throws InterruptedException {
        try (Operator application = Operator.of(server);
                ZooKeeperLockProvider provider =
                        ZooKeeperLockProvider.over(application.curator).build();
                LockClient client = LockClient.builder(provider).build()) {
            LockOptions unrenewed = LockOptions.DEFAULTS.withoutRenewal();
            LockHandle held = client.lock("a", unrenewed).acquire();
            CompletableFuture<LossCause> lost = held.lost().toCompletableFuture();

            Operator.endSession(application.curator, server);

            assertThat(within(lost)).isEqualTo(LossCause.SESSION_ENDED);
            assertThat(held.isHeld()).isFalse();
            assertThat(provider.losses().size()).isZero();
            try (LockHandle next = client.lock("a", unrenewed).acquire()) {
                assertThat(next.fencingToken()).isGreaterThan(held.fencingToken());
            }
        }
    }

    @Proves({"2.1", "8.1"})
    @Test
    void unrenewedLockIsLostAtItsDeadlineAndItsNodeIsDeletedBeforeTheSessionEnds() throws InterruptedException {
        try (Operator application = Operator.of(server);
                ZooKeeperLockProvider provider = ZooKeeperProviders.on(server, SHORT);
                LockClient client = LockClient.builder(provider).build()) {
            LockHandle held =
                    client.lock("a", LockOptions.DEFAULTS.withoutRenewal()).acquire();
            Session session = provider.sessions().connected("test");

            assertThat(within(held.lost().toCompletableFuture())).isEqualTo(LossCause.EXPIRED);

            soon().until(() -> application.queue("/a/a").isEmpty());
            // By requests of that session, which the server answers.
            client.lock("b").acquire();
            assertThat(provider.sessions().connected("test").isSameAs(session)).isTrue();
        }
    }

    @Test
    void waiterAttemptsAgainInTheNextSession() throws InterruptedException {
        Refusals refusals = new Refusals();
        try (Operator application = Operator.of(server);
                LockClient waiting = LockClient.builder(ZooKeeperLockProvider.over(application.curator)
                                .basePath("/a")
                                .build())
                        .listener(refusals)
                        .build();
                ZooKeeperLockProvider holding = ZooKeeperProviders.on(server, "/a?sessionTimeout=1m")) {
            TestClaim holder = TestClaim.once(holding, "a");
            holder.granted();
            CompletableFuture<LockHandle> waiter = waiting.lock("a").acquireAsync();
            // Its node alone would say less: the attempt may not be over, and would fail with the session.
            refusals.await(1);

            Operator.endSession(application.curator, server);

            soon().until(() -> application.queue("/a/a").size() == 2);
            holder.released();
            within(waiter).close();
        }
    }

    /** Holds up what Curator hears of the end of a session: it replaces the client then. */
    private record Brake(Watcher curator, CountDownLatch ended, CountDownLatch goOn) implements Watcher {
        @Override
        public void process(WatchedEvent event) {
            if (event.getState() == KeeperState.Expired) {
                ended.countDown();
                Operator.call(() -> goOn.await(BOUND.toSeconds(), TimeUnit.SECONDS));
            }
            curator.process(event);
        }
    }

    @Proves("1.6")
    @Test
    void attemptBetweenTwoSessionsIsMadeInTheNext() throws InterruptedException {
        CountDownLatch ended = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        try (Operator application = Operator.at(
                        server.host() + ":" + server.port(),
                        builder -> builder.zookeeperFactory((servers, timeOut, watcher, readOnly) ->
                                new ZooKeeper(servers, timeOut, new Brake(watcher, ended, goOn), readOnly)));
                ZooKeeperLockProvider provider =
                        ZooKeeperLockProvider.over(application.curator).build()) {
            TestClaim claim = TestClaim.waiting(provider, "a");
            assertThat(claim.granted()).isTrue();
            Operator.endSession(application.curator, server);
            ended.await();

            CompletableFuture<Boolean> granted = new CompletableFuture<>();
            Thread caller = new Thread(() -> granted.completeAsync(claim::granted, Runnable::run));
            caller.start();
            soon().until(() -> caller.getState() == State.TIMED_WAITING || granted.isDone());
            assertThat(granted).isNotDone();
            goOn.countDown();

            assertThat(within(granted)).isTrue();
            assertThat(application.queue("/holdfast/a")).hasSize(1);
        } finally {
            goOn.countDown();
        }
    }

    @Proves({"8.2", "8.4"})
    @Test
    void cutOffHolderLosesTheLockBeforeTheNextHolderGetsIt() throws InterruptedException {
        try (LockClient cutOff = LockClient.builder(
                                ZooKeeperProviders.at("zookeeper://127.0.0.1:" + proxy.port() + SHORT))
                        .build();
                LockClient other =
                        LockClient.builder(ZooKeeperProviders.on(server, SHORT)).build()) {
            LockHandle held = cutOff.lock("a").acquire();
            CompletableFuture<Long> lostAt = held.lost().toCompletableFuture().thenApply(cause -> System.nanoTime());
            CompletableFuture<Long> nextAt = other.lock("a").acquireAsync().thenApply(next -> {
                // From now on nobody else may believe to hold the lock.
                assertThat(held.isHeld()).isFalse();
                return System.nanoTime();
            });

            proxy.swallow(Direction.REQUESTS);
            proxy.swallow(Direction.REPLIES);

            long known = within(lostAt);
            assertThat(within(nextAt) - known).isPositive();
            assertThat(within(held.lost().toCompletableFuture())).isEqualTo(LossCause.STORE_LOST);

            proxy.pass(Direction.REQUESTS);
            proxy.pass(Direction.REPLIES);
            proxy.reset();
            Waits.answered().until(() -> cutOff.lock("b").tryAcquire().isPresent());
        }
    }

    @Proves("8.2")
    @Test
    void holderPausedPastItsSessionHasLostTheLockAtItsFirstQuestion() throws InterruptedException {
        String uri = "zookeeper://" + server.host() + ":" + server.port() + SHORT;
        try (ChildJvm child = ChildJvm.start(AskedHolder.class, uri, "a");
                LockClient other = LockClient.connect(uri)) {
            child.awaitLine("held with token", BOUND);
            child.send("ask");
            child.awaitLine("isHeld true", BOUND);
            child.pause();
            LockHandle next = other.lock("a").acquire();
            child.send("ask");
            child.resume();

            child.awaitLine("isHeld false", BOUND);
            assertThat(next.isHeld()).isTrue();
            next.close();
        }
    }
}
