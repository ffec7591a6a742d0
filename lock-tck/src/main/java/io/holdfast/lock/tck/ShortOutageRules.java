package io.holdfast.lock.tck;

import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.lock.tck.faults.Fault;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;

/** What an outage leaves as it was that is over before anything ends by it at the store. */
interface ShortOutageRules extends Rules {

    @LockRule({"1.8", "2.2", "9.5"})
    @Needs(hooks = Hook.OUTAGE)
    default void rule18_aShortOutageTakesNoLockAway() throws Exception {
        Fault outage = Trouble.outage(kit());
        kit().conclusively(() -> areHeldThrough(outage));
    }

    /** Locks of several clients: in each of them something else may be under way when the connection breaks. */
    private boolean areHeldThrough(Fault outage) throws Exception {
        LockProvider third = Trouble.connected(kit());
        List<DrivenClaim> holders = Stream.generate(
                        () -> kit().claim(kit().newName()).lasting().makeGranted())
                .limit(3)
                .toList();
        holders.forEach(holder -> holder.mustRenew("it holds the lock"));
        long begun = Pace.now();
        Trouble.during(outage, () -> {});
        List<Renewal> renewals = new ArrayList<>();
        for (DrivenClaim holder : holders) {
            renewals.add(Trouble.answered("a renewal after an outage", holder::renew));
        }
        boolean isLate = Pace.since(begun).compareTo(kit().lease().dividedBy(2)) > 0;
        for (int i = 0; i < holders.size(); i++) {
            if (!isLate) {
                Assertions.assertInstanceOf(
                        Renewal.Held.class,
                        renewals.get(i),
                        "the renewal of a lock that is held: a connection broke, which is no end of a lease or of a"
                                + " session");
            }
            mustBeTrue(renewals.get(i), holders.get(i), third);
        }
        return renewals.stream().allMatch(Renewal.Held.class::isInstance);
    }

    /** A session ends if its client takes too long to come back. Then a loss proves nothing, but it must be true. */
    private void mustBeTrue(Renewal renewal, DrivenClaim holder, LockProvider third) throws Exception {
        DrivenClaim next = kit().claim(third, holder.name()).lasting().make();
        Attempt attempt = Trouble.answered("an attempt after an outage", next::attempt);
        if (renewal instanceof Renewal.Held) {
            String because = "it was renewed after a short outage";
            holder.mustNotHaveLost(because);
            Assertions.assertInstanceOf(Attempt.Contended.class, attempt, "the lock is held: " + because);
            Trouble.carriedOut("a release after an outage", () -> holder.mustRelease(Release.RELEASED, because));
        }
        Trouble.answered(
                "an attempt after an outage",
                () -> next.takeOver(kit().longestLife(), "its holder was told after a short outage: " + renewal));
        Trouble.carriedOut("a release after an outage", () -> next.mustRelease(Release.RELEASED, "it holds the lock"));
    }

    @LockRule({"7.2", "9.5"})
    @Needs(value = Capability.PUSHED, hooks = Hook.OUTAGE)
    default void rule95_aClaimThatDoesNotAskAgainIsWokenAfterAShortOutage() throws Exception {
        Fault outage = Trouble.outage(kit());
        LockProvider waiting = kit().provider();
        DrivenClaim holder = kit().claim(kit().newName()).lasting().makeGranted();
        DrivenClaim waiter = kit().claim(waiting, holder.name()).lasting().make();
        int hints = waiter.mustWait();
        shortly(outage);
        // The connection is back, but nobody calls for the waiter.
        Trouble.answered("a question after an outage", () -> waiting.holder(holder.name()));
        Release unused = Trouble.answered("a release after an outage", holder::release);

        waiter.mustBeGrantedByHints(hints, "it has waited since before a short outage");
        Trouble.answered("a release after an outage", waiter::release);
    }

    @LockRule({"5.3", "5.6"})
    @Needs(value = Capability.LEASED_PER_CLAIM, hooks = Hook.OUTAGE)
    default void rule53_aReleaseOverAConnectionThatBrokeDoesNotHideThatTheLockWasLost() throws Exception {
        Fault outage = Trouble.outage(kit());
        DrivenClaim late =
                kit().claim(Trouble.connected(kit()), kit().newName()).makeGranted();
        DrivenClaim next = kit().claim(Trouble.connected(kit()), late.name())
                .outlastingFaults()
                .make();
        next.takeOver(kit().longestLife(), "its holder does not renew it");
        Trouble.during(outage, () -> {});

        Assertions.assertEquals(
                Release.NOT_HELD,
                Trouble.answered("a release after an outage", late::release),
                "the answer to the release of a claim whose lease has ended, and whose lock another claim holds; its"
                        + " connection broke before it");
        Trouble.carriedOut("a renewal after an outage", () -> next.mustRenew("it holds the lock"));
        Trouble.carriedOut("a release after an outage", () -> next.mustRelease(Release.RELEASED, "it holds the lock"));
    }

    /** Short enough that nothing ends by it at the store. */
    private void shortly(Fault outage) throws Exception {
        Trouble.during(outage, () -> Pace.pass(kit().lease().dividedBy(6)));
    }
}
