package io.holdfast.lock.redis;

import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.redis.Confirmation.Written;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** One claim for one lock in Redis. Its only state is whether the server may know it. */
final class RedisClaim implements Claim {

    /** The time to the next attempt if the release will publish no message. */
    private static final Duration WITHOUT_MESSAGE = Duration.ofMillis(500);

    private final RedisLockProvider provider;
    private final ClaimRequest request;
    private boolean serverMayKnow;

    RedisClaim(RedisLockProvider provider, ClaimRequest request) {
        this.provider = provider;
        this.request = request;
    }

    ClaimCalls calls() {
        return new ClaimCalls(provider.scripts(), provider.keys(), request, request.claimId());
    }

    @Override
    public Attempt attempt() {
        return attemptFor(1);
    }

    @Override
    public Attempt attemptFor(int tokens) {
        PassedTime begun = new PassedTime();
        return provider.runner()
                .patience()
                .attempt(request.intent(), () -> SecondTry.of(() -> attemptOnce(tokens, begun)));
    }

    private Attempt attemptOnce(int tokens, PassedTime begun) {
        boolean knownBefore = serverMayKnow;
        try {
            Attempt answer = attemptOnce(calls().acquire(tokens), () -> serverMayKnow = true, begun);
            if (answer instanceof Attempt.Contended) {
                // Only this attempt was answered: an earlier one without an answer may still arrive.
                serverMayKnow = knownBefore;
            }
            return answer;
        } catch (LockStoreException failure) {
            if (RedisFailures.isRefusal(failure)) {
                serverMayKnow = knownBefore;
            }
            throw failure;
        }
    }

    /** Replicas are waited for on the connection of the grant, which nobody else can use meanwhile. */
    private Attempt attemptOnce(ScriptCall acquire, Runnable beforeSending, PassedTime begun) {
        Confirmation confirmation = provider.confirmation();
        if (!confirmation.isNeeded()) {
            return provider.runner().run(acquire, beforeSending, reply -> answer(reply, begun));
        }
        return provider.runner().runAlone(acquire, beforeSending, (reply, connection) -> {
            Attempt answer = answer(reply, begun);
            if (answer instanceof Attempt.Granted) {
                confirmation.await(connection, Written.GRANT);
            }
            return answer;
        });
    }

    private Attempt answer(ServerReply reply, PassedTime begun) {
        List<?> parts = (List<?>) Objects.requireNonNull(reply.value());
        long tokenOrMillis = (Long) Objects.requireNonNull(parts.get(1));
        if (LockScripts.isYes(parts.get(0))) {
            return new Attempt.Granted(
                    Optional.of(new FencingToken(tokenOrMillis)),
                    request.validFor(),
                    reply.time(begun),
                    LockScripts.tokens(parts));
        }
        return new Attempt.Contended(retryAfter(tokenOrMillis, LockScripts.isYes(parts.get(2))));
    }

    /** The end of the holder's lease. A foreign holder publishes no message when it releases, so it is polled for. */
    static Optional<Duration> retryAfter(long millis, boolean foreign) {
        Optional<Duration> leaseEnd = millis > 0 ? Optional.of(Duration.ofMillis(millis)) : Optional.empty();
        return foreign
                ? Optional.of(leaseEnd.filter(end -> end.compareTo(WITHOUT_MESSAGE) < 0)
                        .orElse(WITHOUT_MESSAGE))
                : leaseEnd;
    }

    @Override
    public Renewal renew() {
        PassedTime begun = new PassedTime();
        return SecondTry.of(() -> provider.runner().run(calls().renewal(), reply -> renewal(reply, begun)));
    }

    Renewal renewal(ServerReply reply, PassedTime begun) {
        return LockScripts.isYes(reply.value())
                ? new Renewal.Held(request.validFor(), reply.time(begun))
                : new Renewal.Lost(LossCause.TAKEN_OVER);
    }

    @Override
    public Release release() {
        if (!serverMayKnow) {
            return Release.NOT_HELD;
        }
        // After a repeated request, "not held" may be the work of the first one.
        return SecondTry.of(
                () -> provider.runner()
                        .run(
                                calls().release(),
                                reply -> LockScripts.isYes(reply.value()) ? Release.RELEASED : Release.NOT_HELD),
                second -> second == Release.RELEASED);
    }
}
