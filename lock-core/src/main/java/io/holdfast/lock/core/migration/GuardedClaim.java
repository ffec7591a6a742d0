package io.holdfast.lock.core.migration;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A claim in one store, of a client in the first or the last phase. It counts only while clients in the other one can know that
 * this client is alive: they take no locks as long as that is so.
 */
final class GuardedClaim implements Claim {

    private final Stay stay;
    private final Claim claim;
    private final String name;
    private final Duration lease;

    /** What the stay was when the first attempt began that may have been granted. */
    private volatile @Nullable Object since;

    GuardedClaim(Stay stay, Claim claim, String name, Duration lease) {
        this.stay = stay;
        this.claim = claim;
        this.name = name;
        this.lease = lease;
    }

    Claim claim() {
        return claim;
    }

    /**
     * A grant that does not count is given back and asked for again, once: the end of a session may show only in the answer to
     * the first request after a pause. An exception leaves what was granted to the release that follows it.
     */
    @Override
    public Attempt attempt() {
        return attempted()
                .or(this::attempted)
                .orElseThrow(() -> new LockStoreException("acquire of lock '" + name
                        + "' failed: it was granted twice, and each time the store had meanwhile"
                        + " lost the lock by which clients in other phases know that this client is alive"));
    }

    /** Empty if the lock was granted, but the client was not known to be alive all the time; the lock is released then. */
    private Optional<Attempt> attempted() {
        Object known = stay.begin();
        if (since == null) {
            since = known;
        }
        Attempt answer = claim.attempt();
        if (!(answer instanceof Attempt.Granted granted)) {
            since = null;
            return Optional.of(answer);
        }
        if (!stay.isKnownFor(lease, since)) {
            Release unused = claim.release();
            since = null;
            return Optional.empty();
        }
        return Optional.of(
                stay.isFenced()
                        ? granted
                        : new Attempt.Granted(Optional.empty(), granted.validFor(), granted.storeTime()));
    }

    @Override
    public Renewal renew() {
        return checked(claim.renew());
    }

    /** What a renewal comes to. */
    Renewal checked(Renewal answer) {
        Object known = since;
        return answer instanceof Renewal.Held && (known == null || !stay.isKnownFor(lease, known))
                ? new Renewal.Lost(LossCause.TAKEN_OVER)
                : answer;
    }

    @Override
    public Release release() {
        return claim.release();
    }
}
