package io.holdfast.lock.tck;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.tck.faults.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;

/** When leases begin: chapter 2. */
interface GrantRules extends Rules {

    /** How often, and in how many threads, the kit cuts grants short. */
    int CUTS = 3;

    int ATTEMPTING = 8;

    @LockRule("2.6")
    @Needs(Capability.LEASED_PER_CLAIM)
    default void rule26_theLeaseBeginsWithTheGrantHoweverLateTheClaimAsks() throws Exception {
        Stream<Pace.Body> bodies = Stream.of(
                () -> kit().conclusively(this::wokenAndLate),
                () -> kit().conclusively(() -> askedAgain(mostOfALease())),
                () -> kit().conclusively(() -> askedAgain(moreThanALease())),
                () -> kit().conclusively(() -> triedAgain(mostOfALease())),
                () -> kit().conclusively(() -> triedAgain(moreThanALease())),
                () -> kit().conclusively(this::madeLongBefore),
                () -> kit().conclusively(() -> grantedTwice(kit().longestLife().plus(Pace.SLACK), holder -> holder)),
                () -> kit().conclusively(() -> grantedTwice(moreThanALease(), holder -> holder)),
                () -> kit().conclusively(() -> grantedTwice(moreThanALease(), DrivenClaim::copy)));
        Crowd.together(bodies);
    }

    private Duration mostOfALease() {
        return kit().lease().multipliedBy(2).dividedBy(3);
    }

    /** A store may end what belongs to a waiter late, but not after so long that something new was made for the grant. */
    private Duration moreThanALease() {
        return kit().lease().multipliedBy(3).dividedBy(2);
    }

    private boolean wokenAndLate() {
        DrivenClaim first = kit().claim(kit().newName()).lasting().makeGranted();
        DrivenClaim late = kit().claim(first.name()).make();
        late.mustBeContended("the lock is held");
        first.release();
        Pace.pass(mostOfALease());
        late.takeOver(Duration.ZERO, "the holder has released it");
        return lastsFromItsGrant(late, "not from the release before it");
    }

    private boolean askedAgain(Duration later) {
        return lastsThoughItAskedBefore(kit().claim(kit().newName()), later, "not from the first attempt");
    }

    private boolean triedAgain(Duration later) {
        return lastsThoughItAskedBefore(
                kit().claim(kit().newName()).once(), later, "not from the first attempt of a claim that does not wait");
    }

    private boolean lastsThoughItAskedBefore(ClaimSpec spec, Duration later, String because) {
        DrivenClaim first = kit().claim(spec.name()).lasting().makeGranted();
        DrivenClaim asking = spec.make();
        asking.mustBeContended("the lock is held");
        Pace.pass(later);
        first.release();
        asking.takeOver(Duration.ZERO, "the holder has released it");
        return lastsFromItsGrant(asking, because);
    }

    private boolean madeLongBefore() {
        DrivenClaim idle = kit().claim(kit().newName()).make();
        Pace.pass(mostOfALease());
        idle.mustBeGranted("nobody holds the lock");
        return lastsFromItsGrant(idle, "not from the making of the claim");
    }

    private boolean lastsFromItsGrant(DrivenClaim holder, String because) {
        return kit().endsNotBefore(
                        holder.name(),
                        holder.calledAt() + kit().lease().toNanos(),
                        "the lease begins with the grant, " + because);
    }

    private boolean grantedTwice(Duration later, UnaryOperator<DrivenClaim> asking) {
        DrivenClaim holder = kit().claim(kit().newName()).makeGranted();
        holder.outlive(later);
        DrivenClaim again = asking.apply(holder);
        // A store may refuse a claim whose lease has ended. If it grants it once more, the promise counts from then.
        return !(again.attempt() instanceof Attempt.Granted granted)
                || kit().endsNotBefore(
                                again.name(),
                                again.calledAt() + granted.validFor().toNanos(),
                                "the second grant of a claim whose first lease had ended was valid until later");
    }

    @LockRule("2.3")
    @Needs(value = Capability.LEASED_PER_CLAIM, hooks = Hook.OUTAGE)
    default void rule23_aGrantThatIsCutShortLeavesNoLockWithoutEnd() {
        Fault outage = Trouble.outage(kit());
        List<DrivenClaim> cut = new ArrayList<>();
        for (int round = 0; round < CUTS; round++) {
            LockProvider provider = kit().provider();
            // Grants without a pause: where a grant takes two steps, some thread is between them when the store goes.
            List<Call<DrivenClaim>> attempting = Stream.generate(() -> Call.start(() -> attemptUntilCut(provider)))
                    .limit(ATTEMPTING)
                    .toList();
            Pace.pass(Duration.ofMillis(60));
            outage.begin().run();
            try {
                attempting.forEach(each -> cut.add(each.result()));
            } finally {
                outage.end().run();
            }
        }
        cut.get(0).outlive(kit().longestLife());
        LockProvider back = kit().provider();
        for (DrivenClaim claim : cut) {
            DrivenClaim next = kit().claim(back, claim.name()).make();
            Assertions.assertTrue(
                    Pace.within(Pace.BACK_WITHIN, () -> isGranted(next)),
                    () -> "a lock whose grant was cut short by an outage must end with its lease of "
                            + kit().lease().toMillis() + " ms, but " + Pace.BACK_WITHIN
                            + " after the outage it is still held");
            next.release();
        }
    }

    /** Has one lock after the other granted. Returns the claim whose attempt failed, which nobody releases. */
    private DrivenClaim attemptUntilCut(LockProvider provider) {
        while (true) {
            DrivenClaim claim = kit().visitor(provider, "tck-" + UUID.randomUUID());
            try {
                claim.attempt();
                claim.release();
            } catch (LockStoreException unknown) {
                claim.abandon();
                return claim;
            }
        }
    }

    private static boolean isGranted(DrivenClaim claim) {
        try {
            return claim.isGranted();
        } catch (LockStoreException stillBroken) {
            return false;
        }
    }
}
