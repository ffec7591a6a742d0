package io.holdfast.wrong.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest.Intent;
import io.holdfast.lock.spi.ReleaseFeed;
import io.holdfast.lock.spi.Renewal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The store that is right, as long as nothing is overridden. */
class PlainStoreTest {

    @ParameterizedTest
    @EnumSource(Traits.class)
    void grantsALockToOneClaimAtATime(Traits traits) {
        Bench bench = new Bench(new PlainStore(traits));
        Bench.TestClaim holder = bench.claim(bench.open(), "a");
        Bench.TestClaim rival = bench.claim(bench.open(), "a");
        long token = holder.isGranted();
        rival.isContended().isNotHeld();
        rival.isLost();
        assertThat(holder.isGranted()).isEqualTo(token);
        holder.isHeld();
        holder.isReleased();
        holder.isNotHeld();
        assertThat(rival.isGranted()).isGreaterThan(token);
        holder.isLost();
    }

    @ParameterizedTest
    @EnumSource(
            value = Traits.class,
            mode = EnumSource.Mode.EXCLUDE,
            names = {"SESSION", "SHARED_SESSION"})
    void endsALeaseToTheNanosecond(Traits traits) {
        Bench bench = new Bench(new PlainStore(traits));
        Bench.TestClaim holder = bench.claim(bench.open(), "a");
        Bench.TestClaim rival = bench.claim(bench.open(), "a");
        holder.isGranted();
        bench.pass(500);
        holder.isHeld();
        bench.pass(599);
        Attempt answer = rival.claim.attempt();
        assertThat(answer).isEqualTo(new Attempt.Contended(Optional.of(Duration.ofMillis(1))));
        bench.pass(1);
        assertThat(bench.open().holder("a")).isEmpty();
        holder.isLost();
        holder.isNotHeld();
        rival.isGranted();
    }

    @Test
    void showsTheHolder() {
        Bench bench = new Bench(new PlainStore(Traits.PLAIN));
        MemoryProvider client = bench.open();
        Bench.TestClaim holder = bench.owned(client, "a", "Ann");
        long token = holder.isGranted();
        assertThat(bench.open().holder("a")).hasValueSatisfying(shown -> {
            assertThat(shown.owner()).isEqualTo("Ann");
            assertThat(shown.host()).hasValue("host");
            assertThat(shown.pid()).hasValue(7);
            assertThat(shown.thread()).hasValue("claimant of Ann");
            assertThat(shown.fencingToken().orElseThrow().value()).isEqualTo(token);
        });
        assertThatThrownBy(() -> client.holder("")).isInstanceOf(LockConfigurationException.class);
    }

    @ParameterizedTest
    @EnumSource(
            value = Traits.class,
            names = {"PLAIN", "SHARED", "SESSION"})
    void wakesEachWaiterAtEachRelease(Traits traits) {
        Bench bench = new Bench(new PlainStore(traits));
        Bench.TestClaim holder = bench.claim(bench.open(), "a");
        holder.isGranted();
        Bench.TestClaim first = bench.waiter(bench.open(), "a").isContended();
        Bench.TestClaim second = bench.waiter(bench.open(), "a").isContended();
        holder.isReleased();
        first.wasWoken(1);
        second.wasWoken(1);
        first.isGranted();
        second.isContended();
        first.isReleased();
        first.wasWoken(1);
        second.wasWoken(2);
    }

