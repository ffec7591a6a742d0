package io.holdfast.lock.tck;

import io.holdfast.lock.LockHolder;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Assertions;

/** What a client or a claim remembers is out of date: the store knows better, and its answer counts. */
interface OwnMemoryRules extends Rules {

    @LockRule({"1.8", "3.2", "5.1"})
    @Needs(hooks = Hook.REMOVER)
    default void rule18_aClaimThatWasRemovedAsksTheStoreInEachCall() {
        String name = kit().newName();
        LockProvider provider = kit().provider();
        LockProvider other = kit().provider();
        String because = "an operator has removed it, and another client holds the lock";
        for (FirstCall order : FirstCall.values()) {
            DrivenClaim removed = kit().claim(provider, name).lasting().makeGranted();
            kit().remove(name);
            Assertions.assertEquals(Optional.empty(), provider.holder(name), "the holder of a lock that was removed");
            DrivenClaim holder = kit().claim(other, name).lasting().makeGranted();
            Assertions.assertEquals(
                    Optional.of(holder.ownerId()),
                    provider.holder(name).map(LockHolder::owner),
                    "the holder that is shown to the client whose claim was removed");
            switch (order) {
                case RENEWAL_FIRST -> {
                    removed.mustBeLost(because);
                    removed.mustBeContended(because);
                }
                case ATTEMPT_FIRST -> {
                    removed.mustBeContended(because);
                    removed.mustBeLost(because);
                }
                default -> {
                    // The release is the first to ask.
                }
            }
            removed.mustRelease(Release.NOT_HELD, because);
            kit().visitor(provider, name).mustBeContended("only a claim that was removed has been released");
            holder.mustRenew("only a claim that was removed before has renewed, attempted and released");
            holder.mustRelease(Release.RELEASED, "it holds the lock");
        }
    }

    @LockRule({"1.1", "1.3", "1.8"})
    @Needs(hooks = Hook.REMOVER)
    default void rule18_anAttemptRepeatedAfterARemovalIsARealGrant() {
        String name = kit().newName();
        LockProvider provider = kit().provider();
        DrivenClaim claim = kit().claim(provider, name).lasting().makeGranted();
        kit().remove(name);

        if (claim.attempt() instanceof Attempt.Granted) {
            kit().visitor(name).mustBeContended("a claim that was removed was then granted the lock again");
            Assertions.assertInstanceOf(
                    Renewal.Held.class,
                    claim.renew(),
                    "the renewal of a claim that was removed, and then granted again");
            claim.mustRelease(Release.RELEASED, "it was removed, and then granted the lock again");
        } else {
            claim.release();
        }
        kit().visitor(name).mustBeGranted("its last holder has released it");
    }

    @LockRule("1.8")
    @Needs(hooks = Hook.REMOVER)
    default void rule18_aWaiterThatKnowsOfALongLeaseFindsTheLockFreeAfterItsRemoval() {
        String name = kit().newName();
        kit().claim(name).lasting().makeGranted();
        DrivenClaim waiter = kit().claim(name).lasting().make();
        waiter.mustBeContended("the lock is held");
        waiter.mustBeContended("the lock is held");
        kit().remove(name);

        waiter.takeOver(Duration.ZERO, "an operator has freed the lock, though its lease is not over");
    }

