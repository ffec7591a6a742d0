package io.holdfast.lock.redisson;

import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimRequest.Claimant;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.lock.spi.StoreTime;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/** One claim for one lock. Its only state is what the server may know of it. */
final class RedissonClaim implements Claim {

    /** How late an attempt may arrive after the release of its claim: far longer than an unanswered connection lasts. */
    private static final Duration MARK_STAYS = Duration.ofMinutes(30);

    /** What the server may know of the claim. */
    private enum Known {
        NOTHING,
        /** Every attempt was answered. */
        ANSWERED,
        /** An attempt got no answer. It may still arrive, also after the release. */
        UNANSWERED
    }

    private final ScriptExecutor calls;
    private final LockNaming naming;
    private final ClaimRequest request;
    private final List<String> keys;
    private final String key;
    private final String field;
    private Known known = Known.NOTHING;

    RedissonClaim(ScriptExecutor calls, LockNaming naming, String clientId, ClaimRequest request) {
        this.calls = calls;
        this.naming = naming;
        this.request = request;
        this.key = naming.lock(request.name());
        this.keys = naming.keys(key, request.claimId());
        // In the place of Redisson's thread id a text that is no number, so that no thread can be taken for a claim.
        this.field = clientId + ":holdfast-" + request.claimId();
    }

    @Override
    public Attempt attempt() {
        return attemptFor(1);
    }

    @Override
    public Attempt attemptFor(int tokens) {
        Known before = known;
        known = Known.UNANSWERED;
        List<String> reply;
        try {
            reply = calls.run(acquireCall(tokens));
        } catch (LockStoreException failure) {
            if (RedissonFailures.isUnsent(failure)) {
                known = before;
            } else if (RedissonFailures.isAnswer(failure)) {
                known = before == Known.UNANSWERED ? before : Known.ANSWERED;
            }
            throw failure;
        }
        return switch (reply.get(0)) {
            case "granted" -> {
                known = before == Known.UNANSWERED ? before : Known.ANSWERED;
                Optional<FencingToken> token = Optional.of(new FencingToken(Long.parseLong(reply.get(1))));
                yield new Attempt.Granted(
                        token, request.validFor(), time(reply.get(2), reply.get(3)), Integer.parseInt(reply.get(4)));
            }
            case "contended" -> {
                known = before;
                yield new Attempt.Contended(retryAfter(Long.parseLong(reply.get(1))));
            }
            case "withdrawn" ->
                throw new LockStoreException(
                        "acquire of lock '" + request.name() + "' failed: its claim was released before");
            default ->
                throw new LockStoreException(
                        "acquire of lock '" + request.name() + "' failed: the answer is not understood");
        };
    }

    /** A key without an expiry, which Redisson never leaves, has no end to wait for. */
    private static Optional<Duration> retryAfter(long millis) {
        return millis >= 0 ? Optional.of(Duration.ofMillis(millis + 1)) : Optional.empty();
    }

    /** Several clocks that are taken for one would look like steps, so a time without a clock does not count. */
    private static Optional<StoreTime> time(String micros, String clock) {
        return clock.isEmpty()
                ? Optional.empty()
                : Optional.of(new StoreTime(clock, Instant.EPOCH.plus(Long.parseLong(micros), ChronoUnit.MICROS)));
    }

    @Override
    public Renewal renew() {
        return renewal(calls.run(renewCall()));
    }

    Renewal renewal(List<String> reply) {
        return reply.get(0).equals("held")
                ? new Renewal.Held(request.validFor(), time(reply.get(1), reply.get(2)))
                : new Renewal.Lost(LossCause.TAKEN_OVER);
    }

    @Override
    public Release release() {
        if (known == Known.NOTHING) {
            return Release.NOT_HELD;
        }
        return calls.run(releaseCall()).get(0).equals("released") ? Release.RELEASED : Release.NOT_HELD;
    }

    private LockScriptCall acquireCall(int tokens) {
        Claimant claimant = request.claimant();
        return new LockScriptCall(
                "acquire",
                request.name(),
                LockScript.ACQUIRE,
                keys,
                List.of(
                        field,
                        leaseMillis(),
                        request.ownerId(),
                        claimant.host(),
                        Long.toString(claimant.pid()),
                        claimant.thread(),
                        naming.topology().name(),
                        Integer.toString(tokens)));
    }

    LockScriptCall renewCall() {
        return new LockScriptCall(
                "renewal",
                request.name(),
                LockScript.RENEW,
                keys.subList(0, 1),
                List.of(field, leaseMillis(), naming.topology().name()));
    }

    private LockScriptCall releaseCall() {
        long mark = known == Known.UNANSWERED ? MARK_STAYS.toMillis() : 0;
        return new LockScriptCall(
                "release",
                request.name(),
                LockScript.RELEASE,
                keys.subList(0, 2),
                List.of(
                        field,
                        naming.channel(key),
                        Long.toString(mark),
                        naming.topology().name()));
    }

    private String leaseMillis() {
        return Long.toString(request.leaseTime().toMillis());
    }
}
