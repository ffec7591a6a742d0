package io.holdfast.lock.tck;

import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimRequest.Claimant;
import io.holdfast.lock.spi.ClaimRequest.Intent;
import io.holdfast.lock.spi.LockProvider;
import java.time.Duration;
import java.util.UUID;

/** What a contender is going to ask for. Immutable. */
record Bid(Kit kit, LockProvider provider, String name, String ownerId, Duration lease, Intent intent) {

    /** Threads are named by applications: at any length, and with whatever a store may take for its own separators. */
    private static final Claimant CLAIMANT = new Claimant(
            "tck-host", 4711, "tck-thread \"1\" of 'O\u00EF\uD83D\uDD12', {2}|[3]:/\\,;%s\n" + "x".repeat(300));

    Bid by(String owner) {
        return new Bid(kit, provider, name, owner, lease, intent);
    }

    Bid leasing(Duration time) {
        return new Bid(kit, provider, name, ownerId, time, intent);
    }

    Bid once() {
        return new Bid(kit, provider, name, ownerId, lease, Intent.TRY_ONCE);
    }

    /** Makes the claim; the store hears of it at the first attempt. */
    Contender enter() {
        return enter(UUID.randomUUID().toString());
    }

    /** Makes the claim under an id. */
    Contender enter(String claimId) {
        return new Contender(kit, provider, new ClaimRequest(name, claimId, ownerId, lease, intent, CLAIMANT));
    }

    /** Makes the claim and has it granted. */
    Contender get() {
        Contender contender = enter();
        contender.mustBeGranted("nobody holds the lock");
        return contender;
    }
}
