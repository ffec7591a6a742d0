package io.holdfast.lock.core;

import io.holdfast.lock.LockException;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Renewal;
import java.util.ArrayList;
import java.util.List;

/** Some holds that are renewed in one call of the provider. */
final class RenewalBatch implements Runnable {

    private final LockProvider provider;
    private final StoreCalls storeCalls;
    private final LeaseKeeper keeper;
    private final Ticker ticker;
    private final List<Hold> holds;

    RenewalBatch(LockProvider provider, StoreCalls storeCalls, LeaseKeeper keeper, Ticker ticker, List<Hold> holds) {
        this.provider = provider;
        this.storeCalls = storeCalls;
        this.keeper = keeper;
        this.ticker = ticker;
        this.holds = holds;
    }

    @Override
    public void run() {
        List<Hold> begun = new ArrayList<>(holds.size());
        try {
            begin(begun);
            renew(begun);
        } finally {
            begun.forEach(hold -> hold.claim().endTurn());
        }
    }

    /** A hold whose claim is being called by somebody else comes again: waiting for it would delay the others. */
    private void begin(List<Hold> begun) {
        for (Hold hold : holds) {
            if (!hold.claim().tryBeginTurn()) {
                keeper.retrySoon(hold);
                continue;
            }
            begun.add(hold);
            if (!hold.isInForce()) {
                begun.remove(hold);
                hold.claim().endTurn();
            }
        }
    }

    private void renew(List<Hold> begun) {
        if (begun.isEmpty()) {
            return;
        }
        long sentAt = ticker.nanos();
        try {
            List<Claim> claims =
                    begun.stream().map(hold -> hold.claim().unguarded()).toList();
            List<Renewal> renewals =
                    storeCalls.run("renew", lockNames(begun), () -> List.copyOf(provider.renewAll(claims)));
            if (renewals.size() != begun.size()) {
                throw new LockStoreException(
                        "The provider answered " + begun.size() + " renewals with " + renewals.size() + " results");
            }
            for (int i = 0; i < begun.size(); i++) {
                begun.get(i).renewal().answered(renewals.get(i), sentAt);
            }
        } catch (LockException unknown) {
            begun.forEach(hold -> hold.renewal().failed(unknown));
        } catch (RuntimeException | Error broken) {
            // Out of memory, say: the holds stay in the timetable, and the thread's handler hears of it.
            begun.forEach(hold -> hold.renewal().failed(new LockStoreException("A renewal broke off", broken)));
            throw broken;
        }
    }

    private static String lockNames(List<Hold> begun) {
        String first = begun.get(0).key().lockName();
        return begun.size() == 1 ? first : first + " (and " + (begun.size() - 1) + " more)";
    }
}
