package io.holdfast.lock.core.lease;

import io.holdfast.lock.LockException;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.core.claim.StoreCalls;
import io.holdfast.lock.core.runtime.EngineRuntime;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Renewal;
import java.util.ArrayList;
import java.util.List;

/** Some leases that are renewed by one call of the provider. */
public final class RenewalBatch implements Runnable {

    private final LockProvider provider;
    private final StoreCalls storeCalls;
    private final LeaseKeeper keeper;
    private final EngineRuntime runtime;
    private final List<Lease> leases;

    /** Creates a batch. */
    public RenewalBatch(
            LockProvider provider,
            StoreCalls storeCalls,
            LeaseKeeper keeper,
            EngineRuntime runtime,
            List<Lease> leases) {
        this.provider = provider;
        this.storeCalls = storeCalls;
        this.keeper = keeper;
        this.runtime = runtime;
        this.leases = leases;
    }

    @Override
    public void run() {
        List<Lease> reserved = new ArrayList<>(leases.size());
        try {
            leases.forEach(lease -> reserve(lease, reserved));
            List<Lease> held = reserved.stream()
                    .filter(lease -> lease.isHeldAt(runtime.now()))
                    .toList();
            if (!held.isEmpty()) {
                renew(held);
            }
        } finally {
            reserved.forEach(lease -> lease.claim().unlock());
        }
    }

    /** A lease whose claim is in use comes again: waiting for that call would delay the others. */
    private void reserve(Lease lease, List<Lease> reserved) {
        if (lease.claim().tryLock()) {
            reserved.add(lease);
        } else {
            keeper.retrySoon(lease);
        }
    }

    private void renew(List<Lease> held) {
        long sentAt = runtime.now();
        try {
            List<Claim> claims =
                    held.stream().map(lease -> lease.claim().unguarded()).toList();
            List<Renewal> answers =
                    storeCalls.run("renew", lockNames(held), () -> List.copyOf(provider.renewAll(claims)));
            if (answers.size() != held.size()) {
                throw new LockStoreException(
                        "The provider answered " + held.size() + " renewals with " + answers.size() + " results");
            }
            for (int i = 0; i < held.size(); i++) {
                answered(held.get(i), answers.get(i), sentAt);
            }
        } catch (LockException unknown) {
            held.forEach(lease -> lease.renewalFailed(unknown));
        }
    }

    private static void answered(Lease lease, Renewal answer, long sentAt) {
        try {
            lease.renewalAnswered(answer, sentAt);
        } catch (LockException unknown) {
            lease.renewalFailed(unknown);
        }
    }

    private static String lockNames(List<Lease> held) {
        String first = held.get(0).claim().lockName();
        return held.size() == 1 ? first : first + " (and " + (held.size() - 1) + " more)";
    }
}
