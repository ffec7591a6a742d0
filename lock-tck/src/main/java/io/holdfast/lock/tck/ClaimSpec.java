package io.holdfast.lock.tck;

import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimRequest.Claimant;
import io.holdfast.lock.spi.ClaimRequest.Intent;
import io.holdfast.lock.spi.LockProvider;
import java.time.Duration;
import java.util.UUID;

/** What a contender is going to ask for. Immutable. */
record ClaimSpec(Kit kit, LockProvider provider, String name, String ownerId, Duration lease, Intent intent) {

    /** Threads are named by applications: at any length, and with whatever a store may take for its own separators. */
    private static final Claimant CLAIMANT = new Claimant(
            "tck-host", 4711, "tck-thread \"1\" of 'O\u00EF\uD83D\uDD12', {2}|[3]:/\\,;%s\n" + "x".repeat(300));

    ClaimSpec by(String owner) {
        return new ClaimSpec(kit, provider, name, owner, lease, intent);
    }

    ClaimSpec leasing(Duration time) {
        return new ClaimSpec(kit, provider, name, ownerId, time, intent);
    }

    ClaimSpec once() {
        return new ClaimSpec(kit, provider, name, ownerId, lease, Intent.TRY_ONCE);
    }

    /** Makes the claim; the store hears of it at the first attempt. */
    DrivenClaim enter() {
        return enter(UUID.randomUUID().toString());
    }

    /** Makes the claim under an id. */
    DrivenClaim enter(String claimId) {
        return new DrivenClaim(kit, provider, new ClaimRequest(name, claimId, ownerId, lease, intent, CLAIMANT));
    }

    /** Makes the claim and has it granted. */
    DrivenClaim get() {
        DrivenClaim contender = enter();
        contender.mustBeGranted("nobody holds the lock");
        return contender;
    }
}
