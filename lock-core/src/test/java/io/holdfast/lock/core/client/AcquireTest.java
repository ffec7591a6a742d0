package io.holdfast.lock.core.client;

import static io.holdfast.lock.core.client.TroubledProvider.Call.ATTEMPT;
import static io.holdfast.lock.core.client.TroubledProvider.Call.RELEASE;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.parts.Proves;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class AcquireTest {

    @AutoClose
    private final EngineWorld world = new EngineWorld();

    private final LockClient client = world.client();

    @Test
    void anUncontendedAcquireAsksTheStoreOnceAndSoDoesItsRelease() throws InterruptedException {
        LockHandle handle = client.lock("stock").acquire();
        assertThat(world.provider.count(ATTEMPT)).isEqualTo(1);

        assertThat(handle.release()).isTrue();
        assertThat(world.provider.count(RELEASE)).isEqualTo(1);
        assertThat(world.time.timers()).as("no timer but the lease keeper's").isLessThanOrEqualTo(1);
    }

    @Test
    @Proves({"7.1", "7.6"})
    void aWaitThatTimesOutEndsAtItsDeadlineAndNeverBecomesAHold() {
        try (LockClient other = world.otherClient()) {
            LockHandle held = other.lock("stock").tryAcquire().orElseThrow();
            CompletableFuture<Optional<LockHandle>> waiting =
                    client.lock("stock").tryAcquireAsync(Duration.ofSeconds(4));

            world.time.advance(Duration.ofMillis(3_999));
            assertThat(waiting).isNotDone();
            world.time.advance(Duration.ofMillis(1));
            assertThat(waiting).isCompletedWithValue(Optional.empty());

            held.release();
            assertThat(world.isTaken("stock")).isFalse();
        }
    }
}
