package io.holdfast.lock.tck;

import io.holdfast.lock.LockCapabilities;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** A correct provider far from its store. */
final class SlowProvider implements LockProvider {

    private final LockProvider provider;
    private final Duration oneWay;

    SlowProvider(LockProvider provider, Duration oneWay) {
        this.provider = provider;
        this.oneWay = oneWay;
    }

    @Override
    public LockCapabilities capabilities() {
        return provider.capabilities();
    }

    @Override
    public Claim newClaim(ClaimRequest request, ClaimSignals signals) {
        Claim claim = provider.newClaim(request, signals);
        return new Claim() {
            @Override
            public Attempt attempt() {
                return slowly(claim::attempt);
            }

            @Override
            public Renewal renew() {
                return slowly(claim::renew);
            }

            @Override
            public Release release() {
                return slowly(claim::release);
            }
        };
    }

    @Override
    public Optional<LockHolder> holder(String name) {
        return slowly(() -> provider.holder(name));
    }

    @Override
    public void close() {
        provider.close();
    }

    private <T> T slowly(Supplier<T> call) {
        pause();
        T reply = call.get();
        pause();
        return reply;
    }

    /** Network delay is not interruptible: an interrupt is kept until after the call. */
    private void pause() {
        boolean interrupted = false;
        for (long start = Pace.now(); Pace.since(start).compareTo(oneWay) < 0; ) {
            LockSupport.parkNanos(oneWay.minus(Pace.since(start)).toNanos());
            interrupted |= Thread.interrupted();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
