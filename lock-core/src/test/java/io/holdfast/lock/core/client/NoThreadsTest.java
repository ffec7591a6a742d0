package io.holdfast.lock.core.client;

import static io.holdfast.lock.core.client.EngineWorld.take;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LossCause;
import io.holdfast.parts.Proves;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The system cannot start a thread for a moment: Java throws an {@link OutOfMemoryError}. */
class NoThreadsTest {

    private static final Duration NEXT_TRY = Duration.ofMillis(100);

    private final EngineWorld world = new EngineWorld();
    private final RecordedEvents events = new RecordedEvents();
    private boolean threadsToBeHad = true;

    private final Executor starved = task -> {
        if (!threadsToBeHad) {
            throw new OutOfMemoryError("unable to create native thread");
        }
        task.run();
    };

    private LockClient client;

    @AfterEach
    void closeWorld() {
        threadsToBeHad = true;
        world.close();
    }

    @Test
    @Proves({"7.2", "9.5"})
    void aWaiterIsStartedLater() {
        world.storeCallsOn(starved);
        client = world.client();
        try (LockClient other = world.otherClient()) {
            LockHandle held = take(other.lock("stock"));
            CompletableFuture<LockHandle> waiting = client.lock("stock").acquireAsync();
            threadsToBeHad = false;
            held.release();
            assertThat(waiting).isNotDone();

            threadsToBeHad = true;
            world.time.advance(NEXT_TRY);
            assertThat(waiting).isCompletedWithValueMatching(LockHandle::isHeld);
        }
    }

    @Test
    @Proves({"3.4", "9.5"})
    void aRenewalIsSentLater() {
        world.renewalsOn(starved);
        client = world.client(events);
        LockHandle handle = take(client.lock("stock"));
        threadsToBeHad = false;
        world.time.advance(EngineWorld.LEASE.dividedBy(3));
        threadsToBeHad = true;
        world.time.advance(NEXT_TRY);
        assertThat(events.count("renewed")).isEqualTo(1);
        assertThat(handle.remaining()).isEqualTo(EngineWorld.LEASE);
    }

    @Test
    @Proves({"8.1", "9.4"})
    void aLossIsReportedLater() {
        world.callbacksOn(starved);
        client = world.client(events);
        DistributedLock lock = client.lock("stock");
        LockHandle first = take(lock);
        LockHandle second = take(client.lock("second"));
        threadsToBeHad = false;
        world.time.jump(Duration.ofMinutes(1));
        world.time.advance(Duration.ZERO);
        assertThat(first.isHeld()).isFalse();
        assertThat(first.lost()).isNotDone();

        threadsToBeHad = true;
        world.time.advance(NEXT_TRY);
        assertThat(first.lost()).isCompletedWithValue(LossCause.EXPIRED);
        assertThat(second.lost()).isCompletedWithValue(LossCause.EXPIRED);
        assertThat(events.count("lost EXPIRED")).isEqualTo(2);
    }
}
