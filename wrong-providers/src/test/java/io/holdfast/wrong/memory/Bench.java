package io.holdfast.wrong.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LossCause;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimRequest.Claimant;
import io.holdfast.lock.spi.ClaimRequest.Intent;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A store under test, with a clock that stands still until a test moves it. */
final class Bench {

    static final Duration LEASE = Duration.ofMillis(600);

    final PlainStore store;
    private final AtomicLong time = new AtomicLong();
    private volatile @Nullable Runnable between;
    private int stepsBefore;

    Bench(PlainStore store) {
        this.store = store;
        store.clock = this::read;
    }

    private long read() {
        Runnable due = between;
        if (due != null && --stepsBefore == 0) {
            between = null;
            due.run();
        }
        return time.get();
    }

    /**
     * Makes a call, and something else before one of its steps at the store, counted from 1; after the call if that has fewer
     * steps.
     */
    void interleave(Runnable call, int step, Runnable other) {
        stepsBefore = step;
        between = other;
        call.run();
        if (between != null) {
            between = null;
            other.run();
        }
    }

    MemoryProvider open() {
        return store.open();
    }

    void pass(long millis) {
        time.addAndGet(Duration.ofMillis(millis).toNanos());
    }

    TestClaim claim(MemoryProvider client, String name) {
        return claim(client, name, UUID.randomUUID().toString(), LEASE, Intent.TRY_ONCE);
    }

    TestClaim waiter(MemoryProvider client, String name) {
        return claim(client, name, UUID.randomUUID().toString(), LEASE, Intent.WAIT);
    }

    TestClaim owned(MemoryProvider client, String name, String owner) {
        return claim(client, name, owner, LEASE, Intent.TRY_ONCE);
    }

    TestClaim leased(MemoryProvider client, String name, Duration lease) {
        return claim(client, name, UUID.randomUUID().toString(), lease, Intent.TRY_ONCE);
    }

    /** A waiting claim with an id. */
    TestClaim named(MemoryProvider client, String name, String id) {
        return claim(client, name, id, id, LEASE, Intent.WAIT);
    }

    TestClaim claim(MemoryProvider client, String name, String owner, Duration lease, Intent intent) {
        return claim(client, name, UUID.randomUUID().toString(), owner, lease, intent);
    }

    private static TestClaim claim(
            MemoryProvider client, String name, String id, String owner, Duration lease, Intent intent) {
        return new TestClaim(
                client,
                new ClaimRequest(name, id, owner, lease, intent, new Claimant("host", 7, "claimant of " + owner)));
    }

    /** A claim that says what it expects. */
    static final class TestClaim implements ClaimSignals {

        final Claim claim;
        final AtomicInteger wakeUps = new AtomicInteger();
        final AtomicInteger losses = new AtomicInteger();

        TestClaim(MemoryProvider client, ClaimRequest request) {
            this.claim = client.newClaim(request, this);
        }

        @Override
        public void mayBeFree() {
            wakeUps.incrementAndGet();
        }

        @Override
        public void lost(LossCause cause) {
            losses.incrementAndGet();
        }

        /** Returns the token. */
        long isGranted() {
            Attempt answer = claim.attempt();
            assertThat(answer).isInstanceOf(Attempt.Granted.class);
            return ((Attempt.Granted) answer).fencingToken().orElseThrow().value();
        }

        /** Returns this claim, which is contended. */
        TestClaim isContended() {
            assertThat(claim.attempt()).isInstanceOf(Attempt.Contended.class);
            return this;
        }

        void isHeld() {
            assertThat(claim.renew()).isInstanceOf(Renewal.Held.class);
        }

        void isLost() {
            assertThat(claim.renew()).isInstanceOf(Renewal.Lost.class);
        }

        void isReleased() {
            assertThat(claim.release()).isEqualTo(Release.RELEASED);
        }

        void isNotHeld() {
            assertThat(claim.release()).isEqualTo(Release.NOT_HELD);
        }

        void wasWoken(int times) {
            assertThat(wakeUps).hasValue(times);
        }
    }
}
