package io.holdfast.lock.tck;

import io.holdfast.lock.LockHolder;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Release;
import java.time.Duration;
import org.junit.jupiter.api.Assertions;

/** A store that was killed and has its data has all of it: leases, holds, holders, and how far its tokens are. */
interface RestartRules extends Rules {

    /** Half of it passes before the crash. A store that counts it anew ends it that much later, far past a tolerance. */
    Duration LEASE_WITH_A_CRASH = Duration.ofSeconds(8);

    @LockRule("2.1")
    @Needs(value = Capability.LEASED_PER_CLAIM, hooks = Hook.CRASH)
    @Lengthy
    default void rule21_aCrashProlongsNoLease() throws Exception {
        LockProvider other = Trouble.connected(kit());
        DrivenClaim dead =
                kit().claim(kit().newName()).leasing(LEASE_WITH_A_CRASH).makeGranted();
        long since = Pace.now();
        dead.abandon();
        Pace.pass(LEASE_WITH_A_CRASH.dividedBy(2));
        Trouble.during(Trouble.crash(kit()), () -> {});
        DrivenClaim next = kit().claim(other, dead.name()).make();
        Duration latest =
                LEASE_WITH_A_CRASH.plus(kit().harness().expiryTolerance()).plus(Pace.SLACK);
        while (!Trouble.answered("an attempt", next::isGranted)) {
            // By the call that was refused, and no limit: one is extended by the stalls of a busy machine.
            Assertions.assertTrue(
                    next.calledAt() - since <= latest.toNanos(),
                    () -> "the lease of " + LEASE_WITH_A_CRASH.toSeconds()
                            + " s of a dead holder must have ended, but an attempt was refused "
                            + Duration.ofNanos(next.calledAt() - since).toMillis()
                            + " ms after its grant; the store was killed meanwhile, and has its data");
            Pace.pass(kit().lease().dividedBy(6));
        }
        next.release();
    }

    @LockRule({"2.2", "4.2", "4.6"})
    @Needs(
            value = {Capability.COUNTED_BY_STORE, Capability.LEASED_PER_CLAIM},
            hooks = Hook.CRASH)
    default void rule46_aCrashForgetsNoHoldOfAnOwner() throws Exception {
        LockProvider other = Trouble.connected(kit());
        LockProvider provider = kit().provider();
        DrivenClaim outer = kit().claim(provider, kit().newName())
                .owned()
                .outlastingFaults()
                .makeGranted();
        DrivenClaim inner = kit().claim(provider, outer.name())
                .byOwnerOf(outer)
                .outlastingFaults()
                .make();
        inner.mustBeGranted("its owner holds the lock");
        Trouble.during(Trouble.crash(kit()), () -> {});
        for (DrivenClaim hold : new DrivenClaim[] {outer, inner}) {
            Trouble.answered(
                    "an attempt",
                    () -> kit().visitor(other, outer.name())
                            .mustBeContended("the owner had it twice before the store was killed, with its data"));
            Release release = Trouble.answered("a release", hold::release);
            Assertions.assertEquals(
                    Release.RELEASED,
                    release,
                    "the release of one of two holds; the store was killed and has its data");
        }
        Trouble.carriedOut(
                "an attempt", () -> kit().visitor(other, outer.name()).mustPass("both holds were released"));
    }

    @LockRule("9.8")
    @Needs(value = Capability.LEASED_PER_CLAIM, hooks = Hook.CRASH)
    default void rule98_aCrashChangesNothingThatIsShownOfAHolder() throws Exception {
        LockProvider observer = Trouble.connected(kit());
        DrivenClaim holder = kit().claim(kit().newName()).outlastingFaults().makeGranted();
        LockHolder before = observer.holder(holder.name()).orElseThrow();
        Trouble.during(Trouble.crash(kit()), () -> {});
        LockHolder after = Trouble.answered("a question for the holder", () -> observer.holder(holder.name()))
                .orElseThrow();

        Assertions.assertEquals(before.owner(), after.owner(), "the owner that is shown after a crash of the store");
        Assertions.assertEquals(
                before.since(), after.since(), "since when the holder that is shown after a crash has the lock");
        Assertions.assertEquals(
                before.fencingToken(), after.fencingToken(), "the token that is shown after a crash of the store");
    }

    @LockRule({"6.3", "6.7"})
    @Needs(
            value = Capability.FENCED,
            hooks = {Hook.CRASH, Hook.DISPOSABLE})
    default void rule67_aRaiseOutlivesACrash() throws Exception {
        LockProvider provider = Trouble.connected(kit());
        String name = kit().newName();
        long above = Tokens.raisedMuch(kit(), provider);
        Trouble.during(Trouble.crash(kit()), () -> {});
        DrivenClaim next = kit().claim(name).lasting().make();
        long token = Tokens.of(Trouble.answered("an attempt", () -> next.mustBeGranted("nobody holds the lock")));

        Tokens.mustBeNewer(token, above, "tokens were raised to that; then the store was killed, and has its data");
    }
}
