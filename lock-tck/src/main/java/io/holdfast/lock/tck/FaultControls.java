package io.holdfast.lock.tck;

import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.tck.faults.Fault;
import io.holdfast.lock.tck.faults.Faults;
import io.holdfast.lock.tck.faults.LostReply;
import io.holdfast.lock.tck.probe.FaultProbes;
import java.time.Duration;
import java.util.Optional;
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
        String name = kit().newName();
        DrivenClaim claim =
                kit().claim(Trouble.connected(kit()), name).lasting().make();

        mustWork(
                "lostReplies() must lose the reply to a command that the store carries out",
                probes().lostReply(
                                lostReplies,
                                claim::attempt,
                                () -> kit().visitor(name).opened(),
                                false));
    }

    @KitControl
    @Needs(hooks = Hook.LOST_REPLY)
    default void control_oneReplyIsLostAndNoOther() throws Exception {
        LostReply lostReply = faults().lostReply().orElseThrow();
        LockProvider provider = Trouble.connected(kit());
        DrivenClaim claim = kit().tryingOnce(provider, kit().newName());
        Trouble.during(lostReply.fault(), () -> {
            // A provider that repeats the command is answered in the end.
            boolean unused = Call.isAnswered(claim::attempt);
            Attempt.Granted unusedGrant = Trouble.answered(
                    "a call after lostReply() has lost a reply",
                    () -> claim.mustBeGranted("nobody else wants the lock"));
        });
        Assertions.assertTrue(
                lostReply.happened().getAsBoolean(), "lostReply() must lose the reply to a command: it has lost none");
    }

    @KitControl
    @Needs(hooks = Hook.ERROR_REPLIES)
    default void control_aRequestThatIsAnsweredWithAnErrorIsNotCarriedOut() throws Exception {
        for (Fault errors : faults().errorReplies()) {
            String name = kit().newName();
            DrivenClaim claim =
                    kit().claim(Trouble.connected(kit()), name).lasting().make();

            mustWork(
                    "errorReplies() must have the store answer an attempt with an error, and not grant the lock",
                    probes().errorReply(
                                    errors,
                                    claim::attempt,
                                    () -> kit().visitor(name).opened()));
        }
    }

    @KitControl
    @Needs(hooks = Hook.STALLED_CONNECTION)
    default void control_oneConnectionHangsAndAnotherDoesNot() throws Exception {
        Fault stall = faults().stalledConnection().orElseThrow();
        mustWork(
                "stalledConnection() must let a connection hang, and no other",
                probes().stalledConnection(
                                stall, Trouble.connected(kit()), kit().lease().dividedBy(2), 1, kit().lease()));
    }

    @KitControl
    @Needs(hooks = Hook.SLOW_NETWORK)
    default void control_everyReplyIsLateOnASlowNetwork() throws Exception {
        Duration delay = kit().lease().dividedBy(6);
        Fault slow = faults().slowNetwork().orElseThrow().apply(delay);
        mustWork("slowNetwork() must delay every reply", probes().slowNetwork(slow, Trouble.connected(kit()), delay));
    }

    @KitControl
    @Needs(hooks = Hook.PAUSE)
    default void control_aPausedStoreAnswersNothing() throws Exception {
        Fault pause = faults().pause().orElseThrow();
        LockProvider provider = Trouble.connected(kit());
        mustWork("pause() must stop the store", probes().pause(pause, provider, kit().lease()));
        Trouble.answered("a call after pause()", () -> provider.holder(kit().newName()));
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
        mustWork(
                "exhaustion() must leave no connection to be made",
                probes().exhaustion(exhaustion, () -> kit().provider().holder(name)));
        LockProvider newcomer = kit().provider();
        Trouble.answered("a call after exhaustion()", () -> newcomer.holder(name));
    }

    private Faults faults() {
        return kit().harness().faults();
    }

    private FaultProbes probes() {
        return new FaultProbes(new KitCaller(), kit().newName());
    }

    private static void mustWork(String demand, Optional<String> seen) {
        seen.ifPresent(instead -> Assertions.fail(demand + ": " + instead));
    }

    private void noCallIsAnsweredDuring(Fault fault, String hook) throws Exception {
        LockProvider provider = Trouble.connected(kit());
        mustWork(hook + " must keep the providers from the store", probes().cutOff(fault, provider));
        String name = kit().newName();
        Trouble.answered("a call after " + hook, () -> provider.holder(name));
    }
}
