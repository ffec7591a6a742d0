package io.holdfast.lock.tck;

import io.holdfast.lock.tck.faults.Faults;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** What a rule may need of a harness beyond providers. */
public enum Hook {
    /** {@link LockHarness#remover()}. */
    REMOVER("remover()"),
    /** {@link LockHarness#uri()}. */
    URI("uri()"),
    /** {@link LockHarness#isDisposable()}. */
    DISPOSABLE("isDisposable()"),
    /** {@link LockHarness#uri()}, and a system that can stop a process: {@code /bin/kill}. */
    STOPPABLE_PROCESSES("uri(), or this system has no /bin/kill"),
    /** {@link Faults#outage()}. */
    OUTAGE("faults().outage()"),
    /** {@link Faults#lostReplies()}. */
    LOST_REPLIES("faults().lostReplies()"),
    /** {@link Faults#stalledConnection()}. */
    STALLED_CONNECTION("faults().stalledConnection()"),
    /** {@link Faults#slowNetwork()}. */
    SLOW_NETWORK("faults().slowNetwork()"),
    /** {@link Faults#pause()}. */
    PAUSE("faults().pause()"),
    /** {@link Faults#crash()}. */
    CRASH("faults().crash()"),
    /** {@link Faults#dataLoss()}. */
    DATA_LOSS("faults().dataLoss()"),
    /** {@link Faults#sessionEnd()}. */
    SESSION_END("faults().sessionEnd()"),
    /** {@link Faults#clockStep()}. */
    CLOCK_STEP("faults().clockStep()"),
    /** {@link Faults#exhaustion()}. */
    EXHAUSTION("faults().exhaustion()");

    private final String method;

    Hook(String method) {
        this.method = method;
    }

    boolean isIn(LockHarness harness) {
        return offer(harness).isPresent();
    }

    private Optional<?> offer(LockHarness harness) {
        return switch (this) {
            case REMOVER -> harness.remover();
            case URI -> harness.uri();
            case DISPOSABLE -> Optional.of(harness).filter(LockHarness::isDisposable);
            case STOPPABLE_PROCESSES -> harness.uri().filter(uri -> Files.isExecutable(Path.of("/bin/kill")));
            case OUTAGE -> harness.faults().outage();
            case LOST_REPLIES -> harness.faults().lostReplies();
            case STALLED_CONNECTION -> harness.faults().stalledConnection();
            case SLOW_NETWORK -> harness.faults().slowNetwork();
            case PAUSE -> harness.faults().pause();
            case CRASH -> harness.faults().crash();
            case DATA_LOSS -> harness.faults().dataLoss();
            case SESSION_END -> harness.faults().sessionEnd();
            case CLOCK_STEP -> harness.faults().clockStep();
            case EXHAUSTION -> harness.faults().exhaustion();
        };
    }

    String absence(LockHarness harness) {
        if (this == DISPOSABLE) {
            return "nobody has said that the store is there for the tests alone, and the rule raises its tokens for good";
        }
        return harness.faults()
                .absence(method.replaceAll("^faults\\(\\)\\.|\\(\\)$", ""))
                .orElse("the harness has no " + method + ", which the rule needs");
    }
}
