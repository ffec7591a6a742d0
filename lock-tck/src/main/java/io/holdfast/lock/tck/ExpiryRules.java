package io.holdfast.lock.tck;

import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Release;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;

/** Chapter 2, expiry, asked of the provider. */
interface ExpiryRules extends Rules {

    @LockRule("2.1")
    default void rule21_anUnrenewedClaimEndsWithItsLease() {
        String name = kit().newName();
        DrivenClaim holder = kit().claim(name).makeGranted();
        holder.abandon();

        kit().claim(name).make().takeOver(kit().longestLife(), "its holder has not renewed its lease");
        holder.mustBeLost("its lease has ended and another claim is in force");
    }

    /** A client may believe for ever that it holds what nobody has released. */
    @LockRule({"1.8", "2.1"})
    @Needs(Capability.LEASED_PER_CLAIM)
    default void rule21_aDeadClaimKeepsTheLockFromNoOtherOfItsClient() {
        LockProvider provider = kit().provider();
        DrivenClaim holder = kit().claim(provider, kit().newName()).makeGranted();
        holder.abandon();

        kit().claim(provider, holder.name())
                .lasting()
                .once()
                .make()
                .takeOver(kit().longestLife(), "a claim of its client has not renewed its lease");
    }

    @LockRule("2.1")
    default void rule21_anExpiredClaimIsNotShownAsTheHolder() {
        String name = kit().newName();
        LockProvider observer = kit().provider();
        DrivenClaim holder = kit().claim(name).makeGranted();
        holder.abandon();
        // Asked all the time: a question prolongs nothing.
        Assertions.assertTrue(
                Pace.within(kit().longestLife(), () -> observer.holder(name).isEmpty()),
                "the holder of a lock whose holder has died must be shown no more when its lease has ended");

        DrivenClaim next = kit().claim(name).lasting().make();
        kit().takingOver(next, "its holder's lease has ended");
        Assertions.assertEquals(
                Optional.of(next.ownerId()),
                observer.holder(name).map(LockHolder::owner),
                "the owner that is shown as the holder after one whose lease has ended");
    }

    @LockRule({"2.2", "5.1"})
    default void rule22_theLeaseOfAReleasedClaimEndsNoLaterClaim() {
        String name = kit().newName();
        LockProvider provider = kit().provider();
        DrivenClaim released = kit().claim(provider, name).makeGranted();
        released.release();
        DrivenClaim holder = kit().claim(provider, name).lasting().make();
        holder.takeOver(Duration.ZERO, "the holder before has released it");
        released.outlive(kit().longestLife().plus(Pace.SLACK));

        holder.mustRenew("only the lease of the claim before it has ended");
        kit().visitor(name).mustBeContended("nobody has released the lock");
    }

    @LockRule("2.2")
    @Needs(Capability.LEASED_PER_CLAIM)
    default void rule22_aClaimDoesNotEndBeforeItsLease() throws Exception {
        kit().conclusively(() -> {
            String name = kit().newName();
            DrivenClaim holder = kit().claim(name).makeGranted();
            return kit().endsNotBefore(
                            name,
                            holder.calledAt() + kit().lease().toNanos(),
                            "the holder's lease of " + kit().lease().toMillis() + " ms had not passed");
        });
    }

    @LockRule("2.5")
    default void rule25_validForEndsBeforeTheClaimDoes() throws Exception {
        kit().conclusively(() -> {
            String name = kit().newName();
            DrivenClaim holder = kit().claim(name).make();
            Duration granted = holder.mustBeGranted("nobody holds the lock").validFor();
            long grantEnds = holder.calledAt() + granted.toNanos();
            Duration renewed = holder.mustRenew("it holds the lock");
            long renewalEnds = holder.calledAt() + renewed.toNanos();
            Assertions.assertTrue(
                    granted.toNanos() > 0, "a grant that is valid for no time at all is none: " + granted);
            Assertions.assertTrue(renewed.toNanos() > 0, "a claim that is held for no time at all is lost: " + renewed);
            Takeover takeover =
                    kit().claim(name).make().takeOverAndLeave(kit().longestLife(), "the holder's lease has ended");
            return takeover.notBefore(grantEnds, kit().gap(), "the grant was valid until later")
                    && takeover.notBefore(renewalEnds, kit().gap(), "the renewal was valid until later");
        });
    }

