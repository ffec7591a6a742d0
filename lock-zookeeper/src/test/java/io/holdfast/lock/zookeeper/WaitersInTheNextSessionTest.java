package io.holdfast.lock.zookeeper;

import static io.holdfast.parts.Waits.answered;
import static io.holdfast.parts.Waits.letPass;
import static io.holdfast.parts.Waits.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.tck.faults.ChildJvm;
import io.holdfast.lock.tck.faults.TcpProxy.Direction;
import io.holdfast.parts.Proves;
import io.holdfast.parts.TestClaim;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Waits whose session or connection ends while the ensemble is up: they go on in the next one. */
@Execution(ExecutionMode.CONCURRENT)
@Tag("full")
class WaitersInTheNextSessionTest extends ZooKeeperProxyScene {

    private static final Duration BOUND = Duration.ofSeconds(60);
    /** Longer than that: what waits for a time-out of the connection fails the test. */
    private static final int LONG_MILLIS = 60_000;

    private static final List<String> NAMES = List.of("a", "b", "c", "d", "e");

    /** Longer than the engine's safety poll: waiters that were paused ask at once, in a session that is over. */
    private static final Duration PAUSE = Duration.ofSeconds(6);

    private static <T> T within(CompletableFuture<T> future) {
        return future.orTimeout(BOUND.toMillis(), TimeUnit.MILLISECONDS).join();
    }

    private String uri(String query) {
        return "zookeeper://127.0.0.1:" + proxy.port() + "/a?" + query;
    }

    @Proves("1.6")
    @Test
    void waitersOfAClientPausedPastItsSessionGoOn() throws InterruptedException {
        List<String> arguments = new ArrayList<>(List.of(uri("sessionTimeout=3s&connectTimeout=20s")));
        arguments.addAll(NAMES);
        try (LockClient other = LockClient.builder(ZooKeeperProviders.on(server, "/a?sessionTimeout=1m"))
                .build()) {
            List<LockHandle> held = new ArrayList<>();
            for (String name : NAMES) {
                held.add(other.lock(name).acquire());
            }
            try (ChildJvm child = ChildJvm.start(WaitingProcess.class, arguments.toArray(String[]::new))) {
                child.awaitLine("all wait", BOUND);
                child.pause();
                letPass(PAUSE);
                child.resume();
                held.forEach(LockHandle::release);

                int answers = NAMES.size() * WaitingProcess.WAITERS;
                soon().until(() -> child.lines().size() > answers);
                assertThat(child.lines()).noneMatch(line -> line.startsWith("failed"));
            }
        }
    }

    /** Has the server carry out a call whose answer is lost. */
    private <T> CompletableFuture<T> unanswered(Supplier<T> call) {
        proxy.hold(Direction.REPLIES);
        long before = server.requests();
        CompletableFuture<T> answer = CompletableFuture.supplyAsync(call);
        // The creation of the node, and the reads of the queue and of the tokens' offset.
        soon().until(() -> server.requests() - before >= 3);
        return answer;
    }

    @Proves({"1.6", "7.2"})
    @Test
    void waitersGoOnIfTheServerEndsTheSessionDuringTheirAttempt() {
        try (Operator operator = Operator.of(server);
                ZooKeeperLockProvider holding = ZooKeeperProviders.on(server, "/a?sessionTimeout=1m");
                ZooKeeperLockProvider provider = ZooKeeperProviders.at(uri("sessionTimeout=1m&connectTimeout=20s"));
                LockClient client = LockClient.builder(provider).build()) {
            TestClaim holder = TestClaim.once(holding, "a");
            assertThat(holder.granted()).isTrue();
            assertThat(client.holder("a")).isPresent();
            List<CompletableFuture<LockHandle>> waiters = new ArrayList<>();
            within(unanswered(() -> {
                for (int i = 0; i < WaitingProcess.WAITERS; i++) {
                    waiters.add(client.lock("a").acquireAsync());
                }
                return true;
            }));

            Operator.endSession(provider.sessions().curator(), server);
            proxy.reset();
            proxy.pass(Direction.REPLIES);

            soon().until(() -> operator.queue("/a/a").size() == 2);
            assertThat(holder.released()).isTrue();
            waiters.forEach(waiter -> within(waiter).close());
        }
    }

    @Test
    void nodeOfAnAttemptInFlightAtTheEndOfItsSessionIsFoundInTheNext() {
        try (Operator operator = Operator.of(server);
                ZooKeeperLockProvider holding = ZooKeeperProviders.on(server, "/a?sessionTimeout=5m");
                ZooKeeperLockProvider provider = ZooKeeperProviders.at(uri("sessionTimeout=5m"))) {
            TestClaim holder = TestClaim.once(holding, "a");
            assertThat(holder.granted()).isTrue();
            assertThat(provider.holder("a")).isPresent();
            TestClaim claim = TestClaim.once(provider, "a");
            CompletableFuture<Boolean> attempt = unanswered(claim::granted);
            soon().until(() -> operator.queue("/a/a").size() == 2);

            giveUpTheSession(provider.sessions().curator());

            assertThatThrownBy(() -> within(attempt)).hasCauseInstanceOf(LockStoreException.class);
            proxy.pass(Direction.REPLIES);
            // No claim has it, and the server keeps it for five minutes.
            answered().until(claim.claim::release, released -> true);
            assertThat(operator.queue("/a/a")).hasSize(1);
        }
    }

    /** As the client does after a silence of the server, which may only be slow. */
    private static void giveUpTheSession(CuratorFramework curator) {
        Operator.call(() -> {
            curator.getZookeeperClient().getZooKeeper().getTestable().injectSessionExpiration();
            return true;
        });
    }

