package io.holdfast.lock.tck;

import io.holdfast.lock.tck.faults.ChildJvm;
import io.holdfast.lock.tck.faults.Faults;
import java.util.function.Predicate;

/** What a rule may need of a harness beyond providers. */
public enum Hook {
    /** {@link LockHarness#remover()}. */
    REMOVER("remover", harness -> harness.remover().isPresent()),
    /** {@link LockHarness#uri()}. */
    URI("uri", harness -> harness.uri().isPresent()),
    /** {@link LockHarness#isDisposable()}. */
    DISPOSABLE(
            "isDisposable",
            LockHarness::isDisposable,
            "nobody has said that the store is there for the tests alone, and the rule raises its tokens for good, or locks names that others may use"),
    /** {@link LockHarness#decidesByOneRequest()}. */
    ONE_REQUEST(
            "decidesByOneRequest",
            LockHarness::decidesByOneRequest,
            "several servers may vote on an attempt, and no network copies such an attempt as a whole"),
    /** {@link LockHarness#uri()}, and a system that can stop a process: {@link ChildJvm#canBePaused()}. */
    STOPPABLE_PROCESSES(
            "uri",
            harness -> harness.uri().isPresent() && ChildJvm.canBePaused(),
            "the harness has no uri(), or this system no program 'kill', which the rule needs"),
    /** {@link Faults#outage()}. */
    OUTAGE("outage", harness -> harness.faults().outage().isPresent()),
    /** {@link Faults#lostReplies()}. */
    LOST_REPLIES("lostReplies", harness -> harness.faults().lostReplies().isPresent()),
    /** {@link Faults#stalledConnection()}. */
    STALLED_CONNECTION(
            "stalledConnection", harness -> harness.faults().stalledConnection().isPresent()),
    /** {@link Faults#slowNetwork()}. */
    SLOW_NETWORK("slowNetwork", harness -> harness.faults().slowNetwork().isPresent()),
    /** {@link Faults#pause()}. */
    PAUSE("pause", harness -> harness.faults().pause().isPresent()),
    /** {@link Faults#crash()}. */
    CRASH("crash", harness -> harness.faults().crash().isPresent()),
    /** {@link Faults#dataLoss()}. */
    DATA_LOSS("dataLoss", harness -> harness.faults().dataLoss().isPresent()),
    /** {@link Faults#sessionEnd()}. */
    SESSION_END("sessionEnd", harness -> harness.faults().sessionEnd().isPresent()),
    /** {@link Faults#clockStep()}. */
    CLOCK_STEP("clockStep", harness -> harness.faults().clockStep().isPresent()),
    /** {@link Faults#exhaustion()}. */
    EXHAUSTION("exhaustion", harness -> harness.faults().exhaustion().isPresent());

    private final String method;

    @SuppressWarnings("ImmutableEnumChecker") // The functions keep nothing.
    private final Predicate<LockHarness> offered;

    private final String absence;

    Hook(String method, Predicate<LockHarness> offered) {
        this(method, offered, "the harness has no " + method + "(), which the rule needs");
    }

    Hook(String method, Predicate<LockHarness> offered, String absence) {
        this.method = method;
        this.offered = offered;
        this.absence = absence;
    }

    boolean isIn(LockHarness harness) {
        return offered.test(harness);
    }

    /** Why the rule is skipped: by the harness's own words, if it has some. */
    String absence(LockHarness harness) {
        return harness.faults().absence(method).orElse(absence);
    }
}
