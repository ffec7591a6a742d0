package io.holdfast.lock.tck;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Release;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Chapter 1, mutual exclusion, asked of the provider. */
interface ExclusionRules extends Rules {

    @LockRule("1.1")
    default void rule11_aSecondClaimIsContendedWhileTheLockIsHeld() {
        String name = kit().newName();
        LockProvider provider = kit().provider();
        DrivenClaim holder = kit().claim(provider, name).lasting().makeGranted();

        kit().claim(provider, name).make().mustBeContended("another owner of the same client holds the lock");
        kit().claim(name).make().mustBeContended("another client holds the lock");
        kit().visitor(name).mustBeContended("another client holds the lock");
        Assertions.assertEquals(
                Optional.of(holder.ownerId()),
                provider.holder(name).map(LockHolder::owner),
                "the owner that is shown as the holder");
    }

    @LockRule("1.1")
    default void rule11_noUpdateUnderTheLockIsLostHoweverManyContend() throws InterruptedException {
        String name = kit().newName();
        Hammer hammer = new Hammer(Duration.ofMillis(1200));
        hammer.contendFor(name, kit(), granted -> hammer.strike());

        hammer.run();

        hammer.mustHaveLostNoUpdate();
    }

    @LockRule({"1.1", "2.1"})
    @Needs(Capability.LEASED_PER_CLAIM)
    default void rule11_onlyOneClaimGetsTheLockOfADeadHolder() {
        List<LockProvider> clients = List.of(kit().provider(), kit().provider(), kit().provider());
        for (int round = 0; round < 3; round++) {
            TakeoverRace race = new TakeoverRace(kit());
            race.run(clients);
            Assertions.assertEquals(
                    Set.of(1),
                    race.locksByWinners().keySet(),
                    () ->
                            "each lock of a dead holder must be granted to one claim; the number of locks by number of granted claims"
                                    + " was " + race.locksByWinners());
            race.mustAllRenew("nobody else was granted it");
        }
    }

    @LockRule("1.2")
    default void rule12_anAttemptDoesNotWaitForTheHolderToLeave() throws Exception {
        String name = kit().newName();
        kit().claim(name).lasting().makeGranted();
        DrivenClaim waiting = kit().claim(name).make();
        DrivenClaim passing = kit().visitor(name);

        // Several, so that a short wait in each adds up. The holder's lease is much longer than
        // the store may need for them.
        Pace.mustEndWithin(kit().lease(), "eight contended attempts", () -> {
            for (int i = 0; i < 4; i++) {
                waiting.mustBeContended("the lock is held");
                passing.mustBeContended("the lock is held");
            }
        });
    }

    /** A call may be on its way for long now and then, but hardly in each round. */
    int ROUNDS_OF_ENDS = 8;

    /** An attempt that was called so long before the end of a lease, and comes to the store after it, was slow. */
    Duration NOTABLE = Duration.ofMillis(50);

    @LockRule("1.2")
    @Needs(Capability.LEASED_PER_CLAIM)
    default void rule12_anAttemptDoesNotWaitForTheEndOfALease() {
        List<Long> calledBefore = new ArrayList<>();
        while (calledBefore.size() < ROUNDS_OF_ENDS) {
            DrivenClaim dead = kit().visitor(kit().newName());
            dead.mustBeGranted("nobody holds the lock");
            dead.abandon();
            DrivenClaim rival = kit().tryingOnce(kit().provider(), dead.name());
            Duration early =
                    grantedBeforeTheEnd(rival, dead.calledAt() + kit().lease().toNanos());
            rival.release();
            if (early.compareTo(NOTABLE) < 0) {
                return;
            }
            calledBefore.add(early.toMillis());
        }
        Assertions.fail("an attempt must be answered at once, but in each of " + ROUNDS_OF_ENDS
                + " rounds one was granted the lock that had been called long before its holder's lease ended: so many ms "
                + calledBefore);
    }

    /** How long before a moment the attempt was called that was granted the lock; what calls take here anyway is not counted. */
    private Duration grantedBeforeTheEnd(DrivenClaim rival, long end) {
        Pace.Limit limit = new Pace.Limit(kit().longestLife());
        long slowest = 0;
        while (!rival.isGranted()) {
            Assertions.assertFalse(limit.isOver(), () -> "the lease of a dead holder must end within " + limit);
            slowest = Math.max(slowest, Pace.since(rival.calledAt()).toNanos());
            Pace.pass(Duration.ofMillis(3));
        }
        return Duration.ofNanos(end - rival.calledAt() - slowest);
    }

    @LockRule("1.3")
    default void rule13_aRepeatedAttemptIsGrantedAgainAndCountsOnce() {
        String name = kit().newName();
        DrivenClaim holder = kit().claim(name).lasting().make();
        Attempt.Granted first = holder.mustBeGranted("nobody holds the lock");
        DrivenClaim waiter = kit().claim(name).lasting().make();
        waiter.mustBeContended("the lock is held");
        Attempt.Granted again = holder.mustBeGranted("the store has this very claim as granted");

        Assertions.assertEquals(
                first.fencingToken(), again.fencingToken(), "a claim that is granted again must keep its token");
        waiter.release();
        holder.mustRelease(Release.RELEASED, "the claim holds the lock");
        kit().visitor(name).mustBeGranted("the one claim that held the lock has released it");
    }

