package io.holdfast.lock.core.client;

import static io.holdfast.lock.core.client.EngineWorld.take;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockOwner;
import io.holdfast.lock.core.claim.ClientIdentity;
import io.holdfast.lock.core.runtime.EngineRuntime;
import io.holdfast.lock.engine.ClientSettings;
import io.holdfast.parts.Proves;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A thread is paused while it processes the answer to a renewal, and the deadline passes. */
class DeadlineRaceTest {

    /** The clock reading that computes the new deadline: the third, after that of the call and that of the check. */
    private static final int LAST_READING_OF_A_RENEWAL = 3;

    private final EngineWorld world = new EngineWorld();
    private final AtomicInteger readingsLeft = new AtomicInteger();
    private final CountDownLatch stands = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);
    private volatile Thread renewer;
    private final LockClient client = new EngineClient(
            world.provider,
            new ClientSettings(LockOptions.DEFAULTS, List.of()),
            new ClientIdentity(),
            new EngineRuntime(
                    this::reading,
                    world.time,
                    Runnable::run,
                    Runnable::run,
                    Runnable::run,
                    Runnable::run,
                    Runnable::run,
                    () -> {}));
    private final LockHandle handle = take(client.lock("stock", LockOptions.DEFAULTS.withOwner(LockOwner.unique())));
    private Caller<Boolean> renewing;

    private long reading() {
        long reading = world.time.nanos();
        if (Thread.currentThread() == renewer && readingsLeft.decrementAndGet() == 0) {
            stands.countDown();
            await(goOn);
        }
        return reading;
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException unexpected) {
            throw new AssertionError(unexpected);
        }
    }

    @BeforeEach
    void pauseTheRenewerUntilTheDeadlineHasPassed() {
        world.time.jump(Duration.ofSeconds(15));
        readingsLeft.set(LAST_READING_OF_A_RENEWAL);
        renewing = Caller.of(() -> {
            renewer = Thread.currentThread();
            return handle.renew();
        });
        await(stands);
        world.time.jump(Duration.ofSeconds(16));
    }

    @AfterEach
    void closeWorld() {
        client.close();
        world.close();
    }

    @Test
    @Proves({"5.5", "8.1"})
    void aConcurrentReleaseLeavesNoHoldBehind() throws Exception {
        Caller<Boolean> releasing = Caller.of(handle::release).awaitBlocked();
        goOn.countDown();

        assertThat(renewing.result()).isIn(true, false);
        assertThat(releasing.result()).isIn(true, false);
        assertThat(handle.isHeld()).isFalse();
        assertThat(world.isTaken("stock")).isFalse();
        world.time.advance(Duration.ofMinutes(1));
        assertThat(world.time.timers()).isZero();
    }

    @Test
    @Proves({"8.1", "8.2"})
    void aLostHandleStaysLost() throws Exception {
        Caller<Boolean> asking = Caller.of(handle::isHeld).awaitBlocked();
        goOn.countDown();
        boolean first = asking.result();
        assertThat(renewing.result()).isIn(true, false);
        assertThat(handle.isHeld()).isEqualTo(first);
    }
}
