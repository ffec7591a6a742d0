package io.holdfast.wrong.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The store that is right, with clients on it. */
class MemoryClientTest {

    @ParameterizedTest
    @EnumSource(CorrectMemory.class)
    void clientsHandALockOver(CorrectMemory control) throws Exception {
        try (PlainHarness harness = (PlainHarness) control.harness();
                LockClient one = LockClient.builder(harness.open()).build();
                LockClient other = LockClient.builder(harness.open()).build()) {
            LockHandle held = one.lock("a").acquire();
            assertThat(other.lock("a").tryAcquire()).isEmpty();
            List<Long> tokens =
                    new CopyOnWriteArrayList<>(List.of(held.fencingToken().value()));
            List<CompletableFuture<Boolean>> waits = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                waits.add((i % 2 == 0 ? other : one)
                        .lock("a")
                        .tryAcquireAsync(Duration.ofSeconds(30))
                        .thenApply(granted -> noteAndRelease(tokens, granted.orElseThrow())));
            }
            assertThat(held.release()).isTrue();
            for (CompletableFuture<Boolean> wait : waits) {
                assertThat(wait.get(30, TimeUnit.SECONDS)).isTrue();
            }
            assertThat(tokens).hasSize(21).isSorted().doesNotHaveDuplicates();
            assertThat(one.holder("a")).isEmpty();
        }
    }

    private static boolean noteAndRelease(List<Long> tokens, LockHandle handle) {
        tokens.add(handle.fencingToken().value());
        return handle.release();
    }

    @ParameterizedTest
    @EnumSource(CorrectMemory.class)
    void aLockIsHeldThroughAShortOutageAndLostInALongOne(CorrectMemory control) throws Exception {
        try (PlainHarness harness = (PlainHarness) control.harness();
                LockClient client = LockClient.builder(harness.open()).build()) {
            LockHandle held = client.lock("a").acquire();
            harness.store().beginOutage();
            harness.store().endOutage();
            assertThat(held.renew()).isTrue();
            assertThat(held.release()).isTrue();
            // Only of this one a slow machine may let the lease end before the outage does.
            LockHandle brief = client.lock("a", LockOptions.DEFAULTS.withLeaseTime(Duration.ofMillis(600)))
                    .acquire();
            harness.store().beginOutage();
            brief.lost().toCompletableFuture().get(30, TimeUnit.SECONDS);
            harness.store().endOutage();
            assertThat(client.lock("a").tryAcquire(Duration.ofSeconds(30))).isPresent();
        }
    }
}
