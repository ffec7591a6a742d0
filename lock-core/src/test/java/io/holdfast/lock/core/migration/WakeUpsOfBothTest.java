package io.holdfast.lock.core.migration;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.core.memory.MemoryLockProvider;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.ReleaseFeed;
import io.holdfast.parts.Proves;
import io.holdfast.parts.TestClaim;
import io.holdfast.parts.Waits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Waiters in BOTH whose stores send releases by feeds. */
class WakeUpsOfBothTest {

    private final String from = "from-" + UUID.randomUUID();
    private final String to = "to-" + UUID.randomUUID();
    private final TestStore.Tokens oldTokens = new TestStore.Tokens();
    private final TestStore.Tokens newTokens = new TestStore.Tokens();
    private final TestStore.Feed oldFeed = new TestStore.Feed();
    private final TestStore.Feed newFeed = new TestStore.Feed();
    private final List<LockClient> clients = new ArrayList<>();

    private TestStore oldOne() {
        return new TestStore(MemoryLockProvider.builder(from).build(), oldTokens, oldFeed);
    }

    private TestStore newOne(boolean withFeed) {
        return new TestStore(MemoryLockProvider.builder(to).build(), newTokens, withFeed ? newFeed : null);
    }

    private LockClient client(TestStore old, TestStore young, Phase phase) {
        LockClient client = LockClient.builder(
                        MigratingLockProvider.between(old, young, phase).build())
                .build();
        clients.add(client);
        return client;
    }

    @AfterEach
    void close() {
        clients.forEach(LockClient::close);
    }

    /** An attempt that the new store refuses gives the old store's lock back, which must not count as a release. */
    @Test
    @Proves("7.2")
    void waitersDoNotWakeThemselvesAndEachOther() throws Exception {
        LockHandle held =
                client(oldOne(), newOne(true), Phase.TO_ONLY).lock("a").acquire();
        TestStore one = newOne(true);
        TestStore other = newOne(true);
        List<CompletableFuture<LockHandle>> waits = new ArrayList<>();
        for (TestStore young : List.of(one, other)) {
            waits.add(
                    client(oldOne(), young, Phase.BOTH).lock("a").acquireAsync().toCompletableFuture());
        }
        Waits.soon().until(() -> one.attempts() > 0 && other.attempts() > 0);
        Waits.letPass(Duration.ofMillis(500));
        assertThat(one.attempts() + other.attempts()).isLessThan(20);

        held.close();
        CompletableFuture<Object> first = CompletableFuture.anyOf(waits.toArray(CompletableFuture[]::new));
        ((LockHandle) first.get(4, TimeUnit.SECONDS)).close();
        for (CompletableFuture<LockHandle> wait : waits) {
            wait.get(4, TimeUnit.SECONDS).close();
        }
    }

    /** The second waiter of a client has no claim in a store that wakes claims. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Proves("7.2")
    void waiterInTheFirstOnesPlaceIsWoken(boolean bothHaveFeeds) throws Exception {
        LockHandle held =
                client(oldOne(), newOne(bothHaveFeeds), Phase.TO_ONLY).lock("a").acquire();
        TestStore young = newOne(bothHaveFeeds);
        LockClient both = client(oldOne(), young, Phase.BOTH);
        CompletableFuture<?> first =
                both.lock("a").tryAcquireAsync(Duration.ofSeconds(1)).toCompletableFuture();
        Waits.soon().until(() -> young.attempts() > 0);
        CompletableFuture<LockHandle> second = both.lock("a").acquireAsync().toCompletableFuture();
        first.get(10, TimeUnit.SECONDS);

        held.close();
        second.get(4, TimeUnit.SECONDS).close();
    }

    /** The holder has asked the new store last, and the waiter waits for the old one. */
    @Test
    @Proves("7.2")
    void attemptOfAHolderHidesNoReleaseFromAWaiter() {
        Heard heard = new Heard();
        try (LockProvider both = MigratingLockProvider.between(oldOne(), newOne(true), Phase.BOTH)
                .build()) {
            both.releases(heard).orElseThrow().subscribe("a");
            TestClaim holder = TestClaim.waiting(both, "a");
            assertThat(holder.granted()).isTrue();
            assertThat(TestClaim.waiting(both, "a").granted()).isFalse();
            assertThat(holder.granted()).as("again").isTrue();

            oldFeed.released("a");
            assertThat(heard.releases).hasValue(1);
        }
    }

    private static final class Heard implements ReleaseFeed.Listener {
        private final AtomicInteger releases = new AtomicInteger();

        @Override
        public void listening(String name) {}

        @Override
        public void released(String name) {
            releases.incrementAndGet();
        }

        @Override
        public void interrupted(String name) {}
    }
}