    @Test
    void servesALineInOrder() {
        Bench bench = new Bench(new PlainStore(Traits.LINE));
        Bench.TestClaim holder = bench.claim(bench.open(), "a");
        holder.isGranted();
        List<Bench.TestClaim> line = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            line.add(bench.waiter(bench.open(), "a").isContended());
        }
        holder.isReleased();
        line.remove(5).isNotHeld();
        line.get(0).wasWoken(1);
        line.remove(0).isNotHeld();
        for (Bench.TestClaim next : line) {
            next.wasWoken(1);
            bench.claim(bench.open(), "a").isContended();
            next.isGranted();
            next.isReleased();
        }
    }

    @Test
    void aWaiterThatDoesNotComeIsPassedOver() {
        Bench bench = new Bench(new PlainStore(Traits.LINE));
        Bench.TestClaim holder = bench.claim(bench.open(), "a");
        holder.isGranted();
        bench.waiter(bench.open(), "a").isContended();
        Bench.TestClaim next = bench.waiter(bench.open(), "a").isContended();
        holder.isReleased();
        next.isContended();
        bench.pass(1_000);
        next.isGranted();
    }

    @Test
    void letsAnOwnerInFromAnotherClient() {
        Bench bench = new Bench(new PlainStore(Traits.SHARED));
        Bench.TestClaim outer = bench.owned(bench.open(), "a", "Ann");
        Bench.TestClaim inner = bench.owned(bench.open(), "a", "Ann");
        Bench.TestClaim other = bench.claim(bench.open(), "a", "Bob", Bench.LEASE, Intent.WAIT);
        assertThat(outer.isGranted()).isEqualTo(inner.isGranted());
        other.isContended();
        outer.isReleased();
        other.isContended().wasWoken(0);
        inner.isReleased();
        other.wasWoken(1);
        other.isGranted();
    }

    @Test
    void aSessionEndsInALongOutageAndNotInAShortOne() {
        Bench bench = new Bench(new PlainStore(Traits.SESSION));
        Bench.TestClaim holder = bench.claim(bench.open(), "a");
        holder.isGranted();
        bench.store.beginOutage();
        bench.pass(PlainStore.SESSION.toMillis() - 1);
        assertThatThrownBy(holder.claim::renew).isInstanceOf(LockStoreException.class);
        bench.store.endOutage();
        holder.isHeld();
        bench.store.beginOutage();
        bench.pass(PlainStore.SESSION.toMillis());
        bench.store.endOutage();
        assertThat(holder.losses).hasValue(1);
        holder.isLost();
        bench.claim(bench.open(), "a").isGranted();
    }

    @Test
    void aSessionWithAShortClaimEndsIfItIsSilentAndAnotherOneLasts() {
        Bench bench = new Bench(new PlainStore(Traits.SESSION));
        MemoryProvider silent = bench.open();
        Bench.TestClaim dead = bench.claim(silent, "a");
        dead.isGranted();
        Bench.TestClaim lasting = bench.leased(bench.open(), "b", Duration.ofMinutes(1));
        lasting.isGranted();
        Bench.TestClaim waiter = bench.waiter(bench.open(), "a").isContended();
        bench.pass(PlainStore.SESSION.toMillis() - 1);
        waiter.isContended();
        bench.pass(1);
        bench.store.tick();
        waiter.wasWoken(1);
        assertThat(dead.losses).hasValue(1);
        waiter.isGranted();
        dead.isLost();
        lasting.isHeld();
    }

    @Test
    void aSessionWithAShortClaimLastsWhileItsClientCallsOrHasLeft() {
        Bench bench = new Bench(new PlainStore(Traits.SESSION));
        MemoryProvider client = bench.open();
        Bench.TestClaim renewed = bench.claim(client, "a");
        renewed.isGranted();
        Bench.TestClaim lasting = bench.leased(client, "b", Duration.ofMinutes(1));
        lasting.isGranted();
        bench.pass(PlainStore.SESSION.toMillis() - 1);
        renewed.isHeld();
        bench.pass(PlainStore.SESSION.toMillis() - 1);
        renewed.isReleased();
        bench.pass(PlainStore.SESSION.toMillis());
        lasting.isHeld();
    }

    @Test
    void aSessionIsEndedAtOnce() {
        Bench bench = new Bench(new PlainStore(Traits.SESSION));
        MemoryProvider client = bench.open();
        Bench.TestClaim holder = bench.leased(client, "a", Duration.ofMinutes(1));
        holder.isGranted();
        bench.store.expire(client);
        assertThat(holder.losses).hasValue(1);
        bench.claim(bench.open(), "a").isGranted();
        holder.isLost();
        bench.claim(client, "b").isGranted();
    }

    @Test
    void aFeedReportsWhatItListensTo() {
        Bench bench = new Bench(new PlainStore(Traits.FEED));
        MemoryProvider client = bench.open();
        List<String> reports = new ArrayList<>();
        ReleaseFeed feed = client.releases(new Reports(reports)).orElseThrow();
        feed.subscribe("a");
        release(bench, "a");
        release(bench, "b");
        bench.store.beginOutage();
        bench.store.endOutage();
        feed.unsubscribe("a");
        release(bench, "a");
        assertThat(reports).containsExactly("listening a", "released a", "interrupted a", "listening a");
    }

    @Test
    void anOutageFailsEachCallAndWakesWaitersWhenItIsOver() {
        Bench bench = new Bench(new PlainStore(Traits.PLAIN));
        MemoryProvider client = bench.open();
        Bench.TestClaim holder = bench.claim(client, "a");
        holder.isGranted();
        Bench.TestClaim waiter = bench.waiter(bench.open(), "a").isContended();
        bench.store.beginOutage();
        assertThatThrownBy(holder.claim::attempt).isInstanceOf(LockStoreException.class);
        assertThatThrownBy(holder.claim::renew).isInstanceOf(LockStoreException.class);
        assertThatThrownBy(holder.claim::release).isInstanceOf(LockStoreException.class);
        assertThatThrownBy(client::highestToken).isInstanceOf(LockStoreException.class);
        assertThatThrownBy(() -> client.holder("a")).isInstanceOf(LockStoreException.class);
        assertThatThrownBy(() -> client.renewAll(List.of(holder.claim))).isInstanceOf(LockStoreException.class);
        bench.store.endOutage();
        waiter.wasWoken(1);
        assertThat(client.renewAll(List.of(holder.claim))).hasOnlyElementsOfType(Renewal.Held.class);
    }

    @Test
    void raisesTokensForGood() {
        Bench bench = new Bench(new PlainStore(Traits.PLAIN));
        MemoryProvider client = bench.open();
        client.raiseTokens(1L << 60);
        client.raiseTokens(5);
        client.close();
        assertThat(bench.claim(bench.open(), "a").isGranted()).isGreaterThan(1L << 60);
        assertThat(bench.open().highestToken()).isEqualTo((1L << 60) + 1);
    }

    @Test
    void twoThreadsNeverHoldALockAtOnce() throws Exception {
        PlainStore store = new PlainStore(Traits.PLAIN);
        Bench bench = new Bench(store);
        AtomicInteger inside = new AtomicInteger();
        CountDownLatch start = new CountDownLatch(1);
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<?>> ends = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                MemoryProvider client = bench.open();
                ends.add(threads.submit(() -> {
                    start.await();
                    for (int round = 0; round < 5_000; round++) {
                        Bench.TestClaim claim = bench.claim(client, "a");
                        if (claim.claim.attempt() instanceof Attempt.Granted) {
                            assertThat(inside.incrementAndGet()).isEqualTo(1);
                            inside.decrementAndGet();
                            claim.isReleased();
                        }
                    }
                    return null;
                }));
            }
            start.countDown();
            for (Future<?> end : ends) {
                end.get(60, TimeUnit.SECONDS);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private static void release(Bench bench, String name) {
        Bench.TestClaim claim = bench.claim(bench.open(), name);
        claim.isGranted();
        claim.isReleased();
    }

    /** What a feed reports, as text. */
    record Reports(List<String> lines) implements ReleaseFeed.Listener {
        @Override
        public void listening(String name) {
            lines.add("listening " + name);
        }

        @Override
        public void released(String name) {
            lines.add("released " + name);
        }

        @Override
        public void interrupted(String name) {
            lines.add("interrupted " + name);
        }
    }
}
