package io.holdfast.lock.tck;

import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.tck.faults.Fault;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;

/** What an outage leaves as it was: leases, releases and places; and how calls fail meanwhile. */
interface OutageRules extends Rules {

    @LockRule({"2.1", "9.5"})
    @Needs(value = Capability.LEASED_PER_CLAIM, hooks = Hook.OUTAGE)
    default void rule21_anOutageProlongsNoLease() throws Exception {
        Fault outage = Trouble.outage(kit());
        LockProvider third = Trouble.connected(kit());
        Duration lease = kit().lease().multipliedBy(4);
        DrivenClaim holder = kit().claim(kit().newName()).leasing(lease).makeGranted();
        DrivenClaim next = kit().claim(third, holder.name()).lasting().make();
        Pace.pass(lease.multipliedBy(3).dividedBy(4));
        Trouble.during(outage, () -> Trouble.mustFail(next::attempt));
        Trouble.answered("an attempt after an outage", next::attempt);

        // What is left of the lease is less with each repetition.
        Trouble.answered(
                "an attempt after an outage",
                () -> next.takeOver(
                        lease.plus(kit().harness().expiryTolerance()).minus(Pace.since(holder.calledAt())),
                        "the lease of its holder, which began before an outage, has ended"));
        Trouble.answered("a release after an outage", next::release);
    }

    @LockRule({"5.6", "9.5"})
    @Needs(hooks = Hook.OUTAGE)
    default void rule56_anAttemptOfAnOutageIsNotCarriedOutAfterItsRelease() throws Exception {
        Fault outage = Trouble.outage(kit());
        LockProvider provider = Trouble.connected(kit());
        LockProvider third = Trouble.connected(kit());
        DrivenClaim claim = kit().claim(provider, kit().newName()).lasting().make();
        Trouble.during(outage, () -> Trouble.mustFail(claim::attempt));
        Release unused = Trouble.answered("a release after an outage", claim::release);
        // What the provider may have kept would be sent with this.
        Trouble.answered("a question after an outage", () -> provider.holder(claim.name()));

        DrivenClaim next = kit().claim(third, claim.name()).lasting().make();
        Trouble.answered("an attempt after an outage", next::attempt);
        Trouble.answered(
                "an attempt after an outage",
                () -> next.mustBeGranted("the claim whose attempt failed in an outage was released after it"));
    }

    @LockRule({"5.1", "5.6"})
    @Needs(value = Capability.LEASED_PER_CLAIM, hooks = Hook.OUTAGE)
    default void rule51_theReleaseOfAnAttemptThatFailedInAnOutageFreesNoOtherClaim() throws Exception {
        Fault outage = Trouble.outage(kit());
        LockProvider third = Trouble.connected(kit());
        DrivenClaim holder = kit().claim(kit().newName()).outlastingFaults().makeGranted();
        DrivenClaim rival =
                kit().claim(Trouble.connected(kit()), holder.name()).lasting().make();
        Trouble.during(outage, () -> Trouble.mustFail(rival::attempt));
        Release unused = Trouble.answered("a release after an outage", rival::release);

        String because = "another claim, whose attempt failed in an outage, was released after it";
        Trouble.carriedOut("a renewal after an outage", () -> holder.mustRenew(because));
        Trouble.carriedOut(
                "an attempt after an outage",
                () -> kit().visitor(third, holder.name()).mustBeContended(because));
    }

    /** Calls that are under way at the same time, where one after the other would take so many times longer. */
    int AT_A_TIME = 5;

    @LockRule("9.5")
    @Needs(hooks = Hook.OUTAGE)
    default void rule95_manyCallsOfAnOutageFailAsSoonAsOne() throws Exception {
        Fault outage = Trouble.outage(kit());
        LockProvider provider = Trouble.connected(kit());
        List<DrivenClaim> claims = Stream.generate(() -> kit().visitor(provider, kit().newName()))
                .limit(AT_A_TIME)
                .toList();
        Trouble.during(outage, () -> {
            Trouble.mustFail(claims.get(0)::attempt);
            // The connection was broken a moment ago; now there is none, and none can be made.
            Pace.pass(kit().lease());
            boolean asSoonAsOne = failAsSoonAsOne(claims);
            if (!asSoonAsOne) {
                // A client may wait for longer, the longer the outage lasts.
                asSoonAsOne = failAsSoonAsOne(claims);
            }
            Assertions.assertTrue(
                    asSoonAsOne,
                    () -> "during an outage " + AT_A_TIME + " calls at the same time must fail as soon as one does,"
                            + " and not one after the other");
        });
    }

