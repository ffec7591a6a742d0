package io.holdfast.lock.redis;

import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.redis.QuorumOutcome.By;
import io.holdfast.lock.redis.QuorumOutcome.Contended;
import io.holdfast.lock.redis.QuorumOutcome.Failed;
import io.holdfast.lock.redis.QuorumOutcome.Granted;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** One claim for one lock on a quorum. */
final class RedlockClaim implements Claim {

    private static final Duration SHORTEST_RETRY = Duration.ofMillis(5);
    private static final Duration LONGEST_RETRY = Duration.ofMillis(500);
    private static final int MOST_DOUBLINGS = 6;

    private final Quorum quorum;
    private final KeySpace keys;
    private final ClaimRequest request;
    private final ClaimSignals signals;
    private final ClaimIds ids;
    private int splits;
    private @Nullable AttemptCall latest;

    RedlockClaim(Quorum quorum, KeySpace keys, ClaimRequest request, ClaimSignals signals) {
        this.signals = signals;
        this.quorum = quorum;
        this.keys = keys;
        this.request = request;
        this.ids = new ClaimIds(request.claimId());
    }

    @Override
    public Attempt attempt() {
        quorum.requireReady(what("acquire"));
        AttemptCall attempt = new AttemptCall(quorum, calls(ids.forAttempt()), ids.token());
        latest = attempt;
        QuorumOutcome outcome = attempt.run();
        ids.ended(outcome);
        if (outcome instanceof Granted granted) {
            quorum.granted().add(signals);
            return new Attempt.Granted(
                    new FencingToken(granted.token()), quorum.options().validFor(request.leaseTime()));
        }
        if (outcome instanceof Failed failed) {
            throw quorum.failure(what("acquire"), failed.failures());
        }
        return new Attempt.Contended(retryAfter((Contended) outcome));
    }

    private ClaimCalls calls(String id) {
        return new ClaimCalls(LockScripts.of(RedisLockProvider.Layout.STRING), keys, request, id);
    }

    private String what(String operation) {
        return operation + " of lock '" + request.name() + "'";
    }

    /** After a split vote a random time, which grows: all that split it try again, and one has to be first. */
    private Optional<Duration> retryAfter(Contended contended) {
        if (contended.by() != By.SPLIT) {
            splits = 0;
            return RedisClaim.retryAfter(
                    contended.heldFor().map(Duration::toMillis).orElse(-1L), contended.by() == By.FOREIGN);
        }
        long most = Math.min(SHORTEST_RETRY.toNanos() << Math.min(++splits, MOST_DOUBLINGS), LONGEST_RETRY.toNanos());
        return Optional.of(Duration.ofNanos(ThreadLocalRandom.current().nextLong(SHORTEST_RETRY.toNanos(), most + 1)));
    }

    @Override
    public Renewal renew() {
        Renewal renewal = renewAll(quorum, List.of(this)).get(0);
        if (renewal instanceof Renewal.Unknown unknown) {
            throw unknown.failure();
        }
        return renewal;
    }

    /** Renews claims in one round of requests. */
    static List<Renewal> renewAll(Quorum quorum, List<Claim> claims) {
        List<RedlockClaim> granted =
                claims.stream().map(RedlockClaim.class::cast).toList();
        List<Tally> tallies = TallyCall.renewing(
                quorum, granted.stream().map(RedlockClaim::renewalCall).toList());
        List<Renewal> renewals = new ArrayList<>(granted.size());
        for (int i = 0; i < granted.size(); i++) {
            renewals.add(granted.get(i).renewal(tallies.get(i)));
        }
        return renewals;
    }

    /** Nodes that do not know the claim answer that it is not in force. */
    private ScriptCall renewalCall() {
        return calls(ids.known().orElse(request.claimId())).renewal();
    }

    private Renewal renewal(Tally tally) {
        if (tally.isYes()) {
            return new Renewal.Held(quorum.options().validFor(request.leaseTime()));
        }
        return tally.isNo()
                ? new Renewal.Lost(LossCause.TAKEN_OVER)
                : new Renewal.Unknown(quorum.failure(what("renewal"), tally.failures()));
    }

    @Override
    public Release release() {
        quorum.granted().remove(signals);
        AttemptCall attempt = latest;
        if (attempt == null || ids.known().isEmpty()) {
            return Release.NOT_HELD;
        }
        quorum.requireOpen(what("release"));
        Tally tally = attempt.release();
        boolean released = tally.isYes() || (!tally.isNo() && tally.isYesWithThoseThatAreDown());
        if (!released && !tally.isNo()) {
            throw quorum.failure(what("release"), tally.failures());
        }
        ids.released();
        return released ? Release.RELEASED : Release.NOT_HELD;
    }
}
