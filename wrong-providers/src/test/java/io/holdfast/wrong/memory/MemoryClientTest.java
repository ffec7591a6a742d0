package io.holdfast.wrong.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The store that is right, with clients on it. */
class MemoryClientTest {

    @ParameterizedTest
    @EnumSource(CorrectMemory.class)
    void clientsHandALockOver(CorrectMemory control) throws Exception {
        try (MemoryHarness harness = (MemoryHarness) control.harness();
                LockClient one = LockClient.builder(harness.open()).build();
                LockClient other = LockClient.builder(harness.open()).build()) {
            LockHandle held = one.lock("a").acquire();
            assertThat(other.lock("a").tryAcquire()).isEmpty();
            List<CompletableFuture<Optional<LockHandle>>> waits = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                waits.add((i % 2 == 0 ? other : one).lock("a").tryAcquireAsync(Duration.ofSeconds(30)));
            }
            long started = System.nanoTime();
            long token = held.fencingToken().value();
            assertThat(held.release()).isTrue();
            for (CompletableFuture<Optional<LockHandle>> wait : inOrderOfTheirEnd(waits)) {
                LockHandle next = wait.get(30, TimeUnit.SECONDS).orElseThrow();
                assertThat(next.fencingToken().value()).isGreaterThan(token);
                token = next.fencingToken().value();
                assertThat(next.release()).isTrue();
            }
            assertThat(Duration.ofNanos(System.nanoTime() - started)).isLessThan(Duration.ofSeconds(20));
            assertThat(one.holder("a")).isEmpty();
        }
    }

    /** Each element is the next wait that ends. */
    private static Iterable<CompletableFuture<Optional<LockHandle>>> inOrderOfTheirEnd(
            List<CompletableFuture<Optional<LockHandle>>> waits) {
        List<CompletableFuture<Optional<LockHandle>>> open = new ArrayList<>(waits);
        return () -> new Iterator<>() {
            @Override
            public boolean hasNext() {
                return !open.isEmpty();
            }

            @Override
            public CompletableFuture<Optional<LockHandle>> next() {
                CompletableFuture.anyOf(open.toArray(new CompletableFuture<?>[0])).join();
                CompletableFuture<Optional<LockHandle>> ended =
                        open.stream().filter(CompletableFuture::isDone).findFirst().orElseThrow();
                open.remove(ended);
                return ended;
            }
        };
    }

    @ParameterizedTest
    @EnumSource(CorrectMemory.class)
    void aLockIsHeldThroughAShortOutageAndLostInALongOne(CorrectMemory control) throws Exception {
        try (MemoryHarness harness = (MemoryHarness) control.harness();
                LockClient client = LockClient.builder(harness.open())
                        .defaults(LockOptions.DEFAULTS.withLeaseTime(Duration.ofMillis(600)))
                        .build()) {
            LockHandle held = client.lock("a").acquire();
            harness.store().beginOutage();
            harness.store().endOutage();
            assertThat(held.renew()).isTrue();
            harness.store().beginOutage();
            held.lost().toCompletableFuture().get(30, TimeUnit.SECONDS);
            harness.store().endOutage();
            assertThat(client.lock("a").tryAcquire(Duration.ofSeconds(30))).isPresent();
        }
    }
}
