package io.holdfast.lock.redisson;

import static io.holdfast.parts.Waits.answered;
import static io.holdfast.parts.Waits.failure;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockListener;
import io.holdfast.lock.LockStoreException;
import io.holdfast.parts.Proves;
import io.holdfast.servers.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.redisson.api.RedissonClient;

/** What each call comes to while the server is away, and after that: with a client of the URI's, and over a given one. */
@Execution(ExecutionMode.CONCURRENT)
class OutageTest {

    private static final Duration BOUND = Duration.ofSeconds(30);
    private static final int WAITERS = 3;

    /** Where the provider of those who wait has its client from. */
    private enum Client {
        OWN,
        GIVEN
    }

    private final CountDownLatch contended = new CountDownLatch(WAITERS);

    private LockClient.Builder counting(LockClient.Builder builder) {
        return builder.listener(new LockListener() {
            @Override
            public void contended(LockEvent event) {
                contended.countDown();
            }
        });
    }

    private void whatEachCallComesTo(RedisServer server, Client client, Runnable begin, Runnable end)
            throws InterruptedException {
        String uri = "redisson://" + server.host() + ":" + server.port();
        if (client == Client.OWN) {
            try (LockClient waiting =
                    counting(LockClient.builder(uri + "?timeout=1s")).build()) {
                whatEachCallComesTo(uri, waiting, begin, end);
            }
            return;
        }
        RedissonClient redisson = Redissons.on(server);
        try (LockClient waiting = counting(LockClient.builder(RedissonLockProvider.over(redisson)
                        .timeout(Duration.ofSeconds(1))
                        .build()))
                .build()) {
            whatEachCallComesTo(uri, waiting, begin, end);
        } finally {
            redisson.shutdown();
        }
    }

    private void whatEachCallComesTo(String uri, LockClient waiting, Runnable begin, Runnable end)
            throws InterruptedException {
        try (LockClient holding = LockClient.connect(uri + "?lease=1m")) {
            LockHandle held = holding.lock("a").acquire();
            List<CompletableFuture<LockHandle>> waiters = Stream.generate(
                            () -> waiting.lock("a").acquireAsync())
                    .limit(WAITERS)
                    .toList();
            assertThat(contended.await(BOUND.toSeconds(), TimeUnit.SECONDS)).isTrue();
            assertThat(waiting.lock("a").tryAcquire(Duration.ofMillis(500))).isEmpty();

            begin.run();

            // The waiters ahead had their answer before the outage: it says nothing of the store now.
            assertThatThrownBy(() -> waiting.lock("a").tryAcquire(Duration.ofMillis(500)))
                    .isInstanceOf(LockStoreException.class);
            // As soon as they ask, which is every five seconds at least.
            waiters.forEach(waiter -> assertThat(failure(waiter)).isInstanceOf(LockStoreException.class));
            assertThatThrownBy(() -> waiting.lock("b").tryAcquire()).isInstanceOf(LockStoreException.class);
            assertThatThrownBy(() -> waiting.lock("b").tryAcquire(Duration.ofMillis(200)))
                    .isInstanceOf(LockStoreException.class);
            assertThatThrownBy(() -> waiting.holder("a")).isInstanceOf(LockStoreException.class);
            // Until its deadline, a minute after its grant.
            assertThat(held.isHeld()).isTrue();

            end.run();
            answered().until(held::renew);
            answered().until(() -> waiting.holder("a").isPresent());
            CompletableFuture<LockHandle> next = waiting.lock("a").acquireAsync();
            held.close();
            next.orTimeout(BOUND.toSeconds(), TimeUnit.SECONDS).join().close();
        }
    }

    @Proves({"1.6", "9.5"})
    @ParameterizedTest
    @EnumSource
    void whileTheServerIsStoppedCallsFailAndHandlesStayValid(Client client) throws InterruptedException {
        try (RedisServer server = RedisServer.start()) {
            whatEachCallComesTo(server, client, server::pause, server::resume);
        }
    }

    @Proves({"1.6", "9.5"})
    @ParameterizedTest
    @EnumSource
    void whileTheServerIsGoneCallsFailAndHandlesStayValid(Client client) throws InterruptedException {
        try (RedisServer server = RedisServer.start("--appendonly", "yes", "--appendfsync", "always")) {
            whatEachCallComesTo(server, client, server::kill, server::restart);
        }
    }
}
