package io.holdfast.lock.redis;

import static io.holdfast.lock.redis.ScriptCall.bytes;

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
import org.jspecify.annotations.Nullable;

/** One contender's bid for one lock in Redis. What it knows of itself is only whether the server may know of it. */
final class RedisClaim implements Claim {

    /** How soon to ask again where no message of a release can be expected. */
    private static final Duration UNANNOUNCED = Duration.ofMillis(500);

    private static final Long YES = 1L;
    private static final Long STRANGER = 1L;

    private final ScriptRunner runner;
    private final LockScripts scripts;
    private final ClaimRequest request;
    private final String lockKey;
    private final String counterKey;
    private final byte[] channel;
    private boolean serverMayKnow;

    RedisClaim(RedisLockProvider provider, ClaimRequest request) {
        this.runner = provider.runner();
        this.scripts = provider.scripts();
        this.request = request;
        this.lockKey = provider.keys().lockKey(request.name());
        this.counterKey = provider.keys().counterKey(lockKey);
        this.channel = bytes(provider.keys().channel(request.name()));
    }

    @Override
    public Attempt attempt() {
        return SecondTry.of(this::attemptOnce);
    }

    private Attempt attemptOnce() {
        boolean knownBefore = serverMayKnow;
        Bid bid;
        try {
            bid = runner.run(acquireCall(), () -> serverMayKnow = true, this::bid);
        } catch (LockStoreException failure) {
            if (RedisFailures.isRefusal(failure)) {
                serverMayKnow = knownBefore;
            }
            throw failure;
        }
        if (bid.granted()) {
            return new Attempt.Granted(new FencingToken(bid.tokenOrMillis()), request.validFor());
        }
        // Only this bid was answered: one that was sent before and got no answer may still arrive.
        serverMayKnow = knownBefore;
        return new Attempt.Contended(retryAfter(bid));
    }

    /** What a bid is answered: with the token, or with the time until the holder's lease ends and whether that is a stranger. */
    private record Bid(boolean granted, long tokenOrMillis, boolean stranger) {}

    private Bid bid(@Nullable Object reply) {
        List<?> parts = (List<?>) answered("acquire", reply);
        boolean granted = YES.equals(parts.get(0));
        return new Bid(granted, (Long) answered("acquire", parts.get(1)), !granted && STRANGER.equals(parts.get(2)));
    }

    /** When the holder's lease ends; a stranger to the layout sends no message when it leaves. */
    private static Optional<Duration> retryAfter(Bid bid) {
        Optional<Duration> leaseEnd =
                bid.tokenOrMillis() > 0 ? Optional.of(Duration.ofMillis(bid.tokenOrMillis())) : Optional.empty();
        return bid.stranger()
                ? Optional.of(
                        leaseEnd.filter(end -> end.compareTo(UNANNOUNCED) < 0).orElse(UNANNOUNCED))
                : leaseEnd;
    }

    @Override
    public Renewal renew() {
        return SecondTry.of(() -> runner.run(renewCall(), this::renewal));
    }

    Renewal renewal(@Nullable Object reply) {
        return YES.equals(reply) ? new Renewal.Held(request.validFor()) : new Renewal.Lost(LossCause.TAKEN_OVER);
    }

    @Override
    public Release release() {
        if (!serverMayKnow) {
            return Release.NOT_HELD;
        }
        // "Not held" may be what the first request has left behind.
        return SecondTry.of(
                () -> runner.run(releaseCall(), reply -> YES.equals(reply) ? Release.RELEASED : Release.NOT_HELD),
                second -> second == Release.RELEASED);
    }

    private ScriptCall acquireCall() {
        Claimant claimant = request.claimant();
        return new ScriptCall(
                "acquire",
                request.name(),
                scripts.acquire(),
                List.of(bytes(lockKey), bytes(counterKey)),
                List.of(
                        bytes(request.claimId()),
                        leaseMillis(),
                        bytes(request.ownerId()),
                        bytes(claimant.host()),
                        bytes(Long.toString(claimant.pid())),
                        bytes(claimant.thread())));
    }

    ScriptCall renewCall() {
        return call("renewal", scripts.renew(), leaseMillis());
    }

    private ScriptCall releaseCall() {
        return call("release", scripts.release(), channel);
    }

    private ScriptCall call(String operation, Script script, byte[] argument) {
        return new ScriptCall(
                operation,
                request.name(),
                script,
                List.of(bytes(lockKey)),
                List.of(bytes(request.claimId()), argument));
    }

    private byte[] leaseMillis() {
        return bytes(Long.toString(request.leaseTime().toMillis()));
    }

    private Object answered(String operation, @Nullable Object reply) {
        if (reply == null) {
            throw new LockStoreException(
                    operation + " of lock '" + request.name() + "' failed: Redis gave an empty reply");
        }
        return reply;
    }
}
