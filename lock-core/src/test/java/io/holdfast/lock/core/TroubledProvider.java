package io.holdfast.lock.core;

import io.holdfast.lock.LockCapabilities;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * A provider over a real in-memory store, with the troubles of a network between them: calls are counted, and each kind of call
 * can fail before or after the store has done its part, or run something of the test's first.
 */
final class TroubledProvider implements LockProvider {

    enum Call {
        ATTEMPT,
        RENEW,
        RENEW_ALL,
        RELEASE
    }

    enum Trouble {
        NONE,
        /** The request never arrives. */
        REQUEST_LOST,
        /** The store does it, and the answer never arrives. */
        ANSWER_LOST
    }

    private final LockProvider store;
    private final Map<Call, Trouble> troubles = new EnumMap<>(Call.class);
    private final Map<Call, Runnable> before = new EnumMap<>(Call.class);
    private final List<Call> calls = new CopyOnWriteArrayList<>();
    private final List<TroubledClaim> claims = new CopyOnWriteArrayList<>();
    private UnaryOperator<LockCapabilities> capabilities = UnaryOperator.identity();
    private volatile boolean deaf;
    private boolean closed;

    TroubledProvider(LockProvider store) {
        this.store = store;
    }

    void trouble(Call call, Trouble trouble) {
        troubles.put(call, trouble);
    }

    void troubleAll(Trouble trouble) {
        for (Call call : Call.values()) {
            trouble(call, trouble);
        }
    }

    /** From now on, no signal of the store reaches the engine: messages are lost. */
    void loseSignals() {
        deaf = true;
    }

    /** Runs something when a call begins. */
    void before(Call call, Runnable action) {
        before.put(call, action);
    }

    void declare(UnaryOperator<LockCapabilities> change) {
        capabilities = change;
    }

    long count(Call call) {
        return calls.stream().filter(call::equals).count();
    }

    void forgetCalls() {
        calls.clear();
    }

    boolean isClosed() {
        return closed;
    }

    /** The signals of the latest claim. */
    ClaimSignals latestSignals() {
        return claims.get(claims.size() - 1).signals;
    }

    List<ClaimRequest> requests() {
        return claims.stream().map(claim -> claim.request).toList();
    }

    private <T> T call(Call call, Supplier<T> operation) {
        calls.add(call);
        before.getOrDefault(call, () -> {}).run();
        Trouble trouble = troubles.getOrDefault(call, Trouble.NONE);
        if (trouble == Trouble.REQUEST_LOST) {
            throw new LockStoreException(call + ": the request was lost");
        }
        T answer = operation.get();
        if (trouble == Trouble.ANSWER_LOST) {
            throw new LockStoreException(call + ": the answer was lost");
        }
        return answer;
    }

    @Override
    public LockCapabilities capabilities() {
        return capabilities.apply(store.capabilities());
    }

    @Override
    public Claim newClaim(ClaimRequest request, ClaimSignals signals) {
        TroubledClaim claim = new TroubledClaim(store.newClaim(request, hearing(signals)), request, signals);
        claims.add(claim);
        return claim;
    }

    private ClaimSignals hearing(ClaimSignals signals) {
        return new ClaimSignals() {
            @Override
            public void mayBeFree() {
                if (!deaf) {
                    signals.mayBeFree();
                }
            }

            @Override
            public void lost(LossCause cause) {
                if (!deaf) {
                    signals.lost(cause);
                }
            }
        };
    }

    @Override
    public Optional<LockHolder> holder(String name) {
        return store.holder(name);
    }

    @Override
    public List<Renewal> renewAll(List<Claim> batch) {
        return call(Call.RENEW_ALL, () -> {
            List<Renewal> renewals = new ArrayList<>();
            batch.forEach(claim -> renewals.add(((TroubledClaim) claim).claim.renew()));
            return renewals;
        });
    }

    @Override
    public void close() {
        closed = true;
        store.close();
    }

    private final class TroubledClaim implements Claim {
        private final Claim claim;
        private final ClaimRequest request;
        private final ClaimSignals signals;

        TroubledClaim(Claim claim, ClaimRequest request, ClaimSignals signals) {
            this.claim = claim;
            this.request = request;
            this.signals = signals;
        }

        @Override
        public Attempt attempt() {
            return call(Call.ATTEMPT, claim::attempt);
        }

        @Override
        public Renewal renew() {
            return call(Call.RENEW, claim::renew);
        }

        @Override
        public Release release() {
            return call(Call.RELEASE, claim::release);
        }
    }
}
