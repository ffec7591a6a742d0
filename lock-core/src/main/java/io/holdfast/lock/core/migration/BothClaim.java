package io.holdfast.lock.core.migration;

import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A claim that is granted when both stores have granted it. The old store is always asked first, so that two clients never wait
 * for each other, and released last.
 */
final class BothClaim implements Claim {

    private final MigratingLockProvider provider;
    private final String name;
    private final boolean waits;
    private final Half from;
    private final Half to;

    BothClaim(MigratingLockProvider provider, ClaimRequest request, ClaimSignals signals) {
        this.provider = provider;
        this.name = request.name();
        this.waits = request.intent() == ClaimRequest.Intent.WAIT;
        this.from = new Half(provider.from().newClaim(request, signals));
        this.to = new Half(provider.to().newClaim(request, signals));
    }

    /** The claim in one of the stores. */
    private static final class Half {
        private final Claim claim;
        private @Nullable Release released;

        /** Whether it may stand in the store's line. */
        private boolean mayStandInLine;

        Half(Claim claim) {
            this.claim = claim;
        }

        Attempt attempt() {
            released = null;
            Attempt answer = claim.attempt();
            mayStandInLine = answer instanceof Attempt.Contended;
            return answer;
        }

        /** Leaves the store's line: the claim waits for the other store. */
        void leave() {
            if (mayStandInLine) {
                mayStandInLine = false;
                Release unused = claim.release();
            }
        }

        void forget() {
            released = null;
        }

        /**
         * What the store has answered, if the other one's outcome was unknown: a second answer would say that the claim was not
         * held.
         */
        Release release() {
            Release answer = released;
            if (answer == null) {
                answer = claim.release();
                released = answer;
            }
            return answer;
        }
    }

    Claim from() {
        return from.claim;
    }

    Claim to() {
        return to.claim;
    }

    /** An exception leaves what was granted to the release that follows it. */
    @Override
    public Attempt attempt() {
        provider.begin();
        asks(provider.from());
        Attempt first = from.attempt();
        if (!(first instanceof Attempt.Granted old)) {
            // The new store would otherwise hold up those behind this claim, or grant it a lock
            // that it has no use for yet.
            to.leave();
            return first;
        }
        asks(provider.to());
        Attempt second = to.attempt();
        if (!(second instanceof Attempt.Granted young)) {
            // Whoever has the new store's lock may need the old one's.
            Release unused = from.release();
            return second;
        }
        provider.waitsNoLonger(name, this);
        Optional<FencingToken> token = provider.isFenced() ? greater(old, young) : Optional.empty();
        return new Attempt.Granted(token, shorter(old.validFor(), young.validFor()));
    }

    private void asks(LockProvider store) {
        if (waits) {
            provider.asks(name, this, store);
        }
    }

    /**
     * The token is the greater one of the two. Before the grant is handed out, the store that gave the smaller one is made to go
     * on above it: the next holder may ask one of the stores alone.
     */
    private Optional<FencingToken> greater(Attempt.Granted old, Attempt.Granted young) {
        FencingToken one = old.fencingToken().orElseThrow(() -> without(provider.from()));
        FencingToken other = young.fencingToken().orElseThrow(() -> without(provider.to()));
        if (one.isNewerThan(other)) {
            provider.to().raiseTokens(name, one.value());
        } else if (other.isNewerThan(one)) {
            provider.from().raiseTokens(name, other.value());
        }
        return Optional.of(one.isNewerThan(other) ? one : other);
    }

    private LockStoreException without(Object store) {
        return new LockStoreException("acquire of lock '" + name + "' failed: the grant of " + store + " has no token");
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    @Override
    public Renewal renew() {
        Renewal answer = both(renewed(from.claim), renewed(to.claim));
        if (answer instanceof Renewal.Unknown unknown) {
            throw unknown.failure();
        }
        return answer;
    }

    private static Renewal renewed(Claim claim) {
        try {
            return claim.renew();
        } catch (LockStoreException unknown) {
            return new Renewal.Unknown(unknown);
        }
    }

    /** A loss in one store is one, whatever the other says. */
    static Renewal both(Renewal one, Renewal other) {
        if (one instanceof Renewal.Held held && other instanceof Renewal.Held too) {
            return new Renewal.Held(shorter(held.validFor(), too.validFor()));
        }
        if (one instanceof Renewal.Lost || other instanceof Renewal.Held) {
            return one;
        }
        return other instanceof Renewal.Lost || one instanceof Renewal.Held ? other : one;
    }

    /** Both stores are asked even if one of them fails. */
    @Override
    public Release release() {
        provider.waitsNoLonger(name, this);
        Release ofTo = null;
        LockStoreException failure = null;
        try {
            ofTo = to.release();
        } catch (LockStoreException unknown) {
            failure = unknown;
        }
        Release ofFrom = from.release();
        if (failure != null) {
            throw failure;
        }
        from.forget();
        to.forget();
        return ofTo == Release.RELEASED && ofFrom == Release.RELEASED ? Release.RELEASED : Release.NOT_HELD;
    }
}
