package io.holdfast.lock.tck;

import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Release;
import java.util.List;

/** A client that dies leaves no lock behind, whatever it did before: chapter 2. */
interface DeadClientRules extends Rules {

    @LockRule({"2.1", "4.6"})
    @Needs(Capability.COUNTED_BY_STORE)
    default void rule21_aLockThatItsOwnerHadTwiceEndsWithTheClient() {
        for (boolean first : new boolean[] {true, false}) {
            LockProvider dying = kit().provider();
            DrivenClaim outer = kit().claim(dying, kit().newName()).owned().makeGranted();
            DrivenClaim inner =
                    kit().claim(dying, outer.name()).byOwnerOf(outer).make();
            inner.mustBeGranted("the same owner holds the lock");
            (first ? outer : inner).mustRelease(Release.RELEASED, "it is in force");
            (first ? inner : outer).abandon();

            mustEnd(outer.name(), "its owner had it twice, has released one claim, and has not renewed the other");
        }
    }

    @LockRule("2.1")
    default void rule21_aLockThatItsClientAlsoWaitedForEndsWithTheClient() {
        LockProvider dying = kit().provider();
        DrivenClaim holder = kit().claim(dying, kit().newName()).makeGranted();
        DrivenClaim waiter = kit().claim(dying, holder.name()).make();
        if (waiter.isGranted()) {
            holder.mustBeLeased();
        }
        waiter.mustRelease(Release.NOT_HELD, "its client holds the lock by another claim");
        holder.abandon();

        mustEnd(holder.name(), "its holder has not renewed its lease; another claim of its client only waited");
    }

    @LockRule({"1.6", "9.5"})
    default void rule16_aClientThatWasSilentForLongIsNotRefusedAFreeLock() throws Exception {
        LockProvider silent = kit().provider();
        DrivenClaim holder = kit().claim(silent, kit().newName()).makeGranted();
        holder.abandon();
        mustEnd(holder.name(), "its holder has not renewed its lease");

        DrivenClaim next = kit().tryingOnce(silent, kit().newName());
        Attempt.Granted unused = Trouble.answered(
                "an attempt", () -> next.mustBeGranted("nobody holds the lock, and the client was silent before"));
        next.mustRelease(Release.RELEASED, "it holds the lock");
    }

    @LockRule({"2.1", "9.5"})
    @Needs(hooks = Hook.SESSION_END)
    default void rule21_aLockOfTheSecondSessionEndsWithTheClientAsOneOfTheFirst() throws Exception {
        LockProvider dying = Trouble.connected(kit());
        kit().harness().faults().sessionEnd().orElseThrow().accept(dying);
        DrivenClaim holder = kit().claim(dying, kit().newName()).make();
        Attempt.Granted unused = Trouble.answered("an attempt", () -> holder.mustBeGranted("nobody holds the lock"));
        holder.abandon();

        mustEnd(
                holder.name(),
                "its holder has given no sign of life since its grant, in the second session of its client");
    }

    @LockRule("2.1")
    default void rule21_allOfTheManyLocksOfAClientEndWithIt() {
        LockProvider dying = kit().provider();
        List<DrivenClaim> held =
                CrowdRules.granted(name -> kit().claim(dying, name).makeGranted());
        held.forEach(DrivenClaim::abandon);
        Pace.pass(kit().longestLife());

        LockProvider next = kit().provider();
        List<DrivenClaim> claims = held.stream()
                .map(holder -> kit().claim(next, holder.name()).lasting().make())
                .toList();
        // Each looks before one waits: where no clock of the store decides, a client measures the lease from its first
        // look.
        Crowd.inParts(claims, DrivenClaim::attempt);
        Crowd.inParts(
                claims,
                claim -> claim.takeOverAndLeave(
                        kit().harness().expiryTolerance(),
                        "none of the " + held.size() + " locks of its client was renewed; this one was number "
                                + (claims.indexOf(claim) + 1)));
    }

    private void mustEnd(String name, String because) {
        kit().claim(name).make().takeOverAndLeave(kit().longestLife(), because);
    }
}
