package io.holdfast.lock.zookeeper;

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
import io.holdfast.servers.ZooKeeperServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What each call comes to while the whole ensemble is down, and after that. */
@Execution(ExecutionMode.CONCURRENT)
class ZooKeeperOutageTest {

    private static final Duration BOUND = Duration.ofSeconds(30);
    private static final int WAITERS = 3;

    private final ZooKeeperServer server = ZooKeeperServer.start();
    private final CountDownLatch contended = new CountDownLatch(WAITERS);
    private final LockClient holding = LockClient.builder(
                    Providers.at("zookeeper://" + Providers.amongOthers(server.port()) + "/a?sessionTimeout=2m"))
            .build();
    private final LockClient waiting = LockClient.builder(
                    Providers.on(server, "/a?sessionTimeout=6s&connectTimeout=500ms"))
            .listener(new LockListener() {
                @Override
                public void contended(LockEvent event) {
                    contended.countDown();
                }
            })
            .build();

    @AfterEach
    void close() {
        waiting.close();
        holding.close();
        server.close();
    }

    private static <T> T within(CompletableFuture<T> future) {
        return future.orTimeout(BOUND.toMillis(), TimeUnit.MILLISECONDS).join();
    }

    private List<CompletableFuture<LockHandle>> waiters() throws InterruptedException {
        List<CompletableFuture<LockHandle>> waiters = Stream.generate(
                        () -> waiting.lock("a").acquireAsync())
                .limit(WAITERS)
                .toList();
        assertThat(contended.await(BOUND.toSeconds(), TimeUnit.SECONDS)).isTrue();
        return waiters;
    }

    private void whatEachCallComesTo(Runnable begin, Runnable end) throws InterruptedException {
        LockHandle held = holding.lock("a").acquire();
        List<CompletableFuture<LockHandle>> waiters = waiters();

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
        // Until its deadline, which is 50 seconds away at the beginning.
        assertThat(held.isHeld()).isTrue();

        end.run();
        answered().until(held::renew);
        assertThat(held.isHeld()).isTrue();
        answered().until(() -> waiting.holder("a").isPresent());
        CompletableFuture<LockHandle> next = waiting.lock("a").acquireAsync();
        held.close();
        within(next).close();
    }

    @Proves({"1.6", "9.5"})
    @Test
    void whileTheServerIsStoppedCallsFailAndHandlesStayValid() throws InterruptedException {
        whatEachCallComesTo(server::pause, server::resume);
    }

    @Proves({"1.6", "9.5"})
    @Test
    void whileTheServerIsGoneCallsFailAndHandlesStayValid() throws InterruptedException {
        whatEachCallComesTo(server::kill, server::restart);
    }

    @Proves("7.2")
    @Test
    void anOutageBetweenTwoLooksEndsNoWait() throws InterruptedException {
        LockHandle held = holding.lock("a").acquire();
        List<CompletableFuture<LockHandle>> waiters = waiters();

        server.kill();
        server.restart();

        answered().until(held::release, released -> true);
        waiters.forEach(waiter -> within(waiter).close());
    }

    @Test
    void aReleaseThatFailsInAnOutageIsMadeUpForAfterIt() throws InterruptedException {
        LockHandle held = holding.lock("a").acquire();
        server.kill();

        assertThatThrownBy(held::release).isInstanceOf(LockStoreException.class);

        server.restart();
        answered().until(() -> waiting.holder("a").isEmpty());
    }
}
