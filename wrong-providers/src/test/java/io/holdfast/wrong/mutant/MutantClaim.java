package io.holdfast.wrong.mutant;

import io.holdfast.lock.LossCause;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.wrong.Moments;
import java.util.Optional;

/** A claim on the in-memory store with one fault. */
final class MutantClaim implements Claim {

    final MutantProvider provider;
    final ClaimRequest request;
    final ClaimRequest sent;
    final ClaimSignals signals;
    long ownToken = Claims.newToken();
    int withdrawals;
    int hints;
    Claim delegate;
    boolean granted;
    boolean contended;
    boolean released;
    volatile boolean deaf;
    volatile long listensFrom = Moments.now();
    Optional<Attempt.Granted> grant = Optional.empty();

    MutantClaim(MutantProvider provider, ClaimRequest request, ClaimSignals signals) {
        this.provider = provider;
        this.request = request;
        this.sent = provider.mutant().request(request, provider);
        this.deaf = !provider.mutant().wakes(request);
        this.signals = new Heard(this, signals);
        this.delegate = provider.cut().over(provider.delegate().newClaim(sent, this.signals));
    }

    @Override
    public Attempt attempt() {
        Attempt attempt = provider.mutant().attempt(this);
        if (attempt instanceof Attempt.Granted answer) {
            granted = true;
            grant = Optional.of(answer);
            provider.local().add(request.name());
            Claims.holds(request.name(), delegate);
        } else {
            contended = true;
        }
        return attempt;
    }

    @Override
    public Renewal renew() {
        return provider.mutant().renew(this);
    }

    @Override
    public Release release() {
        if (granted) {
            provider.local().remove(request.name());
        }
        Release release = provider.mutant().release(this);
        released = true;
        if (release == Release.RELEASED) {
            Claims.left(request.name());
        }
        return release;
    }

    /** Whether the lock was granted and not released, but its lease has ended. */
    boolean followsADeadHolder() {
        return Claims.isHeld(request.name()) && provider.holder(request.name()).isEmpty();
    }

    boolean isShownAsHolder() {
        return provider.holder(request.name())
                .filter(holder -> holder.owner().equals(request.ownerId()))
                .isPresent();
    }

    boolean waits() {
        return contended && !granted && !released;
    }

    boolean isInForce() {
        return granted && !released;
    }

    boolean isOfTheOwnerOf(MutantClaim other) {
        return this != other && request.ownerId().equals(other.request.ownerId());
    }

    private record Heard(MutantClaim claim, ClaimSignals signals) implements ClaimSignals {
        @Override
        public void mayBeFree() {
            if (!claim.deaf && claim.provider.mutant().hears(claim)) {
                signals.mayBeFree();
            }
        }

        @Override
        public void lost(LossCause cause) {
            signals.lost(cause);
        }
    }
}
