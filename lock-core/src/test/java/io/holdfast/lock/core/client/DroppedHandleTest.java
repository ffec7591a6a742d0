package io.holdfast.lock.core.client;

import static io.holdfast.lock.core.client.TroubledProvider.Call.RENEW_ALL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockOptions;
import io.holdfast.parts.Proves;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Lock;
import java.util.function.Supplier;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A handle that the application can no longer reach: nobody can release it, so its lock must end with its lease. */
class DroppedHandleTest {

    private final EngineWorld world = new EngineWorld();
    private final RecordedEvents events = new RecordedEvents();
    private final LockClient client = world.client(events);
    private final LockClient other = world.otherClient();
    private final LogCapture log = LogCapture.begin(null);

    @AfterEach
    void closeWorld() {
        world.close();
        log.close();
    }

    /** Acquires a lock, drops the handle, and waits until the garbage collector has found it. */
    private static void drop(Supplier<?> acquire) {
        WeakReference<Object> dropped = new WeakReference<>(acquire.get());
        await().atMost(Duration.ofSeconds(20)).until(() -> {
            System.gc();
            return dropped.refersTo(null);
        });
    }

    private static LockHandle take(DistributedLock lock) {
        return lock.tryAcquire().orElseThrow();
    }

    private void assertThatItEndsWithItsLease(String name) {
        world.time.advance(Duration.ofSeconds(30).minusNanos(1));
        assertThat(world.isTaken(name)).isTrue();
        assertThat(world.provider.count(RENEW_ALL)).isZero();
        world.time.advance(Duration.ofNanos(1));
        assertThat(world.isTaken(name)).isFalse();
        assertThat(events.count("lost EXPIRED")).isEqualTo(1);
    }

    @Test
    @Proves("3.4")
    void isLoggedOnceAndNotRenewed() {
        drop(() -> take(client.lock("stock")));
        assertThatItEndsWithItsLease("stock");

        assertThat(log.lines(Level.WARNING))
                .filteredOn(line -> line.startsWith("A handle of the lock"))
                .singleElement()
                .asString()
                .contains("the lock 'stock' (owner "
                        + world.provider.requests().get(0).ownerId() + ", token ")
                .contains("the thread '" + Thread.currentThread().getName() + "' acquired it 10000 ms ago")
                .endsWith("ends in 20000 ms");
        assertThat(log.lines(Level.WARNING))
                .as("no renewal is sent that could succeed")
                .noneMatch(line -> line.startsWith("At risk"));
    }

    @Test
    void ofAnAsynchronousAcquireIsNotRenewed() {
        LockHandle foreign = take(other.lock("stock"));
        CompletableFuture<?>[] waiting = {client.lock("stock").acquireAsync()};
        foreign.release();
        drop(() -> {
            LockHandle handle = (LockHandle) waiting[0].join();
            waiting[0] = null;
            return handle;
        });
        assertThatItEndsWithItsLease("stock");
    }

    @Test
    void overSeveralNamesIsNotRenewed() {
        drop(() -> client.all("one", "two").tryAcquire().orElseThrow());
        world.time.advance(Duration.ofSeconds(30));
        assertThat(events.count("lost EXPIRED")).isEqualTo(2);
    }

    @Test
    void ofAThreadThatEndedWithoutUnlockIsNotRenewed() throws Exception {
        Lock lock = client.lock("stock").asLock();
        assertThat(Caller.of(lock::tryLock).result()).isTrue();
        await().atMost(Duration.ofSeconds(20)).until(() -> {
            System.gc();
            world.time.advance(Duration.ofSeconds(30));
            return !world.isTaken("stock");
        });
        assertThat(log.lines(Level.WARNING)).first().asString().contains("dropped without a release");
    }

    @Test
    @Proves("3.4")
    void anotherHandleOfTheSameOwnerKeepsTheLock() {
        LockHandle outer = take(client.lock("stock"));
        drop(() -> take(client.lock("stock")));
        world.time.advance(Duration.ofMinutes(5));

        assertThat(outer.isHeld()).isTrue();
        assertThat(log.lines(Level.WARNING)).singleElement().asString().contains("dropped");
        assertThat(outer.release()).isTrue();
        assertThat(world.isTaken("stock"))
                .as("the dropped handle is not released")
                .isTrue();
        world.time.advance(Duration.ofSeconds(40));
        assertThat(world.isTaken("stock")).isFalse();
    }

    @Test
    @Proves("3.4")
    void reentryBeforeTheEndResumesRenewal() {
        drop(() -> take(client.lock("stock")));
        world.time.advance(Duration.ofSeconds(15));
        LockHandle inner = take(client.lock("stock"));
        world.time.advance(Duration.ofMinutes(5));

        assertThat(inner.isHeld()).isTrue();
    }

    @Test
    void withoutRenewalIsLoggedAtTheEndOfTheLease() {
        drop(() -> take(client.lock("stock", LockOptions.DEFAULTS.withoutRenewal())));
        world.time.advance(Duration.ofSeconds(30));

        assertThat(log.lines(Level.WARNING))
                .hasSize(2)
                .satisfies(lines -> assertThat(lines.get(0)).contains("dropped"))
                .satisfies(lines -> assertThat(lines.get(1)).contains("EXPIRED"));
    }

    @Test
    void isNotLoggedAfterItsRelease() {
        drop(() -> {
            LockHandle handle = take(client.lock("stock"));
            assertThat(handle.release()).isTrue();
            return handle;
        });
        world.time.advance(Duration.ofMinutes(1));
        assertThat(log.records()).isEmpty();
    }

    @Test
    void isReportedByTheLossFuture() {
        CompletableFuture<Boolean> reported = new CompletableFuture<>();
        drop(() -> {
            LockHandle handle = take(client.lock("stock"));
            CompletableFuture<?> unused = handle.lost().toCompletableFuture().thenRun(() -> reported.complete(true));
            return handle;
        });
        world.time.advance(Duration.ofSeconds(30));
        assertThat(reported).isCompletedWithValue(true);
    }
}
