package io.holdfast.lock.core.migration;

import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LockCapabilities;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.UnsupportedCapabilityException;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A store in memory that counts tokens by itself, and whose answers can be lost. */
final class TestStore implements LockProvider {

    private final LockProvider store;
    /** The last token: several clients of one store share it. */
    private final AtomicLong tokens;

    private volatile boolean failing;
    private volatile boolean raisable = true;

    TestStore(LockProvider store, AtomicLong tokens) {
        this.store = store;
        this.tokens = tokens;
    }

    void fail(boolean from) {
        failing = from;
    }

    void cannotBeRaised() {
        raisable = false;
    }

    private <T> T answered(T answer) {
        if (failing) {
            throw new LockStoreException("the answer was lost");
        }
        return answer;
    }

    @Override
    public LockCapabilities capabilities() {
        return store.capabilities();
    }

    @Override
    public Claim newClaim(ClaimRequest request, ClaimSignals signals) {
        Claim claim = store.newClaim(request, signals);
        return new Claim() {
            private @Nullable FencingToken token;

            @Override
            public Attempt attempt() {
                Attempt answer = answered(claim.attempt());
                if (answer instanceof Attempt.Granted granted) {
                    token = token == null ? new FencingToken(tokens.incrementAndGet()) : token;
                    return new Attempt.Granted(token, granted.validFor());
                }
                return answer;
            }

            @Override
            public Renewal renew() {
                return answered(claim.renew());
            }

            @Override
            public Release release() {
                return answered(claim.release());
            }
        };
    }

    @Override
    public Optional<LockHolder> holder(String name) {
        return answered(store.holder(name));
    }

    @Override
    public long highestToken() {
        return answered(tokens.get());
    }

    @Override
    public void raiseTokens(long above) {
        if (!raisable) {
            throw new UnsupportedCapabilityException("this store cannot raise its tokens above " + above);
        }
        tokens.accumulateAndGet(above, Math::max);
    }

    @Override
    public void close() {
        store.close();
    }
}
