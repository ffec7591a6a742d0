package io.holdfast.lock.tck;

import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimRequest.Claimant;
import io.holdfast.lock.spi.ClaimRequest.Intent;
import io.holdfast.lock.spi.LockProvider;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a claim will ask for. Immutable.
 *
 * @param owner null if no other claim has this owner: then the claim's id stands for it, as in the engine
 */
record ClaimSpec(
        OpenClaims open,
        LockProvider provider,
        String name,
        @Nullable String owner,
        Duration lease,
        Intent intent,
        Claimant claimant) {

    /** Applications name their threads: at any length, and with characters that a store may use as separators. */
    static final Claimant CLAIMANT = new Claimant(
            "tck-host", 4711, "tck-thread \"1\" of 'O\u00EF\uD83D\uDD12', {2}|[3]:/\\,;%s\n" + "x".repeat(300));

    ClaimSpec by(String owner) {
        return new ClaimSpec(open, provider, name, owner, lease, intent, claimant);
    }

    /** By an owner whom other claims may share. */
    ClaimSpec owned() {
        return by(UUID.randomUUID().toString());
    }

    /** By the owner of another claim, which was made {@link #owned} or {@link #by} somebody. */
    ClaimSpec byOwnerOf(DrivenClaim other) {
        return by(other.sharedOwnerId());
    }

    ClaimSpec leasing(Duration time) {
        return new ClaimSpec(open, provider, name, owner, time, intent, claimant);
    }

    /** With a lease that does not end during the test. */
    ClaimSpec lasting() {
        return leasing(open.longLease());
    }

    /**
     * With a lease that does not end while a store is started again, either. The rule is skipped for a provider that refuses such
     * a lease, as rule 2.7 allows.
     */
    ClaimSpec outlastingFaults() {
        ClaimSpec spec = leasing(open.veryLongLease());
        DrivenClaim unused = OpenClaims.skippingIfRefused(spec::make);
        return spec;
    }

    /** Attempts once, and does not wait. */
    ClaimSpec once() {
        return new ClaimSpec(open, provider, name, owner, lease, Intent.TRY_ONCE, claimant);
    }

    ClaimSpec from(Claimant process) {
        return new ClaimSpec(open, provider, name, owner, lease, intent, process);
    }

    /** Makes the claim. The store sees it at the first attempt. */
    DrivenClaim make() {
        return make(UUID.randomUUID().toString());
    }

    /** Makes the claim under an id. */
    DrivenClaim make(String claimId) {
        String ownerId = owner == null ? claimId : owner;
        return new DrivenClaim(open, provider, new ClaimRequest(name, claimId, ownerId, lease, intent, claimant));
    }

    /** Makes the claim and has it granted. */
    DrivenClaim makeGranted() {
        DrivenClaim claim = make();
        claim.mustBeGranted("nobody holds the lock");
        return claim;
    }
}
