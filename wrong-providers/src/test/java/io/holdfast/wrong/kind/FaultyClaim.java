package io.holdfast.wrong.kind;

import io.holdfast.lock.LossCause;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.wrong.Moments;
import java.time.Duration;

/** A claim of a {@link FaultyProvider}. */
final class FaultyClaim implements Claim {

    final FaultyProvider provider;
    final ClaimRequest request;
    final ClaimRequest sent;
    final ClaimSignals signals;
    final long madeAt = Moments.now();
    volatile Claim delegate;
    volatile boolean granted;
    volatile boolean refused;
    volatile boolean released;
    volatile boolean deaf;
    volatile boolean failedBefore;
    volatile long firstAskedAt;
    volatile int firstWanted;
    volatile long wokenAt;
    volatile long askedAt;

    FaultyClaim(FaultyProvider provider, ClaimRequest request, ClaimSignals signals) {
        this.provider = provider;
        this.request = request;
        this.sent = provider.fault.request(request);
        this.signals = new ClaimSignals() {
            @Override
            public void mayBeFree() {
                wokenAt = Moments.now();
                if (!deaf && provider.fault.hears(FaultyClaim.this)) {
                    signals.mayBeFree();
                }
            }

            @Override
            public void lost(LossCause cause) {
                signals.lost(cause);
            }
        };
        this.delegate = over(sent);
    }

    /** A claim at the store itself. */
    Claim over(ClaimRequest asked) {
        return provider.store.cut.over(provider.delegate.newClaim(asked, signals));
    }

    /** Asks the store for another lease than before. */
    void lease(Duration lease) {
        delegate = over(FaultOfAKind.with(sent, sent.name(), lease));
    }

    @Override
    public Attempt attempt() {
        return attemptFor(1);
    }

    @Override
    public Attempt attemptFor(int tokens) {
        askedAt = Moments.now();
        firstAskedAt = firstAskedAt == 0 ? askedAt : firstAskedAt;
        Attempt attempt = provider.fault.attempt(this, tokens);
        granted |= attempt instanceof Attempt.Granted;
        refused |= attempt instanceof Attempt.Contended;
        return attempt;
    }

    @Override
    public Renewal renew() {
        return provider.fault.renew(this);
    }

    @Override
    public Release release() {
        Release release = provider.fault.release(this);
        released = true;
        return release;
    }

    boolean isOfTheProviderOf(FaultyClaim other) {
        return provider == other.provider;
    }
}
