package io.holdfast.lock.jdbc.jpa;

import io.holdfast.lock.jdbc.table.LockKey;
import io.holdfast.lock.spi.ClaimRequest;
import jakarta.persistence.Cacheable;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.ExcludeDefaultListeners;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import jakarta.persistence.Version;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The row of a lock that is held, or whose holder died. The shipped scripts create its table.
 *
 * <p>An application names this class in its persistence unit and does nothing else with it. It is kept out of the
 * second-level cache and away from the unit's entity listeners.
 */
@Entity(name = LockRecord.ENTITY)
@Table(name = "holdfast_lock")
@Cacheable(false)
@ExcludeDefaultListeners
class LockRecord {

    /** The name in queries; an entity of the application may have the name of the class. */
    static final String ENTITY = "HoldfastLockRecord";

    private static final int TEXT = 4_000;
    private static final int SHORT_TEXT = 64;

    @Id
    @Column(name = "name_hash", length = SHORT_TEXT)
    private String nameHash = "";

    @Column(name = "name", nullable = false, length = TEXT)
    private String name = "";

    @Column(name = "claim_id", nullable = false, length = SHORT_TEXT)
    private String claimId = "";

    @Column(name = "token", nullable = false)
    private long token;

    @Version
    @Column(name = "version", nullable = false)
    private @Nullable Long version;

    @Column(name = "owner_id", nullable = false, length = TEXT)
    private String ownerId = "";

    @Column(name = "host", nullable = false, length = TEXT)
    private String host = "";

    @Column(name = "pid", nullable = false)
    private long pid;

    @Column(name = "thread", nullable = false, length = TEXT)
    private String thread = "";

    @Column(name = "acquired_at", nullable = false)
    private Instant acquiredAt = Instant.EPOCH;

    @Column(name = "expires_at", nullable = false)
    private Instant expiresAt = Instant.EPOCH;

    /** For the persistence provider. */
    protected LockRecord() {}

    long token() {
        return token;
    }

    boolean isOf(ClaimRequest request) {
        return claimId.equals(request.claimId());
    }

    boolean inForceAt(Instant now) {
        return expiresAt.isAfter(now);
    }

    Duration remainingAt(Instant now) {
        return Duration.between(now, expiresAt);
    }

    /** Grants the lock to a claim, which did not have it. The persistence provider sets the version. */
    void grant(ClaimRequest request, long newToken, Instant now) {
        this.name = LockKey.legible(request.name());
        this.claimId = request.claimId();
        this.token = newToken;
        this.ownerId = LockKey.legible(request.ownerId());
        this.host = LockKey.legible(request.claimant().host());
        this.pid = request.claimant().pid();
        this.thread = LockKey.legible(request.claimant().thread());
        this.acquiredAt = now;
        prolong(request.leaseTime(), now);
    }

    /** Lets a lease begin. The grant stays the same. */
    void prolong(Duration leaseTime, Instant now) {
        this.expiresAt = now.plus(leaseTime);
    }

    @Override
    public String toString() {
        return "LockRecord[" + name + ", version=" + version + "]";
    }
}
