package io.holdfast.lock.tck;

import io.holdfast.lock.spi.LockProvider;
import java.time.Duration;
import java.util.List;

/** Chapter 8, loss, as far as the store signals it. */
interface LossRules extends Rules {

    /** How long a wrong signal may take to arrive from another thread of the provider. */
    Duration SIGNAL_WITHIN = Duration.ofMillis(100);

    @LockRule({"8.1", "8.5"})
    @Needs(hooks = Hook.REMOVER)
    default void rule85_theRemovalOfOneLockIsNoLossOfAnother() {
        LockProvider provider = kit().provider();
        List<DrivenClaim> holders = kit().holders(provider, kit().longLease(), 3);
        DrivenClaim removed = holders.get(1);
        kit().remove(removed.name());

        removed.mustBeLost("an operator has removed its record");
        Pace.pass(SIGNAL_WITHIN);
        for (DrivenClaim holder : List.of(holders.get(0), holders.get(2))) {
            holder.mustRenew("only the lock of another claim was removed");
        }
    }

    @LockRule({"8.1", "8.3"})
    default void rule83_aReleaseIsNoLossOfAnotherClaim() {
        LockProvider provider = kit().provider();
        List<DrivenClaim> holders = kit().holders(provider, kit().longLease(), 2);
        DrivenClaim waiter = kit().claim(provider, holders.get(0).name()).make();
        waiter.mustBeContended("the lock is held");
        waiter.release();
        holders.get(1).release();

        Pace.pass(SIGNAL_WITHIN);
        holders.get(0).mustRenew("only a waiting claim and the lock of another name were released");
        holders.get(1).mustNotHaveLost("it was released");
    }
}
