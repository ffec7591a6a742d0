package io.holdfast.lock.jdbc;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.jdbc.table.AcquireResult;
import io.holdfast.lock.jdbc.table.DatabaseFailures;
import io.holdfast.lock.jdbc.table.LockKey;
import io.holdfast.lock.jdbc.table.Sweeper;
import io.holdfast.lock.jdbc.table.WaitersAttempt;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** One contender's bid for one lock in a database. What it knows of itself is only whether the database may know of it. */
final class JdbcClaim implements Claim {

    /** How soon to ask again where the end of the lease is not known. */
    private static final Duration END_UNKNOWN = Duration.ofMillis(500);

    private final LockRecords records;
    private final Sweeper sweeper;
    private final ClaimRequest request;
    private final LockKey key;
    private boolean databaseMayKnow;

    JdbcClaim(JdbcLockProvider provider, ClaimRequest request) {
        this.records = provider.records();
        this.sweeper = provider.sweeper();
        this.request = request;
        this.key = LockKey.of(request.name());
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
        boolean knownBefore = databaseMayKnow;
        AcquireResult answer;
        try {
            answer = records.acquire(request, key, () -> databaseMayKnow(true));
        } catch (LockStoreException failure) {
            if (DatabaseFailures.isRefusal(failure)) {
                databaseMayKnow(knownBefore);
            }
            throw failure;
        }
        if (answer.token().isPresent()) {
            return new Attempt.Granted(answer.token(), request.validFor());
        }
        // Only this request was answered: one that was sent before and got no answer may still arrive.
        databaseMayKnow(knownBefore);
        return new Attempt.Contended(Optional.of(answer.remaining().orElse(END_UNKNOWN)));
    }

    private void databaseMayKnow(boolean mayKnow) {
        databaseMayKnow = mayKnow;
        if (mayKnow) {
            records.keepConnectionFor(this);
        } else {
            records.forget(this);
        }
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
        if (!databaseMayKnow) {
            return Release.NOT_HELD;
        }
        Release released = records.release(request, key);
        records.forget(this);
        sweeper.afterRelease(records);
        return released;
    }
}
