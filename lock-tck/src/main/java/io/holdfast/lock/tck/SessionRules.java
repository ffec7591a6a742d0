package io.holdfast.lock.tck;

import io.holdfast.lock.LossCause;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Assertions;

/** What the session of a provider bounds, and what its end means to claims that wait. */
interface SessionRules extends Rules {

    @LockRule("2.5")
    @Needs(Capability.LEASED_PER_SESSION)
    default void rule25_nothingIsValidForLongerThanTheSession() {
        // Whatever lease is asked for.
        DrivenClaim holder = kit().claim(kit().newName()).outlastingFaults().make();
        mustNotOutliveTheSession(
                holder, holder.mustBeGranted("nobody holds the lock").validFor(), "a grant");
        mustNotOutliveTheSession(holder, holder.mustRenew("it holds the lock"), "a renewal");
        mustNotOutliveTheSession(
                holder,
                holder.mustBeGranted("the store has this very claim as granted").validFor(),
                "a repeated grant");
        holder.mustRelease(Release.RELEASED, "it holds the lock");
    }

    /** The request may have been sent long after the call, from which the validity counts. */
    private void mustNotOutliveTheSession(DrivenClaim holder, Duration validFor, String what) {
        Duration most = kit().lease().plus(Pace.since(holder.calledAt()));
        Assertions.assertTrue(
                validFor.compareTo(most) <= 0,
                () -> "the provider declares lease control SESSION, and the store ends a session after "
                        + kit().lease().toMillis() + " ms without a sign of life, but " + what + " is valid for "
                        + validFor.toMillis() + " ms from its call");
    }

    @LockRule({"1.1", "1.5"})
    @Needs(hooks = Hook.SESSION_END)
    default void rule11_aWaiterWhoseSessionHasEndedIsNotGrantedAHeldLock() throws Exception {
        LockProvider waiting = Trouble.connected(kit());
        LockProvider third = Trouble.connected(kit());
        DrivenClaim holder = kit().claim(kit().newName()).lasting().makeGranted();
        DrivenClaim waiter = waiter(waiting, holder.name());
        waiter.mustBeContended("the lock is held");
        endSessionOf(waiting);

        String because = "another client holds the lock, and only the session of a waiter has ended";
        Trouble.answered("an attempt", () -> waiter.mustBeContended(because));
        holder.mustRenew(because);
        holder.mustRelease(Release.RELEASED, "it holds the lock");
        Attempt.Granted unused =
                Trouble.answered("an attempt", () -> waiter.mustBeGranted("it is the only waiter, in a new session"));
        Trouble.answered("a release", waiter::release);
        kit().claim(third, holder.name())
                .lasting()
                .make()
                .mustPass("the only waiter, which had two sessions, has left");
    }

    @LockRule({"7.2", "9.5"})
    @Needs(value = Capability.PUSHED, hooks = Hook.SESSION_END)
    default void rule72_aWaiterWhoseSessionHasEndedIsWoken() throws Exception {
        LockProvider waiting = Trouble.connected(kit());
        DrivenClaim holder = kit().claim(kit().newName()).lasting().makeGranted();
        DrivenClaim waiter = waiter(waiting, holder.name());
        int hints = waiter.mustWait();
        endSessionOf(waiting);
        holder.mustRelease(Release.RELEASED, "only the session of a waiter has ended");

        waiter.mustBeGrantedByHints(hints, "its session had ended, and with it its place in the queue");
        Trouble.answered("a release", waiter::release);
    }

    @LockRule({"7.2", "9.5"})
    @Needs(value = Capability.PUSHED, hooks = Hook.SESSION_END)
    default void rule72_aWaiterThatAskedAgainAfterTheEndOfItsSessionIsWoken() throws Exception {
        LockProvider waiting = Trouble.connected(kit());
        DrivenClaim holder = kit().claim(kit().newName()).lasting().makeGranted();
        DrivenClaim waiter = waiter(waiting, holder.name());
        int unused = waiter.mustWait();
        endSessionOf(waiting);
        int hints = Trouble.answered("an attempt", waiter::mustWait);
        holder.mustRelease(Release.RELEASED, "only the session of a waiter has ended");

        waiter.mustBeGrantedByHints(hints, "its session had ended, and it has asked again since");
        Trouble.answered("a release", waiter::release);
    }

    /** More locks than the messages of a store may have room for. */
    int MANY_LOCKS = 100;

    @LockRule({"7.2", "9.5"})
    @Needs(value = Capability.PUSHED, hooks = Hook.SESSION_END)
    default void rule72_theEndOfASessionWithManyLocksWakesAWaiterOfEach() throws Exception {
        LockProvider ending = Trouble.connected(kit());
        List<DrivenClaim> holders = kit().holders(ending, kit().longLease(), MANY_LOCKS);
        LockProvider waiting = Trouble.connected(kit());
        Sleepers sleepers = new Sleepers();
        for (DrivenClaim holder : holders) {
            sleepers.add(waiter(waiting, holder.name()), "the end of a session that had " + MANY_LOCKS + " locks");
        }
        sleepers.settle();
        endSessionOf(ending);
        sleepers.mustAllBeGranted(Pace.LISTENS_WITHIN);
    }