    @LockRule("1.4")
    default void rule14_aQuestionForANameThatCannotBeIsRefused() {
        LockProvider provider = kit().provider();
        for (String name :
                List.of("", "x".repeat(DistributedLock.MAX_NAME_LENGTH + 1), "half of a character: \uD83D")) {
            Assertions.assertThrows(
                    LockConfigurationException.class,
                    () -> provider.holder(name),
                    () -> "a question for the holder of " + TrickyNames.shown(name) + ", which is no name of a lock");
        }
    }

    @LockRule("1.4")
    default void rule14_namesThatDifferExcludeNobody() {
        LockProvider holding = kit().provider();
        LockProvider observer = kit().provider();
        for (String name : TrickyNames.variants(kit().newName())) {
            Optional<DrivenClaim> holder = grantedUnlessRefused(holding, name);
            if (holder.isPresent()) {
                kit().named(name);
                kit().visitor(observer, name).mustBeContended("the lock " + TrickyNames.shown(name) + " is held");
                Assertions.assertEquals(
                        Optional.of(holder.get().ownerId()),
                        observer.holder(name).map(LockHolder::owner),
                        () -> "the holder that is shown for " + TrickyNames.shown(name));
            }
        }
    }

    /** The only names that are not new in each run, so that the kits of one JVM take them one after the other. */
    String WHOLE_NAMES = "io.holdfast.lock.tck.names";

    @LockRule("1.4")
    @Needs(hooks = Hook.DISPOSABLE)
    @ResourceLock(WHOLE_NAMES)
    default void rule14_aNameThatMeansSomethingElseToSomeStoreIsANameLikeAnyOther() {
        LockProvider holding = kit().provider();
        LockProvider observer = kit().provider();
        for (String name : TrickyNames.whole()) {
            String shown = TrickyNames.shown(name);
            kit().unlessRefused(() -> {
                        DrivenClaim claim = kit().claim(holding, name).lasting().make();
                        kit().premise(claim::isGranted, "no other test holds the lock " + shown);
                        return claim;
                    })
                    .ifPresent(holder -> {
                        holder.mustRenew("it holds the lock " + shown);
                        kit().visitor(observer, name).mustBeContended("the lock " + shown + " is held");
                        Assertions.assertEquals(
                                Optional.of(holder.ownerId()),
                                observer.holder(name).map(LockHolder::owner),
                                () -> "the holder that is shown for " + shown);
                        holder.mustRelease(Release.RELEASED, "it holds the lock " + shown);
                    });
        }
    }

    @LockRule("1.5")
    default void rule15_aContendedAttemptLeavesNothingBehindAfterItsRelease() {
        String name = kit().newName();
        DrivenClaim holder = kit().claim(name).lasting().makeGranted();
        for (ClaimSpec spec :
                new ClaimSpec[] {kit().claim(name), kit().claim(name).once()}) {
            DrivenClaim claim = spec.lasting().make();
            claim.mustBeContended("the lock is held");
            claim.mustRelease(Release.NOT_HELD, "a contended claim holds nothing");
        }
        holder.mustRelease(Release.RELEASED, "it holds the lock, and other claims have left");

        kit().visitor(name).mustBeGranted("the holder has left and every other claim was withdrawn");
    }

    @LockRule("1.8")
    @Needs(hooks = Hook.REMOVER)
    default void rule18_aRemovedLockIsGrantedToTheClientThatHeldIt() {
        String name = kit().newName();
        LockProvider provider = kit().provider();
        kit().claim(provider, name).lasting().makeGranted();
        kit().remove(name);

        DrivenClaim next = kit().claim(provider, name).lasting().make();
        next.mustBeGranted("an operator has freed the lock, and the store alone decides");
        kit().remove(name);
        kit().visitor(name).mustBeGranted("an operator has freed the lock");
    }

    @LockRule("1.8")
    default void rule18_aReleasedLockIsGrantedToAClientThatSawItHeld() {
        String name = kit().newName();
        LockProvider provider = kit().provider();
        DrivenClaim holder = kit().claim(name).lasting().makeGranted();
        DrivenClaim passing = kit().visitor(provider, name);
        passing.mustBeContended("the lock is held");
        passing.release();
        holder.mustRelease(Release.RELEASED, "it holds the lock");

        kit().visitor(provider, name).mustBeGranted("the holder has released the lock");
    }

    /** A claim on a tricky name by a new client: re-entry and local memory would hide a collision. */
    private Optional<DrivenClaim> grantedUnlessRefused(LockProvider holding, String name) {
        return kit().unlessRefused(() -> {
            DrivenClaim claim = kit().claim(holding, name).lasting().make();
            claim.mustBeGranted("nobody holds the lock " + TrickyNames.shown(name));
            return claim;
        });
    }
}
