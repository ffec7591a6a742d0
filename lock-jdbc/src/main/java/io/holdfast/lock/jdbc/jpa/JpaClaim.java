package io.holdfast.lock.jdbc.jpa;

import io.holdfast.lock.jdbc.table.AcquireResult;
import io.holdfast.lock.jdbc.table.LockKey;
import io.holdfast.lock.jdbc.table.RepeatedAttempt;
import io.holdfast.lock.jdbc.table.Sweeper;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import java.util.List;

/** One claim for one lock, by JPA. It remembers only whether the database may know it. */
final class JpaClaim implements Claim {

    private final JpaRecords records;
    private final JpaRenewals renewals;
    private final Sweeper sweeper;
    private final ClaimRequest request;
    private final LockKey key;
    private boolean databaseMayKnow;

    JpaClaim(JpaRecords records, JpaRenewals renewals, Sweeper sweeper, ClaimRequest request) {
        this.records = records;
        this.renewals = renewals;
        this.sweeper = sweeper;
        this.request = request;
        this.key = LockKey.of(request.name());
    }

    ClaimRequest request() {
        return request;
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
        AcquireResult answer = records.acquire(request, key, () -> databaseMayKnow = true);
        if (answer.token().isPresent()) {
            return new Attempt.Granted(answer.token(), request.validFor());
        }
        // Only this request was answered: an earlier one without an answer may still take effect.
        databaseMayKnow = knownBefore;
        return new Attempt.Contended(answer.remaining());
    }

    @Override
    public Renewal renew() {
        Renewal answer = renewals.renew(List.of(this)).get(0);
        if (answer instanceof Renewal.Unknown unknown) {
            throw unknown.failure();
        }
        return answer;
    }

    @Override
    public Release release() {
        if (!databaseMayKnow) {
            return Release.NOT_HELD;
        }
        Release released = records.release(request, key);
        sweeper.afterRelease(records);
        return released;
    }
}
