package io.holdfast.lock.tck;

import io.holdfast.lock.LossCause;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;

/** Chapter 8, loss, as far as the store signals it. */
interface LossRules extends Rules {

    /** How long a wrong signal may take to arrive from another thread of the provider. */
    Duration SIGNAL_WITHIN = Duration.ofMillis(100);

    /** A lease may also be found to have ended by somebody else's call. */
    int OWNERS = 4;

    /** How often a claim is renewed within a lease. */
    int LOOKS = 5;

    @LockRule({"8.1", "8.5"})
    @Needs(hooks = Hook.REMOVER)
    default void rule85_theRemovalOfOneLockIsNoLossOfAnother() {
        LockProvider provider = kit().provider();
        List<DrivenClaim> holders = kit().holders(provider, kit().longLease(), 3);
        DrivenClaim removed = holders.get(1);
        kit().remove(removed.name());

        Renewal.Lost lost = removed.mustBeLost("an operator has removed its record");
        Assertions.assertNotEquals(
                LossCause.EXPIRED,
                lost.cause(),
                "the cause of a loss by an operator, long before the end of the lease");
        Pace.pass(SIGNAL_WITHIN);
        for (DrivenClaim holder : List.of(holders.get(0), holders.get(2))) {
            holder.mustRenew("only the lock of another claim was removed");
        }
    }

    @LockRule("8.5")
    @Needs(hooks = Hook.REMOVER)
    default void rule85_aBatchTellsOfALossInItsNextAnswer() {
        LockProvider provider = kit().provider();
        DrivenClaim holder = kit().claim(provider, kit().newName()).lasting().makeGranted();
        // Alone, as a provider may renew one claim at a time.
        List<Claim> batch = List.of(holder.claim());
        for (int time = 0; time < 2; time++) {
            Assertions.assertInstanceOf(
                    Renewal.Held.class, provider.renewAll(batch).get(0), "the renewal of a claim in force");
        }
        kit().remove(holder.name());

        Assertions.assertInstanceOf(
                Renewal.Lost.class,
                provider.renewAll(batch).get(0),
                "the renewal of a claim whose record was removed before");
    }

    @LockRule({"4.5", "8.1"})
    @Needs(Capability.LEASED_PER_CLAIM)
    default void rule81_theEndOfALeaseIsNoLossOfTheNextClaimOfItsOwner() {
        Crowd.together(Stream.generate(() -> (Pace.Body) () -> {
                    DrivenClaim late = kit().claim(kit().newName()).owned().makeGranted();
                    late.abandon();
                    DrivenClaim next =
                            kit().claim(late.name()).byOwnerOf(late).lasting().make();
                    late.outlive(kit().longestLife());
                    next.takeOver(Pace.SLACK, "its owner's lease has ended");
                    Pace.pass(SIGNAL_WITHIN);
                    next.mustRenew("only an earlier claim of the same owner has ended");
                    next.mustRelease(Release.RELEASED, "it holds the lock");
                })
                .limit(OWNERS));
    }

    @LockRule("8.1")
    @Needs(Capability.LEASED_PER_CLAIM)
    default void rule81_theEndOfALeaseIsNoLossOfTheNextGrantOfItsClaim() {
        LockProvider observer = kit().provider();
        Crowd.together(Stream.generate(() -> (Pace.Body) () -> {
                    DrivenClaim holder = kit().claim(kit().newName()).makeGranted();
                    // A store may signal the loss until the claim attempts again, so the claim does that at once.
                    kit().premise(
                                    kit().longestLife().plus(Pace.SLACK),
                                    () -> observer.holder(holder.name()).isEmpty(),
                                    "a lock is shown as free after its lease");
                    holder.takeOver(Pace.SLACK, "its lease has ended, and nobody else wants the lock");
                    for (int time = 0; time < LOOKS; time++) {
                        Pace.pass(kit().lease().dividedBy(LOOKS));
                        holder.mustRenew("it was granted again; only its earlier grant has ended");
                    }
                    holder.mustRelease(Release.RELEASED, "it holds the lock");
                })
                .limit(OWNERS));
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
