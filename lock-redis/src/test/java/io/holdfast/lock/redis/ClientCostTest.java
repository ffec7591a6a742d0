package io.holdfast.lock.redis;

import static io.holdfast.parts.Waits.letPass;
import static io.holdfast.parts.Waits.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.redis.RedisLockProvider.Layout;
import io.holdfast.lock.tck.faults.TcpProxy.Direction;
import io.holdfast.servers.CommandCount;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a client costs the server, counted by the server and on the wire. Each test has its own server, and mostly waits. */
@Execution(ExecutionMode.CONCURRENT)
@Tag("full")
class ClientCostTest extends ClientScene {

    @ParameterizedTest
    @EnumSource
    void acquireAndLastReleaseTakeOneRoundTripAndNestedOnesNone(Layout layout) throws InterruptedException {
        try (LockClient client = connect("layout=" + layout)) {
            client.lock("other").acquire().close();
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
    void refusedAttemptTakesOneRoundTrip(Layout layout) throws InterruptedException {
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
    void twoHundredWaitersTakeAtMostTwentyCommandsInFiveSeconds(Layout layout) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(200);
        LockClient client = connect("layout=" + layout);
        try (LockClient holder = connect("layout=" + layout);
                LockHandle held = holder.lock("a").acquire()) {
            server.command("CONFIG", "RESETSTAT");

            List<Future<LockHandle>> waits = IntStream.range(0, 200)
                    .mapToObj(i -> threads.submit(() -> client.lock("a").acquire()))
                    .toList();
            letPass(Duration.ofSeconds(5));

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
    void twoHundredWaitersThatTimeOutTakeAtMostTwentyCommands(Layout layout) throws Exception {
        try (LockClient holder = connect("layout=" + layout);
                LockClient client = connect("layout=" + layout);
                LockHandle held = holder.lock("a").acquire()) {
            server.command("CONFIG", "RESETSTAT");

            // By one thread, so that their times end together: who comes to the front before its own ends asks the
            // store.
            List<CompletableFuture<Optional<LockHandle>>> waits = IntStream.range(0, 200)
                    .mapToObj(i -> client.lock("a").tryAcquireAsync(Duration.ofSeconds(5)))
                    .toList();
            for (CompletableFuture<Optional<LockHandle>> wait : waits) {
                assertThat(wait.get(BOUND.toSeconds(), TimeUnit.SECONDS)).isEmpty();
            }

            assertThat(CommandCount.ofClients(server)).isLessThanOrEqualTo(20);
            assertThat(held.isHeld()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void thousandRenewalsTakeAtMostTenRoundTrips(Layout layout) throws Exception {
        Duration lease = Duration.ofSeconds(6);
        Duration period = lease.dividedBy(3);
        LockOptions options = LockOptions.DEFAULTS.withLeaseTime(lease);
        try (LockClient client = connect("layout=" + layout)) {
            List<LockHandle> held = new ArrayList<>();
            for (int i = 0; i < 1_000; i++) {
                held.add(client.lock("lock-" + i, options).acquire());
            }
            // The renewals of the first locks may be in flight, and replies that overtake
            // requests count as round trips.
            proxy.delay(Direction.REPLIES, Duration.ofMillis(50));
            letPass(period);
            long before = proxy.roundTrips();

            letPass(period.multipliedBy(3));

            long roundTrips = proxy.roundTrips() - before;
            assertThat(roundTrips).isBetween(3L, 30L);
            assertThat(held).allMatch(LockHandle::isHeld);
            proxy.pass(Direction.REPLIES);
        }
        assertThat(server.command("DBSIZE")).isEqualTo(1L);
    }

    @ParameterizedTest
    @EnumSource
    void killedSubscriptionOfTwoHundredWaitersTakesAHandfulOfCommands(Layout layout) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(200);
        LockClient client = connect("layout=" + layout);
        try (LockClient holder = connect("layout=" + layout);
                LockHandle held = holder.lock("a").acquire()) {
            List<Future<LockHandle>> waits = IntStream.range(0, 200)
                    .mapToObj(i -> threads.submit(() -> client.lock("a").acquire()))
                    .toList();
            soon().until(() -> server.calls("subscribe") == 1);
            // Lets the attempt after the confirmation pass.
            letPass(Duration.ofMillis(200));
            server.command("CONFIG", "RESETSTAT");

            assertThat(server.command("CLIENT", "KILL", "TYPE", "pubsub")).isEqualTo(1L);
            soon().until(() -> server.calls("subscribe") == 1);
            letPass(Duration.ofMillis(500));

            // Hello and name of the new connection, its subscription, and an attempt after the loss and one after
            // the confirmation. On a slow machine there are polls in between.
            soon().until(() -> CommandCount.ofClients(server) >= 4);
            assertThat(CommandCount.ofClients(server)).isLessThanOrEqualTo(20);
            assertThat(waits).noneMatch(Future::isDone);
            assertThat(held.isHeld()).isTrue();
        } finally {
            client.close();
            threads.shutdownNow();
        }
    }
}
