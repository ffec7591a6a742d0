package io.holdfast.lock.tck;

import java.util.List;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Timeout;

/** What several processes keep that compete for one lock, while some are killed and others stop for longer than their leases. */
interface ProcessRules extends Rules {

    /** In seconds: on a busy machine four JVMs that start at once need a minute or two. */
    long TIME_OUT = 300;

    @LockRule({"1.1", "2.1", "6.1", "6.4", "7.3", "8.2"})
    @Needs(hooks = Hook.STOPPABLE_PROCESSES)
    @Timeout(value = TIME_OUT, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    default void rule11_processesThatAreKilledOrStoppedHoldNoLockTogether() throws Exception {
        try (Rivals rivals = new Rivals(kit().harness(), kit().newName(), kit().lease())) {
            List<String> first = List.of(rivals.launch(), rivals.launch(), rivals.launch());
            first.forEach(rivals::go);
            // While it starts, the first three compete.
            String late = rivals.launch();
            rivals.go(late);
            for (int i = 0; i < 3; i++) {
                String stopped = first.get(i % 2);
                rivals.pause(stopped);
                Pace.pass(kit().longestLife().plus(kit().lease().dividedBy(2)));
                rivals.resume(stopped);
                Pace.pass(kit().lease().dividedBy(2));
            }
            rivals.kill(first.get(2));
            Pace.pass(kit().longestLife().multipliedBy(2));
            History history = rivals.end();

            boolean fenced = Capability.FENCED.isMetBy(kit().capabilities());
            List<String> violations = history.violations(fenced);
            Assertions.assertTrue(
                    violations.isEmpty(),
                    () -> violations.get(0)
                            + (violations.size() > 1
                                    ? ", and " + (violations.size() - 1) + " more things like that"
                                    : "")
                            + ". The processes wrote down:\n"
                            + String.join("\n", history.evidence(fenced)));
            if (history.grants() < 10) {
                throw new InconclusiveError("only " + history.grants() + " holds in all: too few to tell anything");
            }
            if (fenced) {
                long number = rivals.number();
                // A process that is killed may have no time to write down its last update.
                Assertions.assertTrue(
                        number == history.writes() || number == history.writes() + 1,
                        () -> "an update was lost: the number is " + number + " after " + history.writes()
                                + " updates");
            }
        }
    }
}
