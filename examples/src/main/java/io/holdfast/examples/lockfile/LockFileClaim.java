package io.holdfast.examples.lockfile;

import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A claim for one lock. Each call is one atomic step on the lock's record, and decides by that record alone: a claim that
 * remembered its grant would not notice that it has lost it.
 */
final class LockFileClaim implements Claim {

    /** A directory sends no message when a lock is released, so waiters poll. */
    private static final Duration POLL = Duration.ofMillis(50);

    private final LockDirectory directory;
    private final ClaimRequest request;

    LockFileClaim(LockDirectory directory, ClaimRequest request) {
        this.directory = directory;
        this.request = request;
    }

    @Override
    public Attempt attempt() {
        return directory.update(request.name(), (record, now) -> {
            boolean held = record.isHeldAt(now);
            if (held && !isOurs(record)) {
                Duration left = Duration.between(now, record.until());
                return new Attempt.Contended(Optional.of(left.compareTo(POLL) < 0 ? left : POLL));
            }
            if (!held) {
                record.grant(request, now);
            }
            record.holdUntil(now.plus(request.leaseTime()));
            return new Attempt.Granted(new FencingToken(record.token()), request.leaseTime());
        });
    }

    @Override
    public Renewal renew() {
        return directory.update(request.name(), (record, now) -> {
            if (!isOurs(record) || !record.isHeldAt(now)) {
                return new Renewal.Lost(LossCause.TAKEN_OVER);
            }
            record.holdUntil(now.plus(request.leaseTime()));
            return new Renewal.Held(request.leaseTime());
        });
    }

    @Override
    public Release release() {
        return directory.update(request.name(), (record, now) -> {
            if (!isOurs(record) || !record.isHeldAt(now)) {
                return Release.NOT_HELD;
            }
            record.holdUntil(Instant.EPOCH);
            return Release.RELEASED;
        });
    }

    private boolean isOurs(LockFileRecord record) {
        return record.claimId().equals(request.claimId());
    }
}