    @LockRule({"7.2", "9.5"})
    @Needs(value = Capability.PUSHED, hooks = Hook.SESSION_END)
    default void rule72_theEndOfASessionThatAlsoWaitsWakesTheWaiterBehindIt() throws Exception {
        LockProvider ending = Trouble.connected(kit());
        DrivenClaim holder = kit().claim(ending, kit().newName()).lasting().makeGranted();
        waiter(ending, holder.name()).mustBeContended("the lock is held");
        DrivenClaim next = kit().claim(holder.name()).lasting().make();
        int hints = next.mustWait();
        endSessionOf(ending);

        // A store may keep the place of a dead waiter for a while.
        next.mustBeGrantedByHints(
                hints,
                Pace.LISTENS_WITHIN.plus(Pace.DEAD_WAITERS_GO_WITHIN),
                "the session of its holder, and of the waiter before this one, has ended");
        next.mustRelease(Release.RELEASED, "it holds the lock");
    }

    @LockRule({"2.2", "4.6"})
    @Needs(value = Capability.COUNTED_BY_STORE, hooks = Hook.SESSION_END)
    default void rule46_theEndOfASessionLeavesWhatItsOwnerHoldsInAnother() {
        for (boolean first : new boolean[] {true, false}) {
            LockProvider ending = kit().provider();
            LockProvider staying = kit().provider();
            ClaimSpec outer = kit().claim(first ? ending : staying, kit().newName())
                    .owned()
                    .lasting();
            DrivenClaim begun = outer.makeGranted();
            DrivenClaim joined = kit().claim(first ? staying : ending, outer.name())
                    .byOwnerOf(begun)
                    .lasting()
                    .make();
            joined.mustBeGranted("the same owner holds the lock");
            DrivenClaim left = first ? joined : begun;
            (first ? begun : joined).abandon();
            endSessionOf(ending);

            String because = "its owner had it by two clients, and the session of one of them has ended";
            kit().visitor(left.name()).mustBeContended(because);
            left.mustRenew(because);
            left.mustRelease(Release.RELEASED, because);
            kit().visitor(left.name())
                    .mustBeGranted("its owner has released it, and the session of its other client has ended");
        }
    }

    @LockRule("8.3")
    @Needs(hooks = Hook.SESSION_END)
    default void rule83_aReleasedClaimIsNotToldTheEndOfItsSession() throws Exception {
        LockProvider provider = Trouble.connected(kit());
        DrivenClaim released = kit().claim(provider, kit().newName()).lasting().makeGranted();
        released.mustRelease(Release.RELEASED, "it holds the lock");
        endSessionOf(provider);
        Attempt unused = Trouble.answered("an attempt", kit().visitor(provider, kit().newName())::attempt);
        Pace.pass(LossRules.SIGNAL_WITHIN);
        released.mustNotHaveLost("it was released before the session ended");
    }

    @LockRule({"3.1", "8.5"})
    @Needs(hooks = Hook.SESSION_END)
    default void rule31_aBatchWithAClaimOfAnEndedSessionLosesThatAlone() throws Exception {
        LockProvider provider = Trouble.connected(kit());
        DrivenClaim former = kit().claim(provider, kit().newName()).lasting().makeGranted();
        endSessionOf(provider);
        DrivenClaim holder = grantedAfterwards(provider);
        List<Renewal> renewals = Trouble.answered(
                "renewals",
                () -> kit().renewAll(provider, List.of(former, holder)).stream()
                        .map(Trouble::knownOrThrown)
                        .toList());
        Assertions.assertInstanceOf(
                Renewal.Lost.class, renewals.get(0), "the renewal of a claim whose session has ended");
        Assertions.assertInstanceOf(
                Renewal.Held.class,
                renewals.get(1),
                "the renewal of a claim of the new session, together with one whose session has ended");
        holder.mustRelease(Release.RELEASED, "it holds the lock");
    }

    @LockRule("8.1")
    @Needs(hooks = {Hook.SESSION_END, Hook.REMOVER})
    default void rule81_aRemovalAfterTheEndOfASessionIsNoEndOfASession() throws Exception {
        LockProvider provider = Trouble.connected(kit());
        endSessionOf(provider);
        DrivenClaim holder = grantedAfterwards(provider);
        kit().remove(holder.name());
        Renewal renewal = Trouble.answered("a renewal", holder::renew);
        Assertions.assertInstanceOf(
                Renewal.Lost.class, renewal, "the renewal of a claim whose record an operator has removed");
        Assertions.assertNotEquals(
                LossCause.SESSION_ENDED,
                ((Renewal.Lost) renewal).cause(),
                "the cause of a loss by an operator, in a session that lasts; only the one before has ended");
        holder.release();
    }

    private DrivenClaim grantedAfterwards(LockProvider provider) throws Exception {
        DrivenClaim holder = kit().claim(provider, kit().newName()).lasting().make();
        Attempt.Granted unused = Trouble.answered("an attempt", () -> holder.mustBeGranted("nobody holds the lock"));
        return holder;
    }

    private DrivenClaim waiter(LockProvider waiting, String name) {
        return kit().claim(waiting, name).lasting().make();
    }

    /** Returns when the store has ended the session: a lock that it had is free. */
    private void endSessionOf(LockProvider provider) {
        DrivenClaim probe = kit().claim(provider, kit().newName()).lasting().makeGranted();
        probe.abandon();
        kit().harness().faults().sessionEnd().orElseThrow().accept(provider);
        kit().claim(probe.name())
                .lasting()
                .make()
                .takeOverAndLeave(kit().longestLife(), "the session of its holder has ended");
    }
}
