package io.holdfast.lock.tck;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.tck.faults.Fault;
import io.holdfast.lock.tck.faults.Faults;
import java.time.Duration;
import org.junit.jupiter.api.Assertions;

/** Tests of the faults of a harness: a rule under a fault that is not there proves nothing. */
interface FaultControls extends Rules {

    @KitControl
    @Needs(hooks = Hook.OUTAGE)
    default void control_anOutageKeepsTheProvidersFromTheStore() throws Exception {
        noCallIsAnsweredDuring(faults().outage().orElseThrow(), "outage()");
    }

    @KitControl
    @Needs(hooks = Hook.LOST_REPLIES)
    default void control_aCommandWhoseReplyIsLostIsCarriedOut() throws Exception {
        Fault lostReplies = faults().lostReplies().orElseThrow();
        LockProvider provider = Trouble.connected(kit());
        String name = kit().newName();
        DrivenClaim claim = kit().claim(provider, name).lasting().make();
        boolean[] answered = {false};
        Trouble.during(lostReplies, () -> answered[0] = Call.elsewhere(() -> isAnswered(claim::attempt)));

        Assertions.assertFalse(answered[0], "lostReplies() must lose the replies: an attempt was answered");
        kit().visitor(name)
                .mustBeContended("lostReplies() must lose the reply to a command that the store carries out");
    }

    @KitControl
    @Needs(hooks = Hook.STALLED_CONNECTION)
    default void control_oneConnectionHangsAndAnotherDoesNot() throws Exception {
        Fault stall = faults().stalledConnection().orElseThrow();
        LockProvider provider = Trouble.connected(kit());
        String name = kit().newName();
        Trouble.during(stall, () -> {
            Call<Boolean> first = Call.start(() -> isAnswered(() -> provider.holder(name)));
            Pace.watch(kit().lease().dividedBy(2), () -> !first.isDone());
            Assertions.assertFalse(
                    first.isDone() && first.result(),
                    "stalledConnection() must let a connection hang: the first call was answered");
            Call<Boolean> second = Call.start(() -> isAnswered(() -> provider.holder(name)));
            Assertions.assertTrue(
                    Pace.within(kit().lease(), second::isDone) && second.result(),
                    "stalledConnection() must let one connection hang and no other: the second call was not answered");
        });
    }

    @KitControl
    @Needs(hooks = Hook.SLOW_NETWORK)
    default void control_everyReplyIsLateOnASlowNetwork() throws Exception {
        Duration delay = kit().lease().dividedBy(6);
        Fault slow = faults().slowNetwork().orElseThrow().apply(delay);
        LockProvider provider = Trouble.connected(kit());
        String name = kit().newName();
        Trouble.during(slow, () -> {
            long start = Pace.now();
            provider.holder(name);
            Duration took = Pace.since(start);
            Assertions.assertTrue(
                    took.compareTo(delay) >= 0,
                    () -> "slowNetwork() must delay every reply by " + delay.toMillis() + " ms: a call took "
                            + took.toMillis() + " ms");
        });
    }

    @KitControl
    @Needs(hooks = Hook.PAUSE)
    default void control_aPausedStoreAnswersNothing() throws Exception {
        Fault pause = faults().pause().orElseThrow();
        LockProvider provider = Trouble.connected(kit());
        String name = kit().newName();
        Trouble.during(pause, () -> {
            Call<Boolean> call = Call.start(() -> isAnswered(() -> provider.holder(name)));
            Pace.watch(kit().lease(), () -> !call.isDone());
            Assertions.assertFalse(
                    call.isDone() && call.result(), "pause() must stop the store: a call was answered meanwhile");
        });
        Trouble.answered("a call after pause()", () -> provider.holder(name));
    }

