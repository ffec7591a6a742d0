package io.holdfast.lock.core.memory;

import io.holdfast.lock.LossCause;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimRequest.Claimant;
import io.holdfast.lock.spi.ClaimRequest.Intent;
import io.holdfast.lock.spi.ClaimSignals;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** A new store in virtual time, and claims on it. */
final class MemoryStoreFixture implements AutoCloseable {

    static final Duration LEASE = Duration.ofSeconds(10);

    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
    private final LongSupplier clock = nanos::get;
    private final String storeName = UUID.randomUUID().toString();
    final MemoryLockProvider provider = another();

    MemoryLockProvider another() {
        return MemoryLockProvider.builder(storeName).clock(clock).build();
    }

    String storeName() {
        return storeName;
    }

    void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    TestClaim claim(String owner) {
        return new TestClaim(owner, Intent.WAIT);
    }

    TestClaim passerBy(String owner) {
        return new TestClaim(owner, Intent.TRY_ONCE);
    }

    @Override
    public void close() {
        provider.close();
    }

    /** A claim on the lock "L", and what was signalled to it. */
    final class TestClaim implements ClaimSignals {
        final List<String> signals = new ArrayList<>();
        final Claim claim;

        TestClaim(String owner, Intent intent) {
            this.claim = provider.newClaim(
                    new ClaimRequest(
                            "L",
                            UUID.randomUUID().toString(),
                            owner,
                            LEASE,
                            intent,
                            new Claimant("host", 7, "thread-of-" + owner)),
                    this);
        }

        Attempt attempt() {
            return claim.attempt();
        }

        boolean isGranted() {
            return attempt() instanceof Attempt.Granted;
        }

        long token() {
            return ((Attempt.Granted) attempt()).fencingToken().orElseThrow().value();
        }

        Duration retryAfter() {
            return ((Attempt.Contended) attempt()).retryAfter().orElseThrow();
        }

        @Override
        public void mayBeFree() {
            signals.add("mayBeFree");
        }

        @Override
        public void lost(LossCause cause) {
            signals.add("lost " + cause);
        }
    }
}
