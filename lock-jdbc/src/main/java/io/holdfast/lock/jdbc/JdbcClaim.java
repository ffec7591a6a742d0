package io.holdfast.lock.jdbc;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.jdbc.WakeUps.Interest;
import io.holdfast.lock.jdbc.table.Answer;
import io.holdfast.lock.jdbc.table.LockKey;
import io.holdfast.lock.jdbc.table.StoreFailures;
import io.holdfast.lock.jdbc.table.Sweeper;
import io.holdfast.lock.jdbc.table.WaitersAttempt;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimRequest.Intent;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** One contender's bid for one lock in a database. What it knows of itself is only whether the database may know of it. */
final class JdbcClaim implements Claim {

    /** How soon to ask again where no message of a release can be expected, or the end of the lease is not known. */
    private static final Duration UNANNOUNCED = Duration.ofMillis(500);

    private final LockRecords records;
    private final Optional<WakeUps> wakeUps;
    private final Sweeper sweeper;
    private final ClaimRequest request;
    private final LockKey key;
    private final Interest interest;
    private boolean databaseMayKnow;

    JdbcClaim(JdbcLockProvider provider, ClaimRequest request, ClaimSignals signals) {
        this.records = provider.records();
        this.wakeUps = provider.wakeUps();
        this.sweeper = provider.sweeper();
        this.request = request;
        this.key = LockKey.of(request.name());
        this.interest = new Interest(key.hash(), signals);
    }

    ClaimRequest request() {
        return request;
    }

    String id() {
        return request.claimId();
    }

    LockKey key() {
        return key;
    }

    @Override
    public Attempt attempt() {
        return WaitersAttempt.send(request, this::attemptOnce);
    }

    private Attempt attemptOnce() {
        boolean waits = request.intent() == Intent.WAIT;
        if (waits) {
            // Before the bid: a release between its answer and a later registration would be missed.
            wakeUps.ifPresent(messages -> messages.register(interest));
        }
        boolean knownBefore = databaseMayKnow;
        Answer answer;
        try {
            answer = records.acquire(request, key, () -> databaseMayKnow(true));
        } catch (LockStoreException failure) {
            if (StoreFailures.isRefusal(failure)) {
                databaseMayKnow(knownBefore);
            }
            throw failure;
        }
        if (answer.token().isPresent()) {
            wakeUps.ifPresent(messages -> messages.cancel(interest));
            return new Attempt.Granted(answer.token(), request.validFor());
        }
        // Only this bid was answered: one that was sent before and got no answer may still arrive.
        databaseMayKnow(knownBefore);
        boolean announced = !waits || wakeUps.isEmpty() || wakeUps.get().awaitRelease(interest);
        return new Attempt.Contended(retryAfter(answer.remaining(), announced));
    }

    private void databaseMayKnow(boolean mayKnow) {
        databaseMayKnow = mayKnow;
        if (mayKnow) {
            records.keepConnectionFor(this);
        } else {
            records.forget(this);
        }
    }

    private static Optional<Duration> retryAfter(Optional<Duration> leaseEnd, boolean announced) {
        boolean relies = announced && leaseEnd.isPresent();
        return relies
                ? leaseEnd
                : Optional.of(
                        leaseEnd.filter(end -> end.compareTo(UNANNOUNCED) < 0).orElse(UNANNOUNCED));
    }

    @Override
    public Renewal renew() {
        Renewal renewal = answer(records.renew(List.of(this)));
        if (renewal instanceof Renewal.Unknown unknown) {
            throw unknown.failure();
        }
        return renewal;
    }

    /** What the outcome of a renewal of several claims is for this one. */
    Renewal answer(RenewalOutcome outcome) {
        if (outcome.prolonged().contains(id())) {
            return new Renewal.Held(request.validFor());
        }
        if (outcome.locked().contains(id())) {
            return new Renewal.Unknown(records.failureOfLocked(request));
        }
        records.forget(this);
        return new Renewal.Lost(LossCause.TAKEN_OVER);
    }

    @Override
    public Release release() {
        wakeUps.ifPresent(messages -> messages.cancel(interest));
        if (!databaseMayKnow) {
            return Release.NOT_HELD;
        }
        Release released = records.release(request, key);
        records.forget(this);
        sweeper.afterRelease(records);
        return released;
    }
}
