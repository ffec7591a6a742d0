package io.holdfast.lock.redis;

import static io.holdfast.parts.StoreAssertions.assertFails;
import static io.holdfast.parts.StoreAssertions.assertWorks;
import static io.holdfast.parts.Waits.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.lock.tck.faults.TcpProxy.Direction;
import io.holdfast.parts.RedisProxyScene;
import io.holdfast.parts.TestClaim;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** What happens to calls while all connections of the pool are in use. */
class PoolTest extends RedisProxyScene {

    private static final Executor NEW_THREAD = task -> new Thread(task).start();

    private RedisLockProvider withOneConnection(String poolWait) {
        return RedisProviders.at("redis://127.0.0.1:" + proxy.port() + "?poolSize=1&timeout=1m&poolWait=" + poolWait);
    }

    /** A call that keeps the connection until the server goes on. */
    private CompletableFuture<Boolean> occupy(RedisLockProvider provider) {
        server.pause();
        long before = proxy.bytes(Direction.REQUESTS);
        CompletableFuture<Boolean> occupying =
                CompletableFuture.supplyAsync(() -> provider.holder("a").isPresent(), NEW_THREAD);
        soon().until(() -> proxy.bytes(Direction.REQUESTS) > before);
        return occupying;
    }

    /** A call on a new thread, and whether that thread was interrupted after it. */
    private static final class Interruptible {
        private final FutureTask<Boolean> task;
        private final Thread thread;
        private volatile boolean interruptedAfterwards;

        private Interruptible(BooleanSupplier call) {
            task = new FutureTask<>(() -> {
                try {
                    return call.getAsBoolean();
                } finally {
                    interruptedAfterwards = Thread.interrupted();
                }
            });
            thread = new Thread(task);
            thread.start();
        }

        private void awaitWaiting() {
            soon().until(() -> thread.getState() == Thread.State.TIMED_WAITING);
        }

        /** Interrupts, and waits until the interrupt has been taken. */
        private void interrupt() {
            thread.interrupt();
            soon().until(() -> !thread.isInterrupted());
        }

        private boolean result() throws Exception {
            return task.get(1, TimeUnit.MINUTES);
        }
    }

    @Test
    void exhaustedPoolFailsWithinItsWaitAndRecovers() {
        try (RedisLockProvider provider = withOneConnection("100ms")) {
            assertWorks(provider);
            CompletableFuture<Boolean> occupying = occupy(provider);

            assertFails(TestClaim.once(provider, "b")::granted, "no connection was free: poolSize is ");

            server.resume();
            occupying.join();
            assertThat(TestClaim.once(provider, "b").granted()).isTrue();
        }
    }

    @Test
    void interruptDuringTheWaitForAConnectionFailsNoCallAndIsKept() throws Exception {
        try (RedisLockProvider provider = withOneConnection("1m")) {
            TestClaim holder = TestClaim.once(provider, "a");
            TestClaim other = TestClaim.once(provider, "b");
            assertThat(List.of(holder, other)).allMatch(TestClaim::granted);
            List<BooleanSupplier> calls = List.of(
                    TestClaim.once(provider, "c")::granted,
                    other::held,
                    () -> provider.renewAll(List.of(other.claim)).get(0) instanceof Renewal.Held,
                    () -> provider.holder("b").isPresent(),
                    holder::released);
            for (BooleanSupplier call : calls) {
                CompletableFuture<Boolean> occupying = occupy(provider);
                Interruptible interrupted = new Interruptible(call);
                interrupted.awaitWaiting();
                interrupted.interrupt();
                interrupted.awaitWaiting();
                interrupted.interrupt();
                server.resume();
                occupying.join();

                assertThat(interrupted.result()).isTrue();
                assertThat(interrupted.interruptedAfterwards).isTrue();
            }
            assertThat(server.command("EXISTS", "holdfast:a")).isEqualTo(0L);
        }
    }

    @Test
    void interruptedThreadWaitsForAConnection() throws Exception {
        try (RedisLockProvider provider = withOneConnection("1m")) {
            TestClaim holder = TestClaim.once(provider, "a");
            holder.granted();
            CompletableFuture<Boolean> occupying = occupy(provider);
            Interruptible interrupted = new Interruptible(() -> {
                Thread.currentThread().interrupt();
                return holder.released();
            });
            interrupted.awaitWaiting();
            server.resume();
            occupying.join();

            assertThat(interrupted.result()).isTrue();
            assertThat(interrupted.interruptedAfterwards).isTrue();
        }
    }

    @Test
    void interruptsDoNotProlongTheWaitForAConnection() {
        try (RedisLockProvider provider = withOneConnection("300ms")) {
            assertWorks(provider);
            CompletableFuture<Boolean> occupying = occupy(provider);
            Interruptible interrupted = new Interruptible(TestClaim.once(provider, "b")::granted);

            // One every 5 ms, so that no wait lasts as long as the pool allows.
            soon().until(() -> {
                interrupted.thread.interrupt();
                return interrupted.task.isDone();
            });

            assertThatThrownBy(interrupted::result)
                    .hasCauseInstanceOf(LockStoreException.class)
                    .hasMessageContaining("no connection was free: poolSize is ");
            server.resume();
            occupying.join();
        }
    }

    @Test
    void waitingCallGetsTheConnectionThatReplacesALostOne() throws Exception {
        try (RedisLockProvider provider = withOneConnection("20s")) {
            assertWorks(provider);
            for (int round = 0; round < 20; round++) {
                CompletableFuture<Boolean> occupying = occupy(provider);
                proxy.dropNextReply();
                Interruptible waiting =
                        new Interruptible(() -> provider.holder("a").isEmpty());
                waiting.awaitWaiting();
                server.resume();

                assertThat(occupying.join()).isFalse();
                assertThat(waiting.result()).isTrue();
            }
        }
    }
}
