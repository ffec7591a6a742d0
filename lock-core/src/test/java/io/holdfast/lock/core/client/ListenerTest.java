package io.holdfast.lock.core.client;

import static io.holdfast.lock.core.client.TroubledProvider.Call.RENEW_ALL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockListener;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockOwner;
import io.holdfast.lock.core.client.TroubledProvider.Trouble;
import io.holdfast.parts.Proves;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ListenerTest {

    private final EngineWorld world = new EngineWorld();
    private final RecordedEvents events = new RecordedEvents();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final LogCapture log = LogCapture.begin(null);

    @AfterEach
    void closeWorld() throws InterruptedException {
        world.close();
        // What the threads still log belongs to this test.
        threads.shutdown();
        assertThat(threads.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
        log.close();
    }

    @Test
    void eventsOfAHoldComeInOrder() {
        try (LockClient client = world.client(events)) {
            LockHandle outer = client.lock("stock").tryAcquire().orElseThrow();
            LockHandle inner = client.lock("stock").tryAcquire().orElseThrow();
            world.time.advance(Duration.ofSeconds(10));
            world.provider.trouble(RENEW_ALL, Trouble.REQUEST_LOST);
            world.time.advance(Duration.ofSeconds(10));
            world.provider.trouble(RENEW_ALL, Trouble.NONE);
            world.time.advance(Duration.ofSeconds(2));
            inner.release();
            outer.release();

            assertThat(events.kinds()).containsExactly("acquired", "renewed", "renewalFailed", "renewed", "released");
            assertThat(events.events()).allSatisfy(event -> {
                assertThat(event.lockName()).isEqualTo("stock");
                assertThat(event.fencingToken()).contains(outer.fencingToken());
            });
        }
    }

    @Test
    void contentionIsReportedOnceForEachAcquire() {
        try (LockClient client = world.client(events);
                LockClient other = world.otherClient()) {
            LockHandle held = other.lock("stock").tryAcquire().orElseThrow();
            LockOptions workflow = LockOptions.DEFAULTS.withOwner(LockOwner.of("workflow-17"));
            CompletableFuture<LockHandle> waiting =
                    client.lock("stock", workflow).acquireAsync();
            world.time.advance(Duration.ofMinutes(1));
            assertThat(events.kinds()).containsExactly("contended");
            assertThat(events.events().get(0))
                    .isEqualTo(new LockEvent("stock", "of:workflow-17", java.util.Optional.empty()));

            held.release();
            waiting.join().release();
            assertThat(events.kinds()).containsExactly("contended", "acquired", "released");
        }
    }

    @Test
    @Proves("9.4")
    void aThrowingListenerIsLoggedAndGetsTheNextEvent() {
        RecordedEvents second = new RecordedEvents();
        List<String> heard = new CopyOnWriteArrayList<>();
        LockListener broken = new LockListener() {
            @Override
            public void acquired(LockEvent event) {
                throw new IllegalStateException("planted");
            }

            @Override
            public void released(LockEvent event) {
                heard.add("released");
                throw new StackOverflowError("planted");
            }
        };
        try (LockClient client = world.client(broken, second)) {
            assertThat(client.lock("stock").tryAcquire().orElseThrow().release())
                    .isTrue();
        }
        assertThat(heard).containsExactly("released");
        assertThat(second.kinds()).containsExactly("acquired", "released");
        assertThat(log.records())
                .hasSize(2)
                .allSatisfy(entry ->
                        assertThat(entry.getThrown()).as(entry.getMessage()).hasMessage("planted"));
    }

    @Test
    @Proves("9.4")
    void aBlockingListenerDelaysNeitherOthersNorRenewals() {
        CompletableFuture<Void> stuck = new CompletableFuture<>();
        LockListener blocking = new LockListener() {
            @Override
            public void acquired(LockEvent event) {
                stuck.join();
            }
        };
        world.callbacksOn(threads);
        try (LockClient client = world.client(blocking, events)) {
            LockHandle handle = client.lock("stock").tryAcquire().orElseThrow();
            world.time.advance(Duration.ofMinutes(1));
            assertThat(handle.isHeld()).isTrue();
            await().atMost(Duration.ofSeconds(20)).until(() -> events.count("renewed") == 6);
            world.removeRecord("stock");
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> handle.lost().toCompletableFuture().isDone());
        } finally {
            stuck.complete(null);
        }
    }

    @Test
    @Proves("9.4")
    void excessEventsOfASlowListenerAreDroppedAndLogged() {
        TaskQueue callbacks = new TaskQueue();
        world.callbacksOn(callbacks);
        try (LockClient client = world.client(events)) {
            LockHandle handle = client.lock("stock").tryAcquire().orElseThrow();
            for (int i = 0; i < LockListener.MAX_PENDING + 22; i++) {
                assertThat(handle.renew()).isTrue();
            }
            callbacks.open();
            assertThat(events.kinds()).hasSize(LockListener.MAX_PENDING);
            assertThat(events.kinds().get(0)).isEqualTo("acquired");
            assertThat(log.records())
                    .singleElement()
                    .satisfies(entry -> assertThat(entry.getMessage()).contains("23 events were dropped"));

            handle.release();
            assertThat(events.kinds()).hasSize(LockListener.MAX_PENDING + 1).endsWith("released");
        }
    }

    @Test
    @Proves("9.4")
    void aBlockingLossCallbackDoesNotDelayRenewals() {
        CompletableFuture<Void> stuck = new CompletableFuture<>();
        world.callbacksOn(threads);
        try (LockClient client = world.client(events)) {
            LockHandle lost = client.lock("lost").tryAcquire().orElseThrow();
            LockHandle kept = client.lock("kept").tryAcquire().orElseThrow();
            CompletableFuture<Void> unused = lost.lost().toCompletableFuture().thenRun(stuck::join);
            world.provider.loseSignals();
            world.removeRecord("lost");
            world.time.advance(Duration.ofMinutes(1));
            assertThat(lost.isHeld()).isFalse();
            assertThat(kept.isHeld()).isTrue();
            stuck.complete(null);
        }
    }
}
