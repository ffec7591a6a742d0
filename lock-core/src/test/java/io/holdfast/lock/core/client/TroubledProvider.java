package io.holdfast.lock.core.client;

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
import io.holdfast.lock.spi.ReleaseFeed;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.lock.spi.StoreTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * A provider over a real in-memory store with an unreliable network between them. It counts calls. Each kind of call can fail
 * before or after the store has processed it, or run an action of the test first.
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
        /** The store processes the request, and the answer never arrives. */
        ANSWER_LOST,
        /** The provider knows that it has sent nothing, so its claims know the outcome of their release. */
        NOT_SENT
    }

    private final LockProvider store;
    private final Map<Call, Trouble> troubles = new ConcurrentHashMap<>();
    private final Map<Call, Runnable> before = new ConcurrentHashMap<>();
    private final Map<Call, Runnable> after = new ConcurrentHashMap<>();
    private final Queue<Made> calls = new ConcurrentLinkedQueue<>();
    private final List<TroubledClaim> claims = new CopyOnWriteArrayList<>();
    private UnaryOperator<LockCapabilities> capabilities = UnaryOperator.identity();
    private volatile int renewalBatch = 1;
    private volatile Function<String, Object> renewalGroups = name -> "";
    private UnaryOperator<Duration> validity = UnaryOperator.identity();
    private UnaryOperator<List<Renewal>> batchAnswers = UnaryOperator.identity();
    private UnaryOperator<Renewal> renewalAnswers = UnaryOperator.identity();
    private volatile Function<String, Optional<StoreTime>> storeTime = name -> Optional.empty();
    private volatile boolean deaf;
    private volatile boolean tokens = true;
    private final AtomicInteger closings = new AtomicInteger();

    /** One call. */
    record Made(Call call, List<String> names) {}

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

    /** From now on no signal of the store reaches the engine. */
    void loseSignals() {
        deaf = true;
    }

    /** Runs an action at the begin of each call of a kind. */
    void before(Call call, Runnable action) {
        before.put(call, action);
    }

    /** Runs an action at the begin of the next call of a kind. */
    void beforeNext(Call call, Runnable action) {
        before.put(call, () -> {
            before.remove(call);
            action.run();
        });
    }

    /** Runs an action after the store has processed the next call of a kind, before the answer arrives. */
    void afterNext(Call call, Runnable action) {
        after.put(call, action);
    }

    void declare(UnaryOperator<LockCapabilities> change) {
        capabilities = change;
    }

    /** Changes how many claims one call renews. */
    void renewalBatch(int claims) {
        renewalBatch = claims;
    }

    /** Changes which locks, by their names, one call renews. */
    void renewalGroups(Function<String, Object> groups) {
        renewalGroups = groups;
    }

    /** Changes how long the store's grants and renewals are good for. */
    void validity(UnaryOperator<Duration> change) {
        validity = change;
    }

    /** Changes the answers to batches of renewals. */
    void answerBatches(UnaryOperator<List<Renewal>> change) {
        batchAnswers = change;
    }

    /** Changes the answers to renewals of one claim. */
    void answerRenewals(UnaryOperator<Renewal> change) {
        renewalAnswers = change;
    }

    /** From now on answers tell the time of the store, by the names of the locks. */
    void tellTime(Function<String, StoreTime> time) {
        storeTime = name -> Optional.of(time.apply(name));
    }

    /** From now on grants have no token. */
    void withoutTokens() {
        tokens = false;
    }

    long count(Call call) {
        return calls.stream().filter(made -> made.call == call).count();
    }

    long count(Call call, String name) {
        return calls.stream()
                .filter(made -> made.call == call && made.names.contains(name))
                .count();
    }

    /** The names of the locks of all calls of one kind, in order. */
    List<String> names(Call call) {
        return calls.stream()
                .filter(made -> made.call == call)
                .flatMap(made -> made.names.stream())
                .toList();
    }

    void forgetCalls() {
        calls.clear();
    }

    int closings() {
        return closings.get();
    }

    /** The signals of the latest claim. */
    ClaimSignals latestSignals() {
        return claims.get(claims.size() - 1).signals;
    }

    /** The latest claim at the store itself: its calls are requests that arrive late. */
    Claim latestClaim() {
        return claims.get(claims.size() - 1).claim;
    }

    List<ClaimRequest> requests() {
        return claims.stream().map(claim -> claim.request).toList();
    }

    private <T> T call(Call call, List<String> names, Supplier<T> operation) {
        calls.add(new Made(call, names));
        before.getOrDefault(call, () -> {}).run();
        Trouble trouble = troubles.getOrDefault(call, Trouble.NONE);
        if (trouble == Trouble.REQUEST_LOST || trouble == Trouble.NOT_SENT) {
            throw new LockStoreException(call + ": the request was lost");
        }
        T answer = operation.get();
        Optional.ofNullable(after.remove(call)).ifPresent(Runnable::run);
        if (trouble == Trouble.ANSWER_LOST) {
            throw new LockStoreException(call + ": the answer was lost");
        }
        return answer;
    }

    private Renewal valid(Renewal answer, String name) {
        return answer instanceof Renewal.Held held
                ? new Renewal.Held(validity.apply(held.validFor()), storeTime.apply(name))
                : answer;
    }

    @Override
    public LockCapabilities capabilities() {
        return capabilities.apply(store.capabilities());
    }

    @Override
    public int renewalBatch() {
        return renewalBatch;
    }

    @Override
    public Object renewalGroup(Claim claim) {
        return renewalGroups.apply(((TroubledClaim) claim).request.name());
    }

    @Override
    public Optional<ReleaseFeed> releases(ReleaseFeed.Listener listener) {
        return store.releases(listener);
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
        List<TroubledClaim> claims =
                batch.stream().map(TroubledClaim.class::cast).toList();
        List<String> names = claims.stream().map(claim -> claim.request.name()).toList();
        return call(Call.RENEW_ALL, names, () -> {
            List<Renewal> renewals = new ArrayList<>();
            claims.forEach(claim -> renewals.add(valid(claim.claim.renew(), claim.request.name())));
            return batchAnswers.apply(renewals);
        });
    }

    @Override
    public void close() {
        closings.incrementAndGet();
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
            return attemptFor(1);
        }

        @Override
        public Attempt attemptFor(int count) {
            Attempt answer = call(Call.ATTEMPT, List.of(request.name()), () -> claim.attemptFor(count));
            return answer instanceof Attempt.Granted grant
                    ? new Attempt.Granted(
                            grant.fencingToken().filter(token -> tokens),
                            validity.apply(grant.validFor()),
                            storeTime.apply(request.name()),
                            tokens ? grant.tokens() : 1)
                    : answer;
        }

        @Override
        public Renewal renew() {
            return call(
                    Call.RENEW,
                    List.of(request.name()),
                    () -> renewalAnswers.apply(valid(claim.renew(), request.name())));
        }

        @Override
        public Release release() {
            if (troubles.get(Call.ATTEMPT) == Trouble.NOT_SENT) {
                return Release.NOT_HELD;
            }
            return call(Call.RELEASE, List.of(request.name()), claim::release);
        }
    }
}
