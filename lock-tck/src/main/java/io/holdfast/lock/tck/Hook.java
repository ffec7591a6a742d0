package io.holdfast.lock.tck;

import io.holdfast.lock.tck.faults.ChildJvm;
import io.holdfast.lock.tck.faults.Faults;
import java.util.function.Predicate;

/** What a rule may need of a harness beyond providers. */
public enum Hook {
    /** {@link LockHarness#remover()}. */
    REMOVER(
            "remover",
            "deletes the record of a lock as an operator would",
            harness -> harness.remover().isPresent()),
    /** {@link LockHarness#uri()}. */
    URI(
            "uri",
            "starts other processes, which compete for a lock",
            harness -> harness.uri().isPresent()),
    /** {@link LockHarness#isDisposable()}. */
    DISPOSABLE(
            "isDisposable",
            LockHarness::isDisposable,
            "nobody has said that the store is there for the tests alone, and the rule raises its tokens for good, or"
                    + " locks names that others may use"),
    /** {@link LockHarness#decidesByOneRequest()}. */
    ONE_REQUEST(
            "decidesByOneRequest",
            LockHarness::decidesByOneRequest,
            "several servers may vote on an attempt, and no network copies such an attempt as a whole"),
    /** {@link LockHarness#uri()}, and a system that can stop a process: {@link ChildJvm#canBePaused()}. */
    STOPPABLE_PROCESSES(
            "uri",
            harness -> harness.uri().isPresent() && ChildJvm.canBePaused(),
            "the rule stops processes, and there is no uri() for them here, or no program 'kill' on this system"),
    /** {@link Faults#outage()}. */
    OUTAGE(
            "outage",
            "cuts the clients off from their store",
            harness -> harness.faults().outage().isPresent()),
    /** {@link Faults#lostReplies()}. */
    LOST_REPLIES(
            "lostReplies",
            "loses replies of the store",
            harness -> harness.faults().lostReplies().isPresent()),
    /** {@link Faults#lostReply()}. */
    LOST_REPLY(
            "lostReply",
            "loses one reply of the store",
            harness -> harness.faults().lostReply().isPresent()),
    /** {@link Faults#errorReplies()}. */
    ERROR_REPLIES(
            "errorReplies",
            "has the store answer with errors",
            harness -> !harness.faults().errorReplies().isEmpty()),
    /** {@link Faults#stalledConnection()}. */
    STALLED_CONNECTION(
            "stalledConnection",
            "lets one connection of several hang",
            harness -> harness.faults().stalledConnection().isPresent()),
    /** {@link Faults#slowNetwork()}. */
    SLOW_NETWORK(
            "slowNetwork",
            "slows the network down",
            harness -> harness.faults().slowNetwork().isPresent()),
    /** {@link Faults#pause()}. */
    PAUSE(
            "pause",
            "stops the store for a while",
            harness -> harness.faults().pause().isPresent()),
    /** {@link Faults#crash()}. */
    CRASH(
            "crash",
            "kills the store and starts it again",
            harness -> harness.faults().crash().isPresent()),
    /** {@link Faults#dataLoss()}. */
    DATA_LOSS(
            "dataLoss",
            "has the store lose its data",
            harness -> harness.faults().dataLoss().isPresent()),
    /** {@link Faults#sessionEnd()}. */
    SESSION_END(
            "sessionEnd",
            "ends the session of a client",
            harness -> harness.faults().sessionEnd().isPresent()),
    /** {@link Faults#clockStep()}. */
    CLOCK_STEP(
            "clockStep",
            "sets the clock of the store forward",
            harness -> harness.faults().clockStep().isPresent()),
    /** {@link Faults#exhaustion()}. */
    EXHAUSTION(
            "exhaustion",
            "uses up the connections that the store admits",
            harness -> harness.faults().exhaustion().isPresent());

    private final String method;

    @SuppressWarnings("ImmutableEnumChecker") // The functions keep nothing.
    private final Predicate<LockHarness> offered;

    private final String absence;

    /** With what the rules do by it, as the end of the sentence "the rule ...". */
    Hook(String method, String does, Predicate<LockHarness> offered) {
        this(method, offered, "the rule " + does + ", and there is no " + method + "() for it here");
    }

    Hook(String method, Predicate<LockHarness> offered, String absence) {
        this.method = method;
        this.offered = offered;
        this.absence = absence;
    }

    /**
     * Whether a test that needs it disturbs the calls of the store itself: {@link #OUTAGE} is the first fault, and only faults
     * follow it.
     */
    boolean isFault() {
        return compareTo(OUTAGE) >= 0;
    }

    boolean isIn(LockHarness harness) {
        return offered.test(harness);
    }

    /** Why the rule is skipped: by the harness's own words, if it has some. */
    String absence(LockHarness harness) {
        return harness.faults().absence(method).orElse(absence);
    }
}
