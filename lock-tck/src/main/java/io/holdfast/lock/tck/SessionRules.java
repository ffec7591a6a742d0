package io.holdfast.lock.tck;

import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Release;
import java.time.Duration;
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

    private DrivenClaim waiter(LockProvider waiting, String name) {
        return kit().claim(waiting, name).lasting().make();
    }

    private void endSessionOf(LockProvider provider) {
        kit().harness().faults().sessionEnd().orElseThrow().accept(provider);
    }
}