    @LockRule({"1.8", "3.1"})
    @Needs(Capability.LEASED_PER_CLAIM)
    default void rule18_aClaimWhoseCopyWasRenewedIsInForceThoughItsOwnLeaseIsOver() throws Exception {
        LockProvider provider = kit().provider();
        kit().conclusively(() -> {
            DrivenClaim renewing = kit().claim(provider, kit().newName()).make();
            DrivenClaim releasing = kit().claim(provider, kit().newName()).make();
            for (DrivenClaim claim : new DrivenClaim[] {renewing, releasing}) {
                claim.mustBeGranted("nobody holds the lock");
            }
            DrivenClaim[] copies = {renewing.copy(), releasing.copy()};
            long[] granted = {renewing.calledAt(), releasing.calledAt()};
            long last = Pace.now();
            for (DrivenClaim copy : copies) {
                copy.attempt();
            }
            while (Pace.since(granted[1]).compareTo(kit().longestLife()) < 0) {
                Pace.pass(kit().lease().dividedBy(8));
                long now = Pace.now();
                if (now - last > kit().lease().dividedBy(2).toNanos()) {
                    return false;
                }
                last = now;
                for (DrivenClaim copy : copies) {
                    copy.mustRenew("it is in force");
                }
            }
            Renewal renewal = renewing.renew();
            Release release = releasing.release();
            if (Pace.now() - last > kit().lease().dividedBy(2).toNanos()) {
                return false;
            }
            String because = "the lease of the claim was prolonged by a renewal that a copy of it has sent";
            Assertions.assertInstanceOf(Renewal.Held.class, renewal, "the renewal must be held, because " + because);
            Assertions.assertEquals(Release.RELEASED, release, "the release must be RELEASED, because " + because);
            kit().visitor(releasing.name()).mustBeGranted("the only claim has released it");
            renewing.mustRelease(Release.RELEASED, "it holds the lock");
            return true;
        });
    }

    @LockRule({"1.8", "2.1", "3.1"})
    @Needs(Capability.LEASED_PER_CLAIM)
    default void rule18_aClaimThatWasLostAndIsGrantedAnewIsInForce() throws Exception {
        LockProvider holding = kit().provider();
        kit().conclusively(() -> {
            DrivenClaim claim = kit().claim(holding, kit().newName()).makeGranted();
            claim.outlive(kit().longestLife().plus(Pace.SLACK));
            claim.mustBeLost("its lease has ended");
            claim.mustBeGranted("nobody holds the lock");
            long granted = claim.calledAt();
            Renewal renewal = claim.renew();
            Release release = claim.release();
            if (Pace.since(granted).compareTo(kit().lease()) > 0) {
                return false;
            }
            Assertions.assertInstanceOf(
                    Renewal.Held.class, renewal, "the renewal of a claim that was lost before, and was granted anew");
            Assertions.assertEquals(
                    Release.RELEASED, release, "the release of a claim that was lost before, and was granted anew");
            return true;
        });
    }

    @LockRule({"1.8", "2.2", "3.1"})
    @Needs(Capability.LEASED_PER_CLAIM)
    default void rule18_aWaiterDoesNotCountTheLeaseThatItSawFirst() throws Exception {
        LockProvider holding = kit().provider();
        kit().conclusively(() -> {
            String name = kit().newName();
            DrivenClaim holder = kit().claim(holding, name).makeGranted();
            DrivenClaim waiter = kit().claim(name).make();
            waiter.attempt();
            Pace.pass(kit().lease().dividedBy(2));
            if (!(holder.renew() instanceof Renewal.Held)) {
                // Too late for its own lease. Another rule asks for the answer to a renewal in time.
                return false;
            }
            return kit().endsNotBefore(
                            waiter,
                            kit().longestLife(),
                            holder.calledAt() + kit().lease().toNanos(),
                            "the holder had renewed its lease after the waiter's first attempt");
        });
    }

    /** It has seen the lock held for a whole lease, but not by one claim. */
    @LockRule({"1.1", "1.8", "2.2"})
    @Needs(Capability.LEASED_PER_CLAIM)
    default void rule22_aClientDoesNotCountTheTimeOfTheHolderBefore() throws Exception {
        kit().conclusively(() -> {
            LockProvider observer = kit().provider();
            String name = kit().newName();
            DrivenClaim before = kit().claim(name).makeGranted();
            kit().visitor(observer, name).attempt();
            Pace.pass(kit().lease().dividedBy(2));
            before.release();
            DrivenClaim holder = kit().claim(name).makeGranted();
            return kit().endsNotBefore(
                            kit().visitor(observer, name),
                            kit().longestLife(),
                            holder.calledAt() + kit().lease().toNanos(),
                            "it was granted when the client had seen it held by the claim before");
        });
    }
}