    @Proves("2.6")
    @Test
    void validityDoesNotCountTheWaitForAConnection() {
        Duration silence = Duration.ofMillis(500);
        try (ZooKeeperLockProvider provider = ZooKeeperProviders.at(uri("sessionTimeout=1s&connectTimeout=20s"))) {
            // A session of a second is easily lost.
            answered().until(TestClaim.once(provider, "a")::granted);
            proxy.refuse();
            proxy.reset();
            soon().until(() ->
                    !provider.sessions().curator().getZookeeperClient().isConnected());
            TestClaim waiter = TestClaim.waiting(provider, "b");
            CompletableFuture<Attempt> attempt = new CompletableFuture<>();
            Thread caller = new Thread(() -> attempt.completeAsync(waiter.claim::attempt, Runnable::run));
            caller.start();
            soon().until(() -> caller.getState() == Thread.State.TIMED_WAITING);
            letPass(silence);
            proxy.accept();

            Attempt.Granted granted = (Attempt.Granted) within(attempt);

            assertThat(granted.validFor())
                    .isGreaterThan(new NegotiatedTimeOut(Duration.ofSeconds(1))
                            .validity()
                            .plus(silence.dividedBy(2)));
        }
    }

    @Proves("2.5")
    @Test
    void validityCountsTheTimeOfTheRequest() {
        Duration silence = Duration.ofMillis(500);
        try (ZooKeeperLockProvider provider = ZooKeeperProviders.at(uri("sessionTimeout=9s"))) {
            assertThat(TestClaim.once(provider, "a").granted()).isTrue();
            TestClaim waiter = TestClaim.waiting(provider, "b");
            proxy.hold(Direction.REPLIES);
            long requests = server.requests();
            long begun = System.nanoTime();
            CompletableFuture<Attempt> attempt = CompletableFuture.supplyAsync(waiter.claim::attempt);
            soon().until(() -> server.requests() > requests);
            // The attempt may have taken so long to begin.
            Duration untilSent = Duration.ofNanos(System.nanoTime() - begun);
            letPass(silence);
            proxy.pass(Direction.REPLIES);

            Attempt.Granted granted = (Attempt.Granted) within(attempt);

            Duration validity = new NegotiatedTimeOut(Duration.ofSeconds(9)).validity();
            assertThat(granted.validFor()).isLessThanOrEqualTo(validity.plus(untilSent));
        }
    }

    @Test
    void waiterIsGrantedAfterAReconnectLongerThanTheValidity() {
        try (ZooKeeperLockProvider provider = ZooKeeperProviders.at(uri("sessionTimeout=15s&connectTimeout=20s"));
                LockClient client = LockClient.builder(provider).build()) {
            assertThat(client.holder("a")).isEmpty();
            proxy.refuse();
            proxy.reset();
            soon().until(() ->
                    !provider.sessions().curator().getZookeeperClient().isConnected());
            CompletableFuture<LockHandle> waiter = client.lock("a").acquireAsync();
            // Asked at once: the lease is short.
            CompletableFuture<Boolean> isHeld = waiter.thenApply(LockHandle::isHeld);
            letPass(Duration.ofSeconds(7));
            proxy.accept();

            assertThat(within(isHeld)).isTrue();
            within(waiter).close();
        }
    }

    /** A client that has closed, and does not return from it for a while. */
    private static final class SlowToClose extends ZooKeeper {
        private final CountDownLatch goOn;

        SlowToClose(String servers, int timeOut, Watcher watcher, CountDownLatch goOn) throws IOException {
            super(servers, timeOut, watcher);
            this.goOn = goOn;
        }

        @Override
        public synchronized void close() {
            Operator.call(() -> {
                super.close();
                return goOn.await(BOUND.toSeconds(), TimeUnit.SECONDS);
            });
        }
    }

    /** Curator begins a new session then, as after a change of the ensemble's address, and reports no end of the old one. */
    private static void reset(CuratorFramework curator) {
        Operator.call(() -> {
            curator.getZookeeperClient().reset();
            return curator.blockUntilConnected(20, TimeUnit.SECONDS);
        });
    }

    @Proves("7.2")
    @Test
    void attemptDuringACuratorResetIsMadeInTheNextSession() {
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicReference<CountDownLatch> held = new AtomicReference<>(new CountDownLatch(0));
        try (Operator application = Operator.at(
                        "127.0.0.1:" + proxy.port(),
                        builder -> builder.connectionTimeoutMs(LONG_MILLIS)
                                .zookeeperFactory((servers, timeOut, watcher, readOnly) ->
                                        new SlowToClose(servers, timeOut, watcher, held.get())));
                ZooKeeperLockProvider provider =
                        ZooKeeperLockProvider.over(application.curator).build()) {
            assertThat(TestClaim.once(provider, "a").granted()).isTrue();
            // From here on Curator's state is RECONNECTED, also after a second reset: no change is reported.
            held.set(goOn);
            reset(application.curator);
            answered().until(() -> provider.holder("a").isEmpty());
            held.set(new CountDownLatch(0));
            Session former = provider.sessions().connected("test");
            CompletableFuture<Void> replaced = CompletableFuture.runAsync(() -> reset(application.curator));
            soon().until(former::isOver);
            CompletableFuture<Boolean> granted =
                    CompletableFuture.supplyAsync(TestClaim.waiting(provider, "b")::granted);
            letPass(Duration.ofMillis(200));
            assertThat(granted).isNotDone();
            goOn.countDown();

            assertThat(within(granted)).isTrue();
            within(replaced);
        } finally {
            goOn.countDown();
        }
    }
}
