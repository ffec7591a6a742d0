package io.holdfast.lock.redis;

import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.redis.ClaimCalls.Place;
import io.holdfast.lock.redis.Confirmation.Written;
import io.holdfast.lock.redis.LockScripts.Grant;
import io.holdfast.lock.redis.LockScripts.Way;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimRequest.Intent;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One claim for one lock in Redis. Its state is whether the server may know it, when it ends there, and, while it waits in a line
 * at the server, its latest attempt.
 */
final class RedisClaim implements Claim {

    /**
     * A grant of which the server told is believed for a tenth of the lease from the latest attempt; later the server is asked.
     */
    private static final int BELIEVED = 10;

    /** The time to the next attempt if the release will publish no message. */
    private static final Duration WITHOUT_MESSAGE = Duration.ofMillis(500);

    private final RedisLockProvider provider;
    private final ClaimRequest request;
    private boolean serverMayKnow;

    /** The number of the latest attempt that was sent. */
    private int attempts;

    /** The answer to the latest attempt; null unless that was refused. */
    private @Nullable ServerReply refusal;

    /** By the last answer, in ms of the server's clock; 0 if none has told it. */
    private long end;

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
        Attempt answer = pushed(begun)
                .orElseGet(() -> provider.runner()
                        .patience()
                        .attempt(request.intent(), () -> SecondTry.of(() -> attemptOnce(tokens, begun))));
        if (answer instanceof Attempt.Granted) {
            provider.pushes().forget(request.claimId());
            refusal = null;
        }
        return answer;
    }

    /**
     * The grant that the server gave to this claim when the lock was released; empty if the server has to be asked. Its lease
     * began after the latest attempt was sent, as it names that. Where replicas have to confirm a grant, they are asked, too.
     */
    private Optional<Attempt> pushed(PassedTime begun) {
        ServerReply waiting = refusal;
        if (waiting == null
                || provider.confirmation().isNeeded()
                || !waiting.sent().isLessThan(request.leaseTime().dividedBy(BELIEVED))) {
            return Optional.empty();
        }
        return provider.pushes()
                .of(request.claimId())
                .filter(push -> push.attempt() == attempts)
                .map(push -> granted(
                        waiting.saying(push.micros()),
                        push.token(),
                        push.tokens(),
                        request.validFor().minus(waiting.sent().time()),
                        begun));
    }

    private Attempt attemptOnce(int tokens, PassedTime begun) {
        boolean knownBefore = serverMayKnow;
        attempts++;
        refusal = null;
        Optional<Place> place = place();
        try {
            Attempt answer = attemptOnce(calls().acquire(tokens, place), () -> serverMayKnow = true, begun);
            if (answer instanceof Attempt.Contended && place.isEmpty()) {
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

    /** The place in the line that an attempt takes or keeps; empty if it takes none. */
    private Optional<Place> place() {
        if (provider.scripts().way() != Way.LINE || request.intent() != Intent.WAIT) {
            return Optional.empty();
        }
        provider.pushes().expect(request.claimId());
        return Optional.of(new Place(attempts, provider.channel(request.name())));
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
        Optional<Grant> granted = LockScripts.grant(reply.value());
        if (granted.isPresent()) {
            Grant grant = granted.get();
            return granted(reply.saying(grant.micros()), grant.token(), grant.tokens(), request.validFor(), begun);
        }
        List<?> parts = (List<?>) Objects.requireNonNull(reply.value());
        refusal = reply;
        long millis = (Long) Objects.requireNonNull(parts.get(0));
        return new Attempt.Contended(retryAfter(millis, LockScripts.isYes(parts.get(1))));
    }

    private Attempt granted(ServerReply time, long token, int tokens, Duration validFor, PassedTime begun) {
        noteEnd(time);
        return new Attempt.Granted(Optional.of(new FencingToken(token)), validFor, time.time(begun), tokens);
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
        if (!LockScripts.isYes(reply.value())) {
            return new Renewal.Lost(LossCause.TAKEN_OVER);
        }
        noteEnd(reply);
        return new Renewal.Held(request.validFor(), reply.time(begun));
    }

    private void noteEnd(ServerReply reply) {
        end = LockScripts.time(reply.value())
                .map(now -> now.toEpochMilli() + request.leaseTime().toMillis())
                .orElse(0L);
    }

    /**
     * When the claim ends, in ms of the server's clock, as far as this client knows; 0 if it does not. The server compares: an
     * answer may have been lost, and the lease may end later than that.
     */
    long end() {
        return end;
    }

    @Override
    public Release release() {
        provider.pushes().forget(request.claimId());
        refusal = null;
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
