package io.holdfast.lock.tck;

import io.holdfast.lock.spi.LockProvider;
import java.time.Duration;
import java.util.List;

/** Chapter 8, loss, as far as the store sends word of it. */
interface LossRules extends Rules {

    /** What a false word may take on its way, from another thread of the provider. */
    Duration WORD_COMES_WITHIN = Duration.ofMillis(100);

    @LockRule({"8.1", "8.5"})
    @Needs(hooks = Hook.REMOVER)
    default void rule85_theRemovalOfOneLockIsNoLossOfAnother() {
        LockProvider provider = kit().provider();
        List<DrivenClaim> holders = kit().holders(provider, kit().longLease(), 3);
        DrivenClaim removed = holders.get(1);
        kit().remove(removed.name());

        removed.mustBeLost("an operator has removed its record");
        Pace.pass(WORD_COMES_WITHIN);
        for (DrivenClaim holder : List.of(holders.get(0), holders.get(2))) {
            holder.mustRenew("only the lock of another claim was removed");
        }
    }

    @LockRule({"8.1", "8.3"})
    default void rule83_aReleaseIsNoLossOfAnotherClaim() {
        LockProvider provider = kit().provider();
        List<DrivenClaim> holders = kit().holders(provider, kit().longLease(), 2);
        DrivenClaim bidder = kit().bid(provider, holders.get(0).name()).enter();
        bidder.mustBeContended("the lock is held");
        bidder.release();
        holders.get(1).release();

        Pace.pass(WORD_COMES_WITHIN);
        holders.get(0).mustRenew("only a bid and the lock of another name were given up");
        holders.get(1).mustNotHaveLost("it was released");
    }
}
