package io.holdfast.lock.core.client;

import static io.holdfast.lock.core.client.EngineWorld.take;
import static io.holdfast.lock.core.client.TroubledProvider.Call.ATTEMPT;
import static io.holdfast.lock.core.client.TroubledProvider.Call.RELEASE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockOwner;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.core.client.TroubledProvider.Trouble;
import io.holdfast.parts.Proves;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The view of a lock as a {@link java.util.concurrent.locks.Lock}. */
@SuppressWarnings("LockNotBeforeTry") // what happens between lock and unlock is what is tested
class ThreadLockTest {

    private final EngineWorld world = new EngineWorld();
    private final LockClient other = world.otherClient();
    private final LockClient client = world.client();
    private final DistributedLock distributed = client.lock("stock");
    private final Lock lock = distributed.asLock();

    @AfterEach
    void closeWorld() {
        assertThat(Thread.interrupted()).as("an interrupt that a test left").isFalse();
        world.close();
    }

    @Test
    @Proves({"4.1", "4.2"})
    void theLastUnlockFreesAReentrantLock() {
        lock.lock();
        lock.lock();
        assertThat(lock.tryLock()).isTrue();
        assertThat(world.provider.count(ATTEMPT)).isEqualTo(1);
        lock.unlock();
        lock.unlock();
        assertThat(world.isTaken("stock")).isTrue();
        lock.unlock();
        assertThat(world.isTaken("stock")).isFalse();
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
    }

    @Test
    @Proves("4.4")
    void onlyTheThreadThatLockedMayUnlock() throws Exception {
        lock.lock();
        Caller<Void> stranger = Caller.of(() -> {
            lock.unlock();
            return null;
        });
        assertThatThrownBy(stranger::result)
                .isInstanceOf(IllegalMonitorStateException.class)
                .hasMessageContaining("stock");
        assertThat(Caller.of(lock::tryLock).result()).isFalse();
        assertThat(world.isTaken("stock")).isTrue();
    }

    @Test
    void allViewsOfOneNameAreOneLock() {
        LockOptions workflow = LockOptions.DEFAULTS.withOwner(LockOwner.of("workflow-17"));
        Lock second = client.lock("stock", workflow).asLock();
        lock.lock();
        assertThat(second.tryLock()).isTrue();
        distributed.asLock().unlock();
        second.unlock();
        assertThat(world.isTaken("stock")).isFalse();
    }

    @Test
    void aHandleOfTheThreadIsNotUnlockedByTheView() {
        LockHandle handle = distributed.tryAcquire().orElseThrow();
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
        assertThat(lock.tryLock()).as("the same thread re-enters").isTrue();
        lock.unlock();
        assertThat(handle.isHeld()).isTrue();
    }

    @Test
    @Proves("8.1")
    void unlockAfterALossThrowsAndTheNextLockIsFresh() {
        lock.lock();
        world.removeRecord("stock");
        assertThatThrownBy(lock::unlock).isInstanceOf(LockLostException.class);
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
        lock.lock();
        assertThat(world.isTaken("stock")).isTrue();
        lock.unlock();
    }

    @Test
    @Proves("7.1")
    void aTimedTryLockGivesUpInTime() throws Exception {
        take(other.lock("stock"));
        Caller<Boolean> waiting =
                Caller.of(() -> lock.tryLock(1_500, TimeUnit.MILLISECONDS)).awaitBlocked();
        world.time.advance(java.time.Duration.ofMillis(1_499));
        waiting.awaitBlocked();
        world.time.advance(java.time.Duration.ofMillis(1));
        assertThat(waiting.result()).isFalse();
        assertThat(lock.tryLock()).isFalse();
        assertThat(lock.tryLock(-1, TimeUnit.DAYS)).isFalse();
    }

    @Test
    @Proves("7.1")
    void theLongestTimeOfEveryUnitIsAllowed() throws InterruptedException {
        for (TimeUnit unit : TimeUnit.values()) {
            assertThat(lock.tryLock(Long.MAX_VALUE, unit)).isTrue();
            lock.unlock();
            assertThat(lock.tryLock(Long.MIN_VALUE, unit)).isTrue();
            lock.unlock();
        }
    }

    @Test
    @Proves("7.4")
    void lockKeepsAnInterrupt() throws Exception {
        LockHandle held = other.lock("stock").tryAcquire().orElseThrow();
        Caller<Boolean> waiting = Caller.of(() -> {
                    lock.lock();
                    boolean interrupted = Thread.interrupted();
                    lock.unlock();
                    return interrupted;
                })
                .awaitBlocked();
        waiting.interrupt();
        waiting.awaitBlocked();
        held.release();
        assertThat(waiting.result()).isTrue();
        assertThat(world.isTaken("stock")).isFalse();
    }

    @Test
    @Proves("7.4")
    void theOtherWaysToLockAreInterruptible() throws Exception {
        take(other.lock("stock"));
        Caller<Void> waiting = Caller.<Void>of(() -> {
                    lock.lockInterruptibly();
                    return null;
                })
                .awaitBlocked();
        waiting.interrupt();
        assertThatThrownBy(waiting::result).isInstanceOf(InterruptedException.class);

        Caller<Boolean> timed = Caller.of(() -> lock.tryLock(1, TimeUnit.HOURS)).awaitBlocked();
        timed.interrupt();
        assertThatThrownBy(timed::result).isInstanceOf(InterruptedException.class);
    }

    @Test
    @Proves("1.6")
    void aFailureOfTheStoreIsNotContention() {
        world.provider.trouble(ATTEMPT, Trouble.REQUEST_LOST);
        assertThatThrownBy(lock::tryLock).isInstanceOf(LockStoreException.class);
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
    }

    @Test
    void anUnlockOfUnknownOutcomeThrowsAndUnlocks() {
        lock.lock();
        world.provider.trouble(RELEASE, Trouble.REQUEST_LOST);
        assertThatThrownBy(lock::unlock).isInstanceOf(LockStoreException.class);
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
    }

    @Test
    void severalNamesAreLockedAsOne() {
        Lock all = client.all("b", "a").asLock();
        all.lock();
        assertThat(List.of("a", "b")).allMatch(world::isTaken);
        client.all("a", "b").asLock().unlock();
        assertThat(List.of("a", "b")).noneMatch(world::isTaken);
    }

    @Test
    void conditionsAreNotSupported() {
        assertThatThrownBy(lock::newCondition).isInstanceOf(UnsupportedOperationException.class);
    }
}
