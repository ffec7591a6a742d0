package io.holdfast.lock.redis;

import static io.holdfast.parts.Waits.letPass;
import static io.holdfast.parts.Waits.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockOwner;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.redis.RedisLockProvider.Layout;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What an application sees of a client, also while its server is in trouble. */
class ClientTest extends ClientScene {

    @ParameterizedTest
    @EnumSource
    void releaseWakesAWaiterOfAnotherClient(Layout layout) throws Exception {
        ExecutorService threads = Executors.newSingleThreadExecutor();
        try (LockClient holder = connect("layout=" + layout);
                LockClient client = connect("layout=" + layout)) {
            LockHandle held = holder.lock("a").acquire();
            Future<LockHandle> wait = threads.submit(() -> client.lock("a").acquire());
            soon().until(() -> Subscribers.of(server, "a") == 1);
            // Lets the attempt after the confirmation pass.
            letPass(Duration.ofMillis(200));

            long before = System.nanoTime();
            held.close();
            try (LockHandle next = wait.get(BOUND.toSeconds(), TimeUnit.SECONDS)) {
                // A waiter that is not woken polls after 5 s.
                assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(4));
                assertThat(next.fencingToken().isNewerThan(held.fencingToken())).isTrue();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void ownerReentersFromAnotherClient() throws InterruptedException {
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
    void deletedLockIsReportedLost(Layout layout) throws Exception {
        try (LockClient client = connect("lease=4s&layout=" + layout)) {
            LockHandle held = client.lock("a").acquire();
            server.command("DEL", "holdfast:a");

            assertThat(held.lost().toCompletableFuture().get(BOUND.toSeconds(), TimeUnit.SECONDS))
                    .isEqualTo(LossCause.TAKEN_OVER);
            assertThat(held.isHeld()).isFalse();
            assertThat(held.release()).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource
    void lockIsLostWhileTheServerIsPausedPastTheLease(Layout layout) throws Exception {
        try (LockClient client = connect("timeout=2s&lease=6s&layout=" + layout)) {
            LockHandle held = client.lock("a").acquire();
            server.pause();
            assertThat(held.lost().toCompletableFuture().get(BOUND.toSeconds(), TimeUnit.SECONDS))
                    .isEqualTo(LossCause.STORE_LOST);
            assertThat(held.isHeld()).isFalse();
            assertThatThrownBy(() -> client.lock("b").tryAcquire()).isInstanceOf(LockStoreException.class);
            server.resume();

            soon().ignoreExceptionsInstanceOf(LockStoreException.class)
                    .until(() -> client.lock("a").tryAcquire().isPresent());
        }
    }

    @Test
    void waitersAreWokenAfterAKilledSubscription() throws Exception {
        ExecutorService threads = Executors.newSingleThreadExecutor();
        try (LockClient holder = connect("");
                LockClient client = connect("")) {
            LockHandle held = holder.lock("a").acquire();
            Future<LockHandle> wait = threads.submit(() -> client.lock("a").acquire());
            soon().until(() -> server.calls("subscribe") >= 1);

            server.command("CLIENT", "KILL", "TYPE", "pubsub");
            soon().until(() -> server.calls("subscribe") == 2);
            held.close();

            wait.get(BOUND.toSeconds(), TimeUnit.SECONDS).close();
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void closingAProviderOfTwoClientsEndsTheSubscriptionsOfBoth() throws Exception {
        RedisLockProvider shared = RedisProviders.on(server, Layout.STRING);
        LockClient first = LockClient.builder(shared).build();
        try (LockClient holder = connect("layout=string");
                LockClient second = LockClient.builder(shared).build()) {
            LockHandle held = holder.lock("a").acquire();
            List<CompletableFuture<LockHandle>> waits =
                    List.of(first.lock("a").acquireAsync(), second.lock("a").acquireAsync());
            soon().until(() -> subscribers("a").equals(2L));

            first.close();

            assertThat(waits.get(0)).failsWithin(BOUND);

            soon().until(() -> subscribers("a").equals(0L));
            held.release();
        }
    }

    private Object subscribers(String name) {
        return Subscribers.of(server, name);
    }

    @Test
    void waitersHearOfADeadServerBeforeTheNextPoll() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(20);
        try (LockClient holder = LockClient.connect("redis://" + server.host() + ":" + server.port());
                LockClient client = connect("")) {
            assertThat(holder.lock("a").tryAcquire()).isPresent();
            List<Future<LockHandle>> waits = IntStream.range(0, 20)
                    .mapToObj(i -> threads.submit(() -> client.lock("a").acquire()))
                    .toList();
            soon().until(() -> server.calls("subscribe") >= 1);
            letPass(Duration.ofMillis(200));

            proxy.refuse();
            proxy.reset();

            for (Future<LockHandle> wait : waits) {
                // A waiter polls after 5 s.
                assertThatThrownBy(() -> wait.get(4, TimeUnit.SECONDS))
                        .isInstanceOf(ExecutionException.class)
                        .hasCauseInstanceOf(LockStoreException.class);
            }
            proxy.accept();
        } finally {
            threads.shutdownNow();
        }
    }
}
