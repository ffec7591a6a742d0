package io.holdfast.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockOwner;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.redis.RedisLockProvider.Layout;
import io.holdfast.servers.RedisServer;
import io.holdfast.servers.TcpProxy;
import io.holdfast.servers.TcpProxy.Direction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Engine and backend together, as an application has them. */
@Isolated("it looks at all threads of the JVM")
class ClientTest {

    private static final Duration BOUND = Duration.ofSeconds(30);

    private RedisServer server;
    private TcpProxy proxy;

    @BeforeEach
    void start() {
        server = RedisServer.start();
        proxy = TcpProxy.to(server.host(), server.port());
    }

    @AfterEach
    void stop() {
        proxy.close();
        server.close();
    }

    private LockClient connect(String query) {
        return LockClient.connect("redis://127.0.0.1:" + proxy.port() + "?" + query);
    }

    private static ConditionFactory soon() {
        return await().atMost(BOUND).pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(5));
    }

    @ParameterizedTest
    @EnumSource
    void anAcquireIsOneRoundTripANestedOneNoneAndTheLastReleaseOne(Layout layout) throws InterruptedException {
        try (LockClient client = connect("layout=" + layout)) {
            client.holder("a");
            server.command("CONFIG", "RESETSTAT");
            long before = proxy.roundTrips();

            try (LockHandle outer = client.lock("a").acquire()) {
                assertThat(proxy.roundTrips() - before).isEqualTo(1);
                try (LockHandle inner = client.lock("a").acquire()) {
                    assertThat(inner.fencingToken()).isEqualTo(outer.fencingToken());
                }
                assertThat(proxy.roundTrips() - before).isEqualTo(1);
            }

            assertThat(proxy.roundTrips() - before).isEqualTo(2);
            assertThat(CommandCount.ofClients(server)).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aRefusedAttemptIsOneRoundTrip(Layout layout) throws InterruptedException {
        try (LockClient holder = connect("layout=" + layout);
                LockClient client = connect("layout=" + layout);
                LockHandle held = holder.lock("a").acquire()) {
            client.holder("a");
            long before = proxy.roundTrips();

            assertThat(client.lock("a").tryAcquire()).isEmpty();

            assertThat(proxy.roundTrips() - before).isEqualTo(1);
            assertThat(held.isHeld()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void twoHundredThreadsThatWaitCostAtMostTwentyCommandsInFiveSeconds(Layout layout) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(200);
        LockClient client = connect("layout=" + layout);
        try (LockClient holder = connect("layout=" + layout);
                LockHandle held = holder.lock("a").acquire()) {
            server.command("CONFIG", "RESETSTAT");

            List<Future<LockHandle>> waits = IntStream.range(0, 200)
                    .mapToObj(i -> threads.submit(() -> client.lock("a").acquire()))
                    .toList();
            await().pollDelay(Duration.ofSeconds(5)).until(() -> true);

            assertThat(CommandCount.ofClients(server)).isLessThanOrEqualTo(20);
            assertThat(waits).noneMatch(Future::isDone);
            assertThat(held.isHeld()).isTrue();
        } finally {
            client.close();
            threads.shutdownNow();
        }
    }

    @ParameterizedTest
    @EnumSource
    void twoHundredThreadsThatGiveUpAfterFiveSecondsCostAtMostTwentyCommands(Layout layout) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(200);
        try (LockClient holder = connect("layout=" + layout);
                LockClient client = connect("layout=" + layout);
                LockHandle held = holder.lock("a").acquire()) {
            server.command("CONFIG", "RESETSTAT");

            List<Future<Optional<LockHandle>>> waits = IntStream.range(0, 200)
                    .mapToObj(i -> threads.submit(() -> client.lock("a").tryAcquire(Duration.ofSeconds(5))))
                    .toList();
            for (Future<Optional<LockHandle>> wait : waits) {
                assertThat(wait.get(BOUND.toSeconds(), TimeUnit.SECONDS)).isEmpty();
            }

            assertThat(CommandCount.ofClients(server)).isLessThanOrEqualTo(20);
            assertThat(held.isHeld()).isTrue();
        } finally {
            threads.shutdownNow();
        }
    }

    @ParameterizedTest
    @EnumSource
    void renewingAThousandLocksIsAtMostTenRoundTripsAPeriod(Layout layout) throws Exception {
        Duration lease = Duration.ofSeconds(6);
        Duration period = lease.dividedBy(3);
        LockOptions options = LockOptions.DEFAULTS.withLeaseTime(lease);
        try (LockClient client = connect("layout=" + layout)) {
            List<LockHandle> held = new ArrayList<>();
            for (int i = 0; i < 1_000; i++) {
                held.add(client.lock("lock-" + i, options).acquire());
            }
            // The renewals of the first locks may be in flight; and replies that overtake requests count as turns.
            proxy.delay(Direction.REPLIES, Duration.ofMillis(50));
            await().pollDelay(period).until(() -> true);
            long before = proxy.roundTrips();

            await().pollDelay(period.multipliedBy(3)).until(() -> true);

            long roundTrips = proxy.roundTrips() - before;
            assertThat(roundTrips).isBetween(3L, 30L);
            assertThat(held).allMatch(LockHandle::isHeld);
            proxy.pass(Direction.REPLIES);
        }
        assertThat(server.command("DBSIZE")).isEqualTo(1L);
    }

    @ParameterizedTest
    @EnumSource
    void aWaitingClientIsWokenByTheReleaseOfAnother(Layout layout) throws Exception {
        ExecutorService threads = Executors.newSingleThreadExecutor();
        try (LockClient holder = connect("layout=" + layout);
                LockClient client = connect("layout=" + layout)) {
            LockHandle held = holder.lock("a").acquire();
            Future<LockHandle> wait = threads.submit(() -> client.lock("a").acquire());
            soon().until(() ->
                    server.command("PUBSUB", "NUMSUB", "holdfast:#free:a").equals(List.of("holdfast:#free:a", 1L)));
            // Lets the bid that the confirmation causes go by.
            await().pollDelay(Duration.ofMillis(200)).until(() -> true);

            long before = System.nanoTime();
            held.close();
            try (LockHandle next = wait.get(BOUND.toSeconds(), TimeUnit.SECONDS)) {
                assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(1));
                assertThat(next.fencingToken().isNewerThan(held.fencingToken())).isTrue();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void theSameLogicalOwnerReentersFromAnotherClient() throws InterruptedException {
        LockOptions workflow = LockOptions.DEFAULTS.withOwner(LockOwner.of("workflow-17"));
        try (LockClient here = connect("");
                LockClient there = connect("");
                LockHandle first = here.lock("a", workflow).acquire();
                LockHandle second = there.lock("a", workflow).tryAcquire().orElseThrow()) {
            assertThat(second.fencingToken()).isEqualTo(first.fencingToken());
            assertThat(there.lock("a").tryAcquire()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aLockThatAnOperatorDeletedIsReportedLost(Layout layout) throws Exception {
        try (LockClient client = connect("lease=1500ms&layout=" + layout)) {
            LockHandle held = client.lock("a").acquire();
            server.command("DEL", "holdfast:a");

            assertThat(held.lost().get(BOUND.toSeconds(), TimeUnit.SECONDS)).isEqualTo(LossCause.TAKEN_OVER);
            assertThat(held.isHeld()).isFalse();
            assertThat(held.release()).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aServerThatIsPausedPastTheLeaseLosesTheLockAndWorksAgain(Layout layout) throws Exception {
        try (LockClient client = connect("timeout=200ms&lease=1s&layout=" + layout)) {
            LockHandle held = client.lock("a").acquire();
            server.pause();
            assertThat(held.lost().get(BOUND.toSeconds(), TimeUnit.SECONDS)).isEqualTo(LossCause.STORE_LOST);
            assertThat(held.isHeld()).isFalse();
            assertThatThrownBy(() -> client.lock("b").tryAcquire()).isInstanceOf(LockStoreException.class);
            server.resume();

            soon().ignoreExceptionsInstanceOf(LockStoreException.class)
                    .until(() -> client.lock("a").tryAcquire().isPresent());
        }
    }

    @Test
    void aServerThatComesBackGetsItsWaitersBack() throws Exception {
        ExecutorService threads = Executors.newSingleThreadExecutor();
        try (LockClient holder = connect("");
                LockClient client = connect("")) {
            LockHandle held = holder.lock("a").acquire();
            Future<LockHandle> wait = threads.submit(() -> client.lock("a").acquire());
            soon().until(() -> server.calls("subscribe") == 1);

            server.command("CLIENT", "KILL", "TYPE", "pubsub");
            soon().until(() -> server.calls("subscribe") == 2);
            held.close();

            wait.get(BOUND.toSeconds(), TimeUnit.SECONDS).close();
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void closingLeavesNothingBehind() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        LockClient holder = connect("");
        LockClient client = connect("");
        IntStream.range(0, 4)
                .forEach(i -> assertThat(holder.lock("lock-" + i).tryAcquire()).isPresent());
        List<Future<LockHandle>> waits = IntStream.range(0, 4)
                .mapToObj(i -> threads.submit(() -> client.lock("lock-" + i).acquire()))
                .toList();
        soon().until(() -> server.calls("subscribe") == 4);

        client.close();
        holder.close();

        for (Future<LockHandle> wait : waits) {
            assertThatThrownBy(() -> wait.get(BOUND.toSeconds(), TimeUnit.SECONDS))
                    .isNotNull();
        }
        threads.shutdownNow();
        soon().untilAsserted(() -> {
            assertThat((String) server.command("CLIENT", "LIST")).doesNotContain("name=holdfast");
            assertThat(server.command("KEYS", "*")).isEqualTo(List.of("holdfast:#fence"));
            assertThat(Thread.getAllStackTraces().keySet())
                    .extracting(Thread::getName)
                    .noneMatch(name -> name.startsWith("holdfast") || name.startsWith("commons-pool"));
        });
    }
}
