package io.holdfast.lock.tck;

import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Release;
import java.time.Duration;

/** What the end of a session takes from its claims, and what the next session gives. */
interface SessionEndRules extends Rules {

    @LockRule({"4.5", "6.1", "8.5"})
    @Needs(hooks = Hook.SESSION_END)
    default void rule85_theEndOfASessionLosesItsClaimsAndTheNextGrantIsNewer() throws Exception {
        LockProvider provider = Trouble.connected(kit());
        LockProvider other = Trouble.connected(kit());
        String name = kit().newName();
        DrivenClaim former = kit().claim(provider, name).lasting().make();
        Attempt.Granted before = former.mustBeGranted("nobody holds the lock");
        endSessionOf(provider);
        DrivenClaim holder = kit().claim(other, name).lasting().make();
        holder.takeOver(kit().longestLife(), "the session of the holder has ended");
        Attempt.Granted between = holder.mustBeGranted("it holds the lock");
        Trouble.carriedOut(
                "a renewal", () -> former.mustBeLost("its session has ended, and another claim has the lock"));
        holder.mustRenew("only the session of another provider has ended");
        holder.mustRelease(Release.RELEASED, "it holds the lock");
        DrivenClaim next = kit().claim(provider, name).lasting().make();
        Attempt.Granted after = Trouble.answered("an attempt", () -> next.mustBeGranted("nobody holds the lock"));

        if (Capability.FENCED.isMetBy(kit().capabilities())) {
            String because = "a session has ended";
            Tokens.mustBeNewer(Tokens.of(between), Tokens.of(before), because);
            Tokens.mustBeNewer(Tokens.of(after), Tokens.of(between), because);
        }
    }

    @LockRule({"1.1", "2.2", "9.5"})
    @Needs(hooks = Hook.SESSION_END)
    default void rule22_aClaimThatHasOutlivedASessionIsGrantedInTheNextOne() throws Exception {
        LockProvider waiting = Trouble.connected(kit());
        LockProvider other = Trouble.connected(kit());
        DrivenClaim former = kit().claim(other, kit().newName()).lasting().makeGranted();
        DrivenClaim waiter = kit().claim(waiting, former.name()).lasting().make();
        waiter.mustBeContended("the lock is held");
        endSessionOf(waiting);
        former.mustRelease(Release.RELEASED, "only the session of another provider has ended");
        Attempt unused = Trouble.answered("an attempt", waiter::attempt);
        Trouble.answered("an attempt", () -> waiter.takeOver(kit().longestLife(), "its holder has released it"));

        String because = "it was granted after its session had ended, and so in the next one, whose client lives";
        // As long as a session lasts without a sign of life: its client gives one by itself.
        Duration slowest = slowestQuestion(other, former.name(), kit().longestLife());
        DrivenClaim visitor = kit().visitor(other, former.name());
        if (visitor.isGranted()) {
            kit().premise(
                            () -> slowest.compareTo(kit().lease().dividedBy(4)) < 0,
                            "each call of the store is answered within a quarter of the time-out of a session");
        }
        visitor.mustBeContended("the lock is held: " + because);
        Trouble.answered("a renewal", () -> waiter.mustRenew(because));
        Trouble.carriedOut("a release", () -> waiter.mustRelease(Release.RELEASED, because));
    }

    /**
     * Asks a store again and again, for so long, and tells how long it took at most to answer: it may have answered others as
     * late.
     */
    private static Duration slowestQuestion(LockProvider provider, String name, Duration time) {
        long start = Pace.now();
        Duration slowest = Duration.ZERO;
        while (Pace.since(start).compareTo(time) < 0) {
            long asked = Pace.now();
            boolean unused = provider.holder(name).isPresent();
            Duration took = Pace.since(asked);
            slowest = took.compareTo(slowest) > 0 ? took : slowest;
            Pace.pass(Duration.ofMillis(20));
        }
        return slowest;
    }

    @LockRule("9.5")
    @Needs(hooks = Hook.SESSION_END)
    default void rule95_theThirdEndOfASessionIsAsTheFirst() throws Exception {
        LockProvider provider = Trouble.connected(kit());
        for (int time = 1; time <= 3; time++) {
            DrivenClaim claim = kit().claim(provider, kit().newName()).lasting().make();
            String because = "nobody holds the lock, and " + (time - 1) + " sessions of this provider have ended";
            Attempt.Granted unusedGrant = Trouble.answered("an attempt", () -> claim.mustBeGranted(because));
            endSessionOf(provider);
            Release unused = Trouble.answered("a release", claim::release);
        }
    }

    private void endSessionOf(LockProvider provider) {
        kit().harness().faults().sessionEnd().orElseThrow().accept(provider);
    }
}
