package io.holdfast.lock.jdbc;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.jdbc.table.AcquireResult;
import io.holdfast.lock.jdbc.table.DatabaseFailures;
import io.holdfast.lock.jdbc.table.LockKey;
import io.holdfast.lock.jdbc.table.RepeatedAttempt;
import io.holdfast.lock.jdbc.table.Sweeper;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** One claim for one lock, by JDBC. It remembers only whether the database may know it. */
final class JdbcClaim implements Claim {

    /** When to ask again if the end of the lease is unknown. */
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
        return RepeatedAttempt.send(request, this::attemptOnce);
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
        // Only this request was answered: an earlier one without an answer may still take effect.
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

    /** What the outcome of a renewal of several claims means for this one. */
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
