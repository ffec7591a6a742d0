package io.holdfast.evidence;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;

/** What goes wrong while a test of the kit runs: by the hooks that the test needs. */
enum TestedFault {
    NONE("no fault", ""),
    REMOVER("the lock's record is deleted", "REMOVER"),
    OUTAGE("connections break, none can be made", "OUTAGE"),
    LOST_REPLIES("replies are lost", "LOST_REPLIES|LOST_REPLY"),
    ERROR_REPLIES("the server refuses all changes", "ERROR_REPLIES"),
    STALLED_CONNECTION("one connection hangs", "STALLED_CONNECTION"),
    SLOW_NETWORK("the network is slow", "SLOW_NETWORK"),
    EXHAUSTION("no new connection is admitted", "EXHAUSTION"),
    PAUSE("the server stands still (SIGSTOP)", "PAUSE"),
    CRASH("the server is killed and keeps its data", "CRASH"),
    DATA_LOSS("the server is killed and loses its data", "DATA_LOSS"),
    SESSION_END("the session ends", "SESSION_END"),
    CLOCK_STEP("the server's clock is set forward", "CLOCK_STEP"),
    PROCESSES("client processes are killed or stopped", "URI|STOPPABLE_PROCESSES");

    /** Conditions of tests, and no faults. */
    private static final Set<String> NO_FAULTS = Set.of("DISPOSABLE", "ONE_REQUEST");

    private final String words;
    private final String hooks;

    /** With a pattern of the names of the hooks. */
    TestedFault(String words, String hooks) {
        this.words = words;
        this.hooks = hooks;
    }

    /** What the row is called. */
    String words() {
        return words;
    }

    /**
     * Those under which a test runs.
     *
     * @param test of the kit
     * @return the faults; {@code NONE} alone if it needs none
     * @throws EvidenceException if the test needs a hook that no constant here is for
     */
    static Set<TestedFault> of(RecordedTest test) {
        Set<TestedFault> faults = test.hooks().stream()
                .filter(hook -> !NO_FAULTS.contains(hook))
                .map(TestedFault::ofHook)
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(TestedFault.class)));
        return faults.isEmpty() ? EnumSet.of(NONE) : faults;
    }

    private static TestedFault ofHook(String hook) {
        return Arrays.stream(values())
                .filter(fault -> hook.matches(fault.hooks))
                .findFirst()
                .orElseThrow(() -> new EvidenceException(
                        "The kit has a hook " + hook + " that TestedFault has no row for. Add one"));
    }
}
