package io.holdfast.lock.tck;

import io.holdfast.lock.LockCapabilities;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.tck.report.Finding;
import io.holdfast.lock.tck.report.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;
import org.junit.jupiter.api.Assertions;

/**
 * What a provider must be able to do before its rules are worth testing: grant a free lock, refuse a held one, renew, release. A
 * provider that cannot would fail most tests of the kit, and none of these failures would name the reason.
 */
final class FirstThings {

    private static final Duration HANGS = Duration.ofSeconds(15);

    /** A harness may start a server before it opens a provider. */
    private static final Duration OPENING = Duration.ofSeconds(90);

    private static final Duration LOOK = Duration.ofMillis(50);
    private static final int TRIES = 3;

    /**
     * Of about the length for which the kit's leases and sessions are: a machine that stands still for a good part of it may end
     * one.
     */
    private static final Duration LEASE = Duration.ofSeconds(1);

    private FirstThings() {}

    /**
     * The first thing that the provider cannot do.
     *
     * @param rule the rule that it breaks; empty if the harness is to blame
     * @param hangs whether a call did not return: most tests would take two minutes then
     * @param passes whether it may be another time: the outcome of a call was unknown, or the machine stood still
     * @param seen what was seen
     */
    record Defect(String rule, boolean hangs, boolean passes, String seen) {

        /** Whether a test of these rules, or of the harness if there are none, can still tell something. */
        boolean leaves(List<String> rules) {
            return rules.contains(rule) || (rules.isEmpty() && !hangs);
        }

        Finding finding(String level) {
            List<String> rules = rule.isEmpty() ? List.of() : List.of(rule);
            return new Finding(level, Finding.FIRST_THINGS, rules, List.of(), Verdict.BROKEN, seen, Duration.ZERO);
        }

        @Override
        public String toString() {
            return (rule.isEmpty() ? "the harness: " : "rule " + rule + ": ") + seen;
        }
    }

    static Optional<Defect> defectOf(Supplier<LockHarness> harness) {
        Optional<Defect> defect = tryOut(harness);
        // A store that was started just now, or a busy machine, may leave a call without an answer.
        for (int tries = 1; tries < TRIES && defect.filter(Defect::passes).isPresent(); tries++) {
            Metronome.awaitCalm(LEASE);
            defect = tryOut(harness);
        }
        return defect;
    }

    private static Optional<Defect> tryOut(Supplier<LockHarness> harness) {
        Steps steps = new Steps();
        FutureTask<Optional<Defect>> trial = new FutureTask<>(() -> steps.tryOut(harness));
        Thread thread = new Thread(trial, "lock-tck-first-things");
        thread.setDaemon(true);
        thread.start();
        while (!trial.isDone()) {
            Step step = steps.now;
            if (step.limit.isOver()) {
                thread.interrupt();
                return Optional.of(
                        step.defect(true, false, " has not ended after " + step.most.toSeconds() + " seconds"));
            }
            Pace.watch(LOOK, () -> !trial.isDone());
        }
        try {
            return trial.get();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("The kit was interrupted", interrupted);
        } catch (ExecutionException failed) {
            Throwable cause = failed.getCause();
            // Some providers take a lock when they are opened, as one that moves to another store does.
            boolean passes = cause instanceof LockStoreException || cause instanceof LockLostException;
            return Optional.of(steps.now.defect(false, passes, " failed: " + cause));
        }
    }

    /**
     * What is tried.
     *
     * @param rule the rule that is broken if it fails; empty if the harness is to blame
     * @param most how long it may take
     */
    private record Step(String rule, String what, Duration most, Pace.Limit limit) {

        Step(String rule, String what, Duration most) {
            this(rule, what, most, new Pace.Limit(most));
        }

        Defect defect(boolean hangs, boolean passes, String how) {
            return new Defect(rule, hangs, passes, what + how);
        }
    }

    /** Remembers where it is. */
    private static final class Steps {
        private volatile Step now = new Step("", "to open a provider", OPENING);

        Optional<Defect> tryOut(Supplier<LockHarness> making) throws Exception {
            long begun = Pace.now();
            try (LockHarness harness = making.get()) {
                Kit kit = new Kit(harness, LockCapabilities.BASIC);
                try (LockProvider one = harness.open();
                        LockProvider other = harness.open()) {
                    tryOut(kit, one, other);
                    step("9.3", "to close a provider");
                }
                step("", "to close the harness");
            } catch (AssertionError broken) {
                boolean stood = Metronome.worst(begun, LEASE).compareTo(LEASE.dividedBy(4)) >= 0;
                return Optional.of(new Defect(now.rule, false, stood, String.valueOf(broken.getMessage())));
            }
            return Optional.empty();
        }

        private void tryOut(Kit kit, LockProvider one, LockProvider other) {
            String name = kit.newName();
            DrivenClaim holder = kit.claim(one, name).lasting().make();
            DrivenClaim rival = kit.claim(other, name).lasting().once().make();
            step("5.4", "the first attempt for a free lock");
            holder.mustBeGranted("nobody holds the lock");
            step("1.1", "an attempt for a lock that is held");
            rival.mustBeContended("another claim holds the lock");
            DrivenClaim waiter = kit.claim(other, name).lasting().make();
            step("1.2", "an attempt of a claim that waits");
            mustBeAnsweredAsSoon(waiter, rival);
            step("1.5", "a release of a claim that waits");
            waiter.release();
            step("3.1", "a renewal");
            holder.mustRenew("it holds the lock");
            step("5.4", "a release, and an attempt after it");
            holder.release();
            rival.mustBeGranted("the holder has released the lock");
            rival.release();
        }

        /** If each attempt waited for the holder for a while, most tests would take minutes. */
        private static void mustBeAnsweredAsSoon(DrivenClaim waiter, DrivenClaim rival) {
            Duration longer = Duration.ZERO;
            for (int tries = 0; tries < TRIES; tries++) {
                longer = timeToRefuse(waiter).minus(timeToRefuse(rival));
                if (longer.compareTo(Pace.SLACK) <= 0) {
                    return;
                }
            }
            throw new AssertionError("an attempt must not wait for the holder to leave, but " + TRIES
                    + " times that of a claim that waits took longer than that of one that does not, the last time by "
                    + longer.toMillis() + " ms");
        }

        private static Duration timeToRefuse(DrivenClaim claim) {
            long start = Pace.now();
            Assertions.assertInstanceOf(
                    Attempt.Contended.class, claim.opened().attempt(), "an attempt, as another claim holds the lock");
            return Pace.since(start);
        }

        private void step(String rule, String what) {
            now = new Step(rule, what, HANGS);
        }
    }
}
