package io.holdfast.lock.tck;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Release;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Assertions;

/** Chapter 1, mutual exclusion, asked of the provider. */
interface ExclusionRules extends Rules {

    @LockRule("1.1")
    default void rule11_aSecondClaimIsContendedWhileTheLockIsHeld() {
        String name = kit().newName();
        LockProvider provider = kit().provider();
        DrivenClaim holder =
                kit().bid(provider, name).leasing(kit().longLease()).get();

        kit().bid(provider, name).enter().mustBeContended("another owner of the same client holds the lock");
        kit().bid(name).enter().mustBeContended("another client holds the lock");
        kit().bid(name).once().enter().mustBeContended("another client holds the lock");
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

        Assertions.assertEquals(
                hammer.strikes(),
                hammer.counter(),
                "updates under the lock were lost: two claims were granted at once");
    }

    @LockRule({"1.1", "2.1"})
    @Needs(Capability.LEASED_PER_CLAIM)
    default void rule11_onlyOneBidderGetsTheLockOfADeadHolder() {
        List<LockProvider> clients = List.of(kit().provider(), kit().provider(), kit().provider());
        for (int round = 0; round < 3; round++) {
            TakeoverRace heirs = new TakeoverRace(kit());
            heirs.bidFrom(clients);
            Assertions.assertEquals(
                    Set.of(1),
                    heirs.locksByHeirs().keySet(),
                    () -> "each lock of a dead holder must have one next holder, but of the locks by number of holders"
                            + " there were " + heirs.locksByHeirs());
            heirs.mustAllRenew("nobody else was granted it");
        }
    }

    @LockRule("1.2")
    default void rule12_anAttemptDoesNotWaitForTheHolderToLeave() throws Exception {
        String name = kit().newName();
        kit().bid(name).leasing(kit().longLease()).get();
        DrivenClaim waiting = kit().bid(name).enter();
        DrivenClaim passing = kit().bid(name).once().enter();

        // Several, because none may wait a little, either.
        Pace.mustEndWithin(Duration.ZERO, "four contended attempts", () -> {
            for (DrivenClaim bidder : List.of(waiting, passing, waiting, passing)) {
                bidder.mustBeContended("the lock is held");
            }
        });
    }

    @LockRule("1.3")
    default void rule13_anAttemptThatIsSentAgainIsGrantedAgainAndNotCountedTwice() {
        String name = kit().newName();
        DrivenClaim holder = kit().bid(name).leasing(kit().longLease()).enter();
        Attempt.Granted first = holder.mustBeGranted("nobody holds the lock");
        DrivenClaim waiter = kit().bid(name).leasing(kit().longLease()).enter();
        waiter.mustBeContended("the lock is held");
        Attempt.Granted again = holder.mustBeGranted("the store has this very claim as granted");

        Assertions.assertEquals(
                first.fencingToken(), again.fencingToken(), "a claim that is granted again must keep its token");
        waiter.release();
        holder.mustRelease(Release.RELEASED, "the claim holds the lock");
        kit().bid(name).once().enter().mustBeGranted("the one claim that held the lock has released it");
    }

    @LockRule("1.4")
    default void rule14_namesThatDifferExcludeNobody() {
        LockProvider observer = kit().provider();
        for (String name : TrickyNames.variants(kit().newName())) {
            Optional<DrivenClaim> holder = grantedUnlessRefused(name);
            if (holder.isPresent()) {
                kit().named(name);
                kit().bid(observer, name)
                        .once()
                        .enter()
                        .mustBeContended("the lock " + TrickyNames.shown(name) + " is held");
                Assertions.assertEquals(
                        Optional.of(holder.get().ownerId()),
                        observer.holder(name).map(LockHolder::owner),
                        () -> "the holder that is shown for " + TrickyNames.shown(name));
            }
        }
    }

    @LockRule("1.5")
    default void rule15_aContendedAttemptLeavesNothingBehindAfterItsRelease() {
        String name = kit().newName();
        DrivenClaim holder = kit().bid(name).leasing(kit().longLease()).get();
        for (ClaimSpec bid : new ClaimSpec[] {kit().bid(name), kit().bid(name).once()}) {
            DrivenClaim contender = bid.leasing(kit().longLease()).enter();
            contender.mustBeContended("the lock is held");
            contender.mustRelease(Release.NOT_HELD, "a contended claim holds nothing");
        }
        holder.mustRelease(Release.RELEASED, "it holds the lock, whoever else has bid for it");

        kit().bid(name).once().enter().mustBeGranted("the holder has left and every other bid was withdrawn");
    }

    @LockRule("1.6")
    default void rule16_aClosedProviderThrowsAndDoesNotAnswer() {
        ProviderCalls calls = new ProviderCalls(kit(), kit().lease());
        calls.provider().close();

        calls.questions()
                .forEach((call, answer) -> Assertions.assertThrows(
                        LockException.class,
                        answer::call,
                        call
                                + " of a closed provider cannot know what the store would say: it must throw a LockException, not"
                                + " answer"));
        calls.abandon();
    }

    @LockRule("1.8")
    @Needs(hooks = Hook.REMOVER)
    default void rule18_aLockThatAnOperatorFreedIsGrantedAlsoByTheClientThatHeldIt() {
        String name = kit().newName();
        LockProvider provider = kit().provider();
        kit().bid(provider, name).leasing(kit().longLease()).get();
        kit().remove(name);

        DrivenClaim next = kit().bid(provider, name).leasing(kit().longLease()).enter();
        next.mustBeGranted("an operator has freed the lock, and no local memory may say otherwise");
        kit().remove(name);
        kit().bid(name).once().enter().mustBeGranted("an operator has freed the lock");
    }

    @LockRule("1.8")
    default void rule18_aLockThatAnotherClientFreedIsGrantedToAClientThatSawItHeld() {
        String name = kit().newName();
        LockProvider provider = kit().provider();
        DrivenClaim holder = kit().bid(name).leasing(kit().longLease()).get();
        DrivenClaim passing = kit().bid(provider, name).once().enter();
        passing.mustBeContended("the lock is held");
        passing.release();
        holder.mustRelease(Release.RELEASED, "it holds the lock");

        kit().bid(provider, name).once().enter().mustBeGranted("the holder has released the lock");
    }

    /** A claim on a tricky name, from a client of its own: re-entry and local memory would hide a collision. */
    private Optional<DrivenClaim> grantedUnlessRefused(String name) {
        try {
            DrivenClaim contender = kit().bid(name).leasing(kit().longLease()).enter();
            contender.mustBeGranted("nobody holds the lock " + TrickyNames.shown(name));
            return Optional.of(contender);
        } catch (LockConfigurationException refused) {
            Assertions.assertNotNull(refused.getMessage(), "a name is refused with a reason");
            return Optional.empty();
        }
    }
}
