package io.holdfast.lock.tck;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockException;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Release;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Assertions;

/** Chapter 1, mutual exclusion, asked of the provider. */
interface ExclusionRules extends Rules {

    @LockRule("1.1")
    default void rule11_aSecondClaimIsContendedWhileTheLockIsHeld() {
        String name = kit().newName();
        LockProvider provider = kit().provider();
        Contender holder = kit().bid(provider, name).leasing(kit().longLease()).get();

        kit().bid(provider, name).enter().mustBeContended("another owner of the same client holds the lock");
        kit().bid(name).enter().mustBeContended("another client holds the lock");
        kit().bid(name).once().enter().mustBeContended("another client holds the lock");
        Assertions.assertEquals(
                holder.ownerId(),
                provider.holder(name).orElseThrow().owner(),
                "the lock must be shown as held by the owner that it was granted to");
    }

    @LockRule("1.1")
    default void rule11_noUpdateUnderTheLockIsLostHoweverManyContend() throws InterruptedException {
        String name = kit().newName();
        Hammer hammer = new Hammer(Duration.ofMillis(1200));
        for (int client = 0; client < 3; client++) {
            LockProvider provider = kit().provider();
            for (int thread = 0; thread < 2; thread++) {
                hammer.add(() -> {
                    Contender contender =
                            kit().bid(provider, name).leasing(kit().longLease()).enter();
                    while (!hammer.isOver()) {
                        if (contender.isGranted()) {
                            hammer.strike();
                            contender.release();
                        }
                    }
                    contender.release();
                });
            }
        }

        hammer.run();

        Assertions.assertEquals(
                hammer.strikes(),
                hammer.counter(),
                "updates under the lock were lost: two claims were granted at once");
    }

    @LockRule("1.2")
    default void rule12_anAttemptDoesNotWaitForTheHolderToLeave() {
        String name = kit().newName();
        kit().bid(name).leasing(kit().longLease()).get();
        Contender waiting = kit().bid(name).enter();
        Contender passing = kit().bid(name).once().enter();

        Pace.Limit limit = new Pace.Limit(Duration.ZERO);
        waiting.mustBeContended("the lock is held");
        passing.mustBeContended("the lock is held");

        Assertions.assertFalse(limit.isOver(), () -> "two contended attempts must return within " + limit);
    }

    @LockRule("1.3")
    default void rule13_anAttemptThatIsSentAgainIsGrantedAgainAndNotCountedTwice() {
        String name = kit().newName();
        Contender holder = kit().bid(name).leasing(kit().longLease()).enter();
        Attempt.Granted first = holder.mustBeGranted("nobody holds the lock");
        Attempt.Granted again = holder.mustBeGranted("the store has this very claim as granted");

        Assertions.assertEquals(
                first.fencingToken(), again.fencingToken(), "a claim that is granted again must keep its token");
        holder.mustRelease(Release.RELEASED, "the claim holds the lock");
        kit().bid(name).once().enter().mustBeGranted("the one claim that held the lock has released it");
    }

    @LockRule("1.4")
    default void rule14_namesThatDifferExcludeNobody() {
        LockProvider observer = kit().provider();
        for (String name : TrickyNames.variants(kit().newName())) {
            Optional<Contender> holder = grantedUnlessRefused(name);
            if (holder.isPresent()) {
                kit().named(name);
                kit().bid(observer, name)
                        .once()
                        .enter()
                        .mustBeContended("the lock " + TrickyNames.shown(name) + " is held");
                Assertions.assertEquals(
                        holder.get().ownerId(),
                        observer.holder(name).orElseThrow().owner(),
                        () -> "the holder shown for " + TrickyNames.shown(name));
            }
        }
    }

    @LockRule("1.5")
    default void rule15_aContendedAttemptLeavesNothingBehindAfterItsRelease() {
        String name = kit().newName();
        Contender holder = kit().bid(name).leasing(kit().longLease()).get();
        for (Bid bid : new Bid[] {kit().bid(name), kit().bid(name).once()}) {
            Contender contender = bid.leasing(kit().longLease()).enter();
            contender.mustBeContended("the lock is held");
            contender.mustRelease(Release.NOT_HELD, "a contended claim holds nothing");
        }
        holder.mustRelease(Release.RELEASED, "it holds the lock, whoever else has bid for it");

        kit().bid(name).once().enter().mustBeGranted("the holder has left and every other bid was withdrawn");
    }

    @LockRule("1.6")
    default void rule16_aProviderThatCannotReachItsStoreThrows() {
        String name = kit().newName();
        LockProvider provider = kit().provider();
        Contender contender = kit().bid(provider, name).enter();
        provider.close();

        Assertions.assertThrows(
                LockException.class,
                contender::attempt,
                "an attempt whose provider was closed cannot know whether the lock is free: it must throw a LockException,"
                        + " not answer");
        contender.abandon();
    }

    @LockRule("1.8")
    @Needs(hooks = Hook.REMOVER)
    default void rule18_aLockThatAnOperatorFreedIsGrantedAlsoByTheClientThatHeldIt() {
        String name = kit().newName();
        LockProvider provider = kit().provider();
        kit().bid(provider, name).leasing(kit().longLease()).get();
        kit().remove(name);

        Contender next = kit().bid(provider, name).leasing(kit().longLease()).enter();
        next.mustBeGranted("an operator has freed the lock, and no local memory may say otherwise");
        kit().remove(name);
        kit().bid(name).once().enter().mustBeGranted("an operator has freed the lock");
    }

    @LockRule("1.8")
    default void rule18_aLockThatAnotherClientFreedIsGrantedToAClientThatSawItHeld() {
        String name = kit().newName();
        LockProvider provider = kit().provider();
        Contender holder = kit().bid(name).leasing(kit().longLease()).get();
        Contender passing = kit().bid(provider, name).once().enter();
        passing.mustBeContended("the lock is held");
        passing.release();
        holder.mustRelease(Release.RELEASED, "it holds the lock");

        kit().bid(provider, name).once().enter().mustBeGranted("the holder has released the lock");
    }

    /** A claim on a tricky name, from a client of its own: re-entry and local memory would hide a collision. */
    private Optional<Contender> grantedUnlessRefused(String name) {
        try {
            Contender contender = kit().bid(name).leasing(kit().longLease()).enter();
            contender.mustBeGranted("nobody holds the lock " + TrickyNames.shown(name));
            return Optional.of(contender);
        } catch (LockConfigurationException refused) {
            Assertions.assertNotNull(refused.getMessage(), "a name is refused with a reason");
            return Optional.empty();
        }
    }
}
