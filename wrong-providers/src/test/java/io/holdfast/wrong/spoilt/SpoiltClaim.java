package io.holdfast.wrong.spoilt;

import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.wrong.Moments;

/** A claim of a {@link SpoiltProvider}. */
final class SpoiltClaim implements Claim {

    final SpoiltProvider provider;
    final ClaimRequest request;
    final ClaimSignals signals;
    Claim delegate;
    volatile boolean granted;
    volatile boolean contended;
    volatile boolean released;
    volatile boolean deaf;
    int attempts;
    int renewals;
    long grantedAt;

    SpoiltClaim(SpoiltProvider provider, ClaimRequest request, ClaimSignals signals) {
        this.provider = provider;
        this.request = request;
        this.signals = new Heard(this, signals);
        this.delegate = provider.cut.over(provider.delegate.newClaim(request, this.signals));
    }

    String name() {
        return request.name();
    }

    boolean isShownAsHolder() {
        return provider.delegate
                .holder(name())
                .filter(holder -> holder.owner().equals(request.ownerId()))
                .isPresent();
    }

    static Attempt withToken(Attempt attempt, long token) {
        return attempt instanceof Attempt.Granted granted
                ? new Attempt.Granted(new FencingToken(token), granted.validFor())
                : attempt;
    }

    @Override
    public Attempt attempt() {
        Attempt attempt = provider.fault.attempt(this);
        attempts++;
        if (attempt instanceof Attempt.Granted) {
            granted = true;
            grantedAt = Moments.now();
        } else {
            contended = true;
        }
        return attempt;
    }

    @Override
    public Renewal renew() {
        Renewal renewal = provider.fault.renew(this);
        renewals++;
        return renewal;
    }

    @Override
    public Release release() {
        Release release = provider.fault.release(this);
        released = true;
        return release;
    }

    private record Heard(SpoiltClaim claim, ClaimSignals signals) implements ClaimSignals {
        @Override
        public void mayBeFree() {
            if (!claim.deaf && claim.provider.fault.hears(claim)) {
                signals.mayBeFree();
            }
        }

        @Override
        public void lost(LossCause cause) {
            signals.lost(cause);
        }
    }
}
