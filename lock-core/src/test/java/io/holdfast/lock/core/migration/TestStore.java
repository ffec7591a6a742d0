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
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A store in memory that counts the tokens of each name by itself, and whose answers can be lost. */
final class TestStore implements LockProvider {

    private final LockProvider store;
    private final Tokens tokens;

    private volatile boolean failing;
    private volatile boolean raisable = true;
    private final AtomicReference<@Nullable Runnable> afterGrant = new AtomicReference<>();

    TestStore(LockProvider store, Tokens tokens) {
        this.store = store;
        this.tokens = tokens;
    }

    void fail(boolean from) {
        failing = from;
    }

    /** Does something once, after the next grant of an application's lock and before its answer arrives. */
    void afterGrant(Runnable step) {
        afterGrant.set(step);
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
                    Runnable step = request.name().startsWith(Presence.PREFIX) ? null : afterGrant.getAndSet(null);
                    if (step != null) {
                        step.run();
                    }
                    token = token == null ? new FencingToken(tokens.next(request.name())) : token;
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
        return answered(tokens.highest());
    }

    @Override
    public void raiseTokens(long above) {
        requireRaisable();
        tokens.raise(above);
    }

    @Override
    public void raiseTokens(String name, long above) {
        requireRaisable();
        tokens.raise(name, above);
    }

    private void requireRaisable() {
        if (!raisable) {
            throw new UnsupportedCapabilityException("this store cannot raise its tokens");
        }
    }

    /** The last token of each name: several clients of one store share them. */
    static final class Tokens {
        private final Map<String, Long> last = new HashMap<>();
        private long floor;

        synchronized long next(String name) {
            long token = Math.max(floor, last.getOrDefault(name, 0L)) + 1;
            last.put(name, token);
            return token;
        }

        synchronized void raise(String name, long above) {
            last.merge(name, above, Math::max);
        }

        synchronized void raise(long above) {
            floor = Math.max(floor, above);
        }

        synchronized long highest() {
            return Math.max(
                    floor, last.values().stream().mapToLong(each -> each).max().orElse(0));
        }
    }

    @Override
    public void close() {
        store.close();
    }
}