    /** A store may grant the lock to a waiting claim before that attempts again. */
    @LockRule({"2.2", "2.5", "2.6"})
    default void rule25_aGrantAfterAWaitIsInForceForItsValidity() throws Exception {
        kit().conclusively(() -> {
            DrivenClaim before = kit().claim(kit().newName()).lasting().makeGranted();
            DrivenClaim holder = kit().claim(before.name()).make();
            int hints = holder.mustWait();
            before.mustRelease(Release.RELEASED, "it holds the lock");
            awaitHint(holder, hints);
            Duration granted = holder.mustBeGranted("it is the only waiter, and the holder before has left")
                    .validFor();
            long ends = holder.calledAt() + granted.toNanos();
            return kit().claim(before.name())
                    .make()
                    .takeOverAndLeave(kit().longestLife(), "the holder's lease has ended")
                    .notBefore(ends, kit().gap(), "the grant was valid until later");
        });
    }

    @LockRule({"1.3", "2.5"})
    default void rule25_aRepeatedGrantIsNotValidPastItsLease() throws Exception {
        LockProvider holding = kit().provider();
        kit().conclusively(() -> {
            String name = kit().newName();
            DrivenClaim holder = kit().claim(holding, name).makeGranted();
            long granted = holder.calledAt();
            Pace.pass(kit().lease().dividedBy(2));
            if (!(holder.attempt() instanceof Attempt.Granted again)) {
                Assertions.assertTrue(
                        Pace.now() - granted > kit().lease().toNanos(), "the store has this very claim as granted");
                return false;
            }
            long promised = holder.calledAt() + again.validFor().toNanos();
            return kit().endsNotBefore(name, promised, "the second grant of the same claim was valid until later");
        });
    }

    @LockRule("2.5")
    @Needs(Capability.LEASED_PER_CLAIM)
    default void rule25_validForIsNeverLongerThanTheLease() {
        DrivenClaim holder = kit().claim(kit().newName()).make();
        Duration granted = holder.mustBeGranted("nobody holds the lock").validFor();
        Duration renewed = holder.mustRenew("it holds the lock");

        String because = "validFor counts from before the call, so it cannot be longer than the lease of "
                + kit().lease().toMillis() + " ms";
        Assertions.assertTrue(granted.compareTo(kit().lease()) <= 0, () -> because + ", but the grant's is " + granted);
        Assertions.assertTrue(
                renewed.compareTo(kit().lease()) <= 0, () -> because + ", but the renewal's is " + renewed);
    }

    /** Some of the calls wait, for a connection or for each other: that lengthens no lease. */
    @LockRule({"2.5", "9.1"})
    @Needs(Capability.LEASED_PER_CLAIM)
    default void rule25_noneOfManyGrantsAtOnceIsValidForLongerThanItsLease() {
        LockProvider provider = kit().provider();
        List<DrivenClaim> claims = Stream.generate(() -> kit().visitor(provider, kit().newName()))
                .limit(FaultRules.MANY_ATTEMPTS)
                .toList();
        List<Call<Duration>> grants = claims.stream()
                .map(claim -> Call.start(
                        () -> claim.mustBeGranted("nobody holds the lock").validFor()))
                .toList();
        for (Call<Duration> grant : grants) {
            Duration granted = grant.result();
            Assertions.assertTrue(
                    granted.compareTo(kit().lease()) <= 0,
                    () ->
                            "validFor counts from before the call, however long that waits, so it cannot be longer than the lease of "
                                    + kit().lease().toMillis() + " ms; but a grant's was " + granted);
        }
        claims.forEach(DrivenClaim::release);
    }

    @LockRule("2.7")
    @Needs(Capability.LEASED_PER_CLAIM)
    default void rule27_theShortestLeaseEndsAndTheLongestIsHonouredOrRefused() {
        String brief = kit().newName();
        Optional<DrivenClaim> granted = kit().unlessRefused(() -> {
            DrivenClaim holder =
                    kit().claim(brief).leasing(LockOptions.MIN_LEASE).make();
            holder.attempt();
            return holder;
        });
        granted.ifPresent(holder -> kit().claim(brief)
                .make()
                .takeOver(
                        holder.lease().plus(kit().harness().expiryTolerance()),
                        "a lease of a millisecond is over, and no lease is without end"));

        String endless = kit().newName();
        kit().unlessRefused(() -> {
                    DrivenClaim holder =
                            kit().claim(endless).leasing(LockOptions.MAX_LEASE).make();
                    Duration validFor =
                            holder.mustBeGranted("nobody holds the lock").validFor();
                    Assertions.assertTrue(validFor.compareTo(kit().longLease()) > 0, validFor::toString);
                    return holder;
                })
                .ifPresent(holder -> {
                    kit().visitor(endless).mustBeContended("a lease of a year has not ended");
                    holder.mustRelease(Release.RELEASED, "a lease of a year has not ended");
                });
    }
}