    @KitControl
    @Needs(value = Capability.LEASED_PER_CLAIM, hooks = Hook.CRASH)
    default void control_aCrashEndsTheStoreAndKeepsItsData() throws Exception {
        Fault crash = faults().crash().orElseThrow();
        String name = kit().newName();
        DrivenClaim holder = kit().claim(name).lasting().makeGranted();
        noCallIsAnsweredDuring(crash, "crash()");

        LockProvider provider = kit().provider();
        Assertions.assertTrue(
                Trouble.answered("a call after crash()", () -> provider.holder(name))
                        .isPresent(),
                "crash() must keep the data of the store: a lock that was held is not held after it");
        Trouble.answered("a release", holder::release);
    }

    @KitControl
    @Needs(value = Capability.LEASED_PER_CLAIM, hooks = Hook.DATA_LOSS)
    default void control_aLossOfDataEndsTheStoreAndItsData() throws Exception {
        Fault loss = faults().dataLoss().orElseThrow();
        String name = kit().newName();
        DrivenClaim holder = kit().claim(name).lasting().makeGranted();
        noCallIsAnsweredDuring(loss, "dataLoss()");

        LockProvider provider = kit().provider();
        Assertions.assertTrue(
                Trouble.answered("a call after dataLoss()", () -> provider.holder(name))
                        .isEmpty(),
                "dataLoss() must lose the data of the store: a lock that was held is still held after it");
        Trouble.answered("a release", holder::release);
    }

    @KitControl
    @Needs(hooks = Hook.SESSION_END)
    default void control_theEndOfASessionFreesItsLocks() {
        LockProvider provider = kit().provider();
        String name = kit().newName();
        kit().claim(provider, name).lasting().makeGranted();
        faults().sessionEnd().orElseThrow().accept(provider);

        Assertions.assertTrue(
                Pace.within(kit().longestLife(), kit().claim(name).make()::isGranted),
                "sessionEnd() must end the session of a provider: its lock was still held");
    }

    @KitControl
    @Needs(hooks = Hook.CLOCK_STEP)
    default void control_aStepOfTheClockEndsLeases() throws Exception {
        Fault step = faults().clockStep().orElseThrow().apply(kit().longLease().multipliedBy(2));
        String name = kit().newName();
        kit().claim(Trouble.connected(kit()), name).lasting().makeGranted();
        DrivenClaim next = kit().claim(Trouble.connected(kit()), name).make();
        Trouble.during(step, () -> {
            Assertions.assertTrue(
                    Pace.within(kit().lease(), next::isGranted),
                    "clockStep() must set the store's clock forward: a lock was held past its lease");
            next.release();
        });
    }

    @KitControl
    @Needs(hooks = Hook.EXHAUSTION)
    default void control_noConnectionIsLeft() throws Exception {
        Fault exhaustion = faults().exhaustion().orElseThrow();
        Trouble.connected(kit());
        String name = kit().newName();
        Trouble.during(
                exhaustion,
                // Also the provider is opened now: it may connect at once.
                () -> Assertions.assertFalse(
                        Call.elsewhere(() -> isAnswered(() -> kit().provider().holder(name))),
                        "exhaustion() must leave no connection to be made: the call of a new provider was answered"));
        LockProvider newcomer = kit().provider();
        Trouble.answered("a call after exhaustion()", () -> newcomer.holder(name));
    }

    private Faults faults() {
        return kit().harness().faults();
    }

    private void noCallIsAnsweredDuring(Fault fault, String hook) throws Exception {
        LockProvider provider = Trouble.connected(kit());
        String name = kit().newName();
        Trouble.during(
                fault,
                () -> Assertions.assertFalse(
                        Call.elsewhere(() -> isAnswered(() -> provider.holder(name))),
                        hook + " must keep the providers from the store: a call was answered meanwhile"));
        Trouble.answered("a call after " + hook, () -> provider.holder(name));
    }

    private static boolean isAnswered(Runnable call) {
        try {
            call.run();
            return true;
        } catch (LockStoreException failed) {
            return false;
        }
    }
}
