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
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** One contender's bid for one lock. What it knows of itself is only whether the server may know of it. */
final class RedissonClaim implements Claim {

    /** How late a bid may arrive after its claim was released: far longer than a connection lasts that nobody answers on. */
    private static final Duration MARK_STAYS = Duration.ofMinutes(30);

    /** What the server may have heard of the claim. */
    private enum Known {
        NOTHING,
        /** Every bid was answered. */
        ALL,
        /** A bid got no answer. It may arrive yet, also after the release. */
        PERHAPS_MORE
    }

    private final ScriptExecutor calls;
    private final LockNaming naming;
    private final ClaimRequest request;
    private final List<String> keys;
    private final String key;
    private final String field;
    private Known known = Known.NOTHING;

    RedissonClaim(RedissonLockProvider provider, ClaimRequest request) {
        this.calls = provider.calls();
        this.naming = provider.naming();
        this.request = request;
        this.key = naming.lock(request.name());
        this.keys = naming.keys(key, request.claimId(), provider.layout());
        // Where Redisson has the id of a thread: a word that is none, so that no thread of the client can be taken for
        // a claim.
        this.field = provider.clientId() + ":holdfast-" + request.claimId();
    }

    @Override
    public Attempt attempt() {
        Known before = known;
        known = Known.PERHAPS_MORE;
        List<String> reply;
        try {
            reply = calls.run(acquireCall());
        } catch (LockStoreException failure) {
            if (RedissonFailures.isUnsent(failure)) {
                known = before;
            }
            throw failure;
        }
        return switch (reply.get(0)) {
            case "granted" -> {
                known = before == Known.PERHAPS_MORE ? before : Known.ALL;
                yield new Attempt.Granted(new FencingToken(Long.parseLong(reply.get(1))), request.validFor());
            }
            case "contended" -> {
                known = before;
                yield new Attempt.Contended(retryAfter(Long.parseLong(reply.get(1))));
            }
            case "withdrawn" ->
                throw new LockStoreException("acquire of lock '" + request.name()
                        + "' failed: its claim was released before, and a claim is not used again");
            default ->
                throw new LockStoreException(
                        "acquire of lock '" + request.name() + "' failed: its answer is not understood");
        };
    }

    /** A key without an expiry, which Redisson never leaves behind, has no end that could be waited for. */
    private static Optional<Duration> retryAfter(long millis) {
        return millis >= 0 ? Optional.of(Duration.ofMillis(millis + 1)) : Optional.empty();
    }

    @Override
    public Renewal renew() {
        return renewal(calls.run(renewCall()));
    }

    Renewal renewal(List<String> reply) {
        return reply.get(0).equals("held")
                ? new Renewal.Held(request.validFor())
                : new Renewal.Lost(LossCause.TAKEN_OVER);
    }

    @Override
    public Release release() {
        if (known == Known.NOTHING) {
            return Release.NOT_HELD;
        }
        return calls.run(releaseCall()).get(0).equals("released") ? Release.RELEASED : Release.NOT_HELD;
    }

    private LockScriptCall acquireCall() {
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
                        claimant.thread()));
    }

    LockScriptCall renewCall() {
        return new LockScriptCall(
                "renewal", request.name(), LockScript.RENEW, keys.subList(0, 1), List.of(field, leaseMillis()));
    }

    private LockScriptCall releaseCall() {
        long mark = known == Known.PERHAPS_MORE ? MARK_STAYS.toMillis() : 0;
        return new LockScriptCall(
                "release",
                request.name(),
                LockScript.RELEASE,
                keys.subList(0, 2),
                List.of(
                        field,
                        naming.channel(key),
                        Long.toString(mark),
                        naming.topology().word()));
    }

    private String leaseMillis() {
        return Long.toString(request.leaseTime().toMillis());
    }
}
