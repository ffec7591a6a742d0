package io.holdfast.lock.tck;

import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.lock.tck.faults.Fault;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;

/** What an outage leaves as it was that is over before anything ends by it at the store. */
interface ShortOutageRules extends Rules {

    @LockRule({"1.8", "2.2", "9.5"})
    @Needs(hooks = Hook.OUTAGE)
    default void rule18_aShortOutageTakesNoLockAway() throws Exception {
        Fault outage = outage();
        kit().conclusively(() -> isHeldThrough(outage));
    }

    /** A session ends if its client takes too long to come back, so a loss after such a time proves nothing. */
    private boolean isHeldThrough(Fault outage) throws Exception {
        LockProvider provider = Trouble.connected(kit());
        DrivenClaim holder = kit().claim(provider, kit().newName()).lasting().makeGranted();
        long begun = Pace.now();
        Trouble.during(outage, () -> {});
        Renewal renewal = Trouble.answered("a renewal after an outage", holder::renew);
        if (renewal instanceof Renewal.Lost
                && Pace.since(begun).compareTo(kit().lease().dividedBy(2)) > 0) {
            return false;
        }
        String because = "a connection broke, which is no end of a lease or of a session";
        Assertions.assertInstanceOf(Renewal.Held.class, renewal, "the renewal of a lock that is held: " + because);
        holder.mustNotHaveLost(because);
        return true;
    }

    @LockRule({"7.2", "9.5"})
    @Needs(value = Capability.PUSHED, hooks = Hook.OUTAGE)
    default void rule95_aClaimThatDoesNotAskAgainIsWokenAfterAShortOutage() throws Exception {
        Fault outage = outage();
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

    @LockRule({"1.8", "9.5"})
    @Needs(hooks = Hook.OUTAGE)
    default void rule18_aShortOutageLosesNoLockThatIsInForce() throws Exception {
        Fault outage = outage();
        LockProvider third = Trouble.connected(kit());
        // Of several clients: a session may end by any outage, and then its client may say so.
        List<DrivenClaim> holders = Stream.generate(
                        () -> kit().claim(kit().newName()).lasting().makeGranted())
                .limit(3)
                .toList();
        holders.forEach(holder -> holder.mustRenew("it holds the lock"));
        shortly(outage);
        for (DrivenClaim holder : holders) {
            mustKnowTheTruth(holder, third);
        }
    }

    private void mustKnowTheTruth(DrivenClaim holder, LockProvider third) throws Exception {
        Renewal renewal = Trouble.answered("a renewal after an outage", holder::renew);
        DrivenClaim next = kit().claim(third, holder.name()).lasting().make();
        Attempt attempt = Trouble.answered("an attempt after an outage", next::attempt);
        if (renewal instanceof Renewal.Held) {
            Assertions.assertInstanceOf(Attempt.Contended.class, attempt, "the holder was told that it is in force");
            holder.mustRelease(Release.RELEASED, "it was renewed after an outage");
        }
        next.takeOver(kit().longestLife(), "its holder was told after a short outage: " + renewal);
        next.mustRelease(Release.RELEASED, "it holds the lock");
    }

    /** Short enough that nothing ends by it at the store. */
    private void shortly(Fault outage) throws Exception {
        Trouble.during(outage, () -> Pace.pass(kit().lease().dividedBy(6)));
    }

    private Fault outage() {
        return kit().harness().faults().outage().orElseThrow();
    }
}