    private static boolean failAsSoonAsOne(List<DrivenClaim> claims) {
        Duration alone = failing(claims.subList(0, 1));
        Pace.Limit limit = new Pace.Limit(alone.multipliedBy(AT_A_TIME / 2).plus(Pace.WOKEN_WITHIN));
        Duration unused = failing(claims);
        return !limit.isOver();
    }

    /** Has an attempt of each claim fail, all at the same time. Returns how long that took. */
    private static Duration failing(List<DrivenClaim> claims) {
        long start = Pace.now();
        Crowd.together(claims.stream().map(claim -> () -> Trouble.mustFail(claim::attempt)));
        return Pace.since(start);
    }

    @LockRule({"7.5", "9.5"})
    @Needs(
            value = {Capability.ORDERED, Capability.LEASED_PER_CLAIM},
            hooks = Hook.OUTAGE)
    default void rule75_anOutageKeepsTheOrderOfTheLine() throws Exception {
        kit().reliesOnPace();
        Fault outage = Trouble.outage(kit());
        DrivenClaim holder = kit().claim(kit().newName()).lasting().makeGranted();
        List<DrivenClaim> line = Stream.generate(
                        () -> kit().claim(holder.name()).lasting().make())
                .limit(3)
                .toList();
        line.forEach(claim -> claim.mustBeContended("the lock is held"));
        Trouble.during(outage, () -> Trouble.mustFail(line.get(0)::attempt));
        for (DrivenClaim claim : line) {
            Trouble.answered("an attempt after an outage", claim::attempt);
        }
        Reservation reservation = kit().reservation();
        Release unused = Trouble.answered("a release after an outage", holder::release);

        reservation.asks(() -> line.get(2).mustBeContended("two claims have waited for longer"));
        reservation.asks(() -> line.get(0).mustBeGranted("it has waited for the longest time, since before an outage"));
    }

    @LockRule({"1.8", "3.3", "9.5"})
    @Needs(value = Capability.LEASED_PER_CLAIM, hooks = Hook.OUTAGE)
    default void rule33_renewalsThatFailInAnOutageAreNoLosses() throws Exception {
        Fault outage = Trouble.outage(kit());
        LockProvider provider = Trouble.connected(kit());
        List<DrivenClaim> holders = Trouble.holders(kit(), provider, 3);
        Trouble.during(outage, () -> {
            Trouble.mustFail(holders.get(0)::renew);
            Trouble.mustAllFail(() -> kit().renewAll(provider, holders));
        });
        for (DrivenClaim holder : holders) {
            Trouble.answered(
                    "a renewal after an outage",
                    () -> holder.mustRenew("only renewals have failed, and its lease has not ended"));
        }
    }

    @LockRule({"1.5", "5.4", "9.5"})
    @Needs(
            value = {Capability.ORDERED, Capability.LEASED_PER_CLAIM},
            hooks = Hook.OUTAGE)
    default void rule54_aClaimThatLeftDuringAnOutageKeepsNoPlace() throws Exception {
        Fault outage = Trouble.outage(kit());
        DrivenClaim holder = kit().claim(kit().newName()).outlastingFaults().makeGranted();
        DrivenClaim leaving = kit().claim(holder.name()).lasting().make();
        leaving.mustBeContended("the lock is held");
        DrivenClaim next = kit().claim(holder.name()).lasting().make();
        next.mustBeContended("the lock is held");
        boolean[] left = {false};
        Trouble.during(outage, () -> left[0] = Call.isAnswered(leaving::release));
        if (!left[0]) {
            Trouble.answered("a release after an outage", leaving::release);
        }
        Trouble.answered("an attempt after an outage", next::attempt);
        Trouble.answered("a release after an outage", holder::release);

        Trouble.answered(
                "an attempt after an outage",
                () -> next.mustBeGranted(
                        "nobody holds the lock, and the claim that came before has left the queue, during an outage"));
    }
}
