package io.holdfast.lock.core.client;

import static io.holdfast.lock.core.client.EngineWorld.take;
import static io.holdfast.lock.core.client.TroubledProvider.Call.RELEASE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.MultiLock;
import io.holdfast.lock.core.client.TroubledProvider.Trouble;
import io.holdfast.parts.Proves;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Work under a lock that is released by itself: run, call, tryRun and tryCall. */
class RunTest {

    @AutoClose
    private final EngineWorld world = new EngineWorld();

    private final LockClient other = world.otherClient();
    private final LockClient client = world.client();
    private final DistributedLock lock = client.lock("stock");
    private final AtomicInteger runs = new AtomicInteger();

    private void work() {
        assertThat(world.isTaken("stock")).isTrue();
        runs.incrementAndGet();
    }

    @Test
    void workRunsUnderTheLockWhichIsReleased() throws InterruptedException {
        lock.run(this::work);
        assertThat(world.isTaken("stock")).isFalse();

        assertThat(lock.call(runs::incrementAndGet)).isEqualTo(2);
        assertThat(world.isTaken("stock")).isFalse();

        assertThat(lock.tryRun(Duration.ofSeconds(1), this::work)).isTrue();
        assertThat(lock.tryCall(Duration.ofSeconds(1), runs::incrementAndGet)).contains(4);
        assertThat(world.isTaken("stock")).isFalse();
    }

    @Test
    @Proves("1.6")
    void workIsNotDoneWhileSomebodyElseHoldsTheLock() throws InterruptedException {
        take(other.lock("stock"));
        assertThat(lock.tryRun(Duration.ZERO, this::work)).isFalse();
        assertThat(lock.tryCall(Duration.ZERO, runs::incrementAndGet)).isEmpty();
        assertThat(runs).hasValue(0);
    }

    @Test
    void aCheckedExceptionOfTheWorkComesThroughAndTheLockIsReleased() {
        assertThatThrownBy(this::runWithCheckedException)
                .isInstanceOf(IOException.class)
                .hasNoSuppressedExceptions();
        assertThat(world.isTaken("stock")).isFalse();
    }

    /** Compiles only if the exception type of the work is the one that is declared. */
    private void runWithCheckedException() throws IOException, InterruptedException {
        lock.run(() -> {
            throw new IOException("the disk is full");
        });
    }

    @Test
    void aFailedReleaseDoesNotHideTheExceptionOfTheWork() {
        world.provider.trouble(RELEASE, Trouble.REQUEST_LOST);
        IllegalStateException failure = new IllegalStateException("no stock");
        assertThatThrownBy(() -> lock.call(() -> {
                    throw failure;
                }))
                .isSameAs(failure);
        assertThat(failure.getSuppressed()).singleElement().isInstanceOf(LockStoreException.class);
    }

    @Test
    @Proves("8.1")
    void aLossIsThrownAfterTheWorkAndDoesNotHideItsException() {
        assertThatThrownBy(() -> lock.run(() -> world.removeRecord("stock"))).isInstanceOf(LockLostException.class);

        IllegalStateException failure = new IllegalStateException("no stock");
        assertThatThrownBy(() -> lock.tryRun(Duration.ZERO, () -> {
                    world.removeRecord("stock");
                    throw failure;
                }))
                .isSameAs(failure);
        assertThat(failure.getSuppressed()).singleElement().isInstanceOf(LockLostException.class);
    }

    @Test
    @SuppressWarnings("NullAway")
    void aResultOfNullIsRefusedWhereItWouldLookLikeNoLock() throws InterruptedException {
        assertThatThrownBy(() -> lock.<Object, RuntimeException>tryCall(Duration.ZERO, () -> null))
                .isInstanceOf(NullPointerException.class)
                .hasMessageContaining("'stock'")
                .hasMessageContaining("tryRun");
        assertThat(world.isTaken("stock")).isFalse();
        assertThat(lock.<Object, RuntimeException>call(() -> null)).isNull();
    }

    @Test
    void severalLocksAreReleasedToo() throws InterruptedException {
        MultiLock all = client.all("stock", "orders");
        all.run(() -> assertThat(world.isTaken("orders")).isTrue());
        assertThat(all.tryCall(Duration.ZERO, () -> world.isTaken("stock"))).contains(true);
        assertThat(world.isTaken("stock")).isFalse();
        assertThat(world.isTaken("orders")).isFalse();
    }
}
