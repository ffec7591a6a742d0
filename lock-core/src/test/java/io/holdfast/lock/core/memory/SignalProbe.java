package io.holdfast.lock.core.memory;

import io.holdfast.lock.LossCause;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import java.util.UUID;

/** A claim on the lock "L" that runs an action when it is signalled that the lock may be free. */
final class SignalProbe implements ClaimSignals {

    final Claim claim;
    private final Runnable whenFree;

    SignalProbe(MemoryStoreFixture store, Runnable whenFree) {
        this.whenFree = whenFree;
        this.claim = store.provider.newClaim(
                new ClaimRequest(
                        "L",
                        UUID.randomUUID().toString(),
                        "probe",
                        MemoryStoreFixture.LEASE,
                        ClaimRequest.Intent.WAIT,
                        new ClaimRequest.Claimant("host", 1, "probe")),
                this);
    }

    @Override
    public void mayBeFree() {
        whenFree.run();
    }

    @Override
    public void lost(LossCause cause) {
        throw new AssertionError("Not lost: " + cause);
    }
}
