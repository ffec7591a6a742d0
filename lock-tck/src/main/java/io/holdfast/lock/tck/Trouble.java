package io.holdfast.lock.tck;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.lock.tck.faults.Fault;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;

/** A fault as the rules use it: it always ends, and what has to work afterwards gets the time to be repaired. */
final class Trouble {

    private Trouble() {}

    /** The outage of the harness, for a rule that needs one. */
    static Fault outage(Kit kit) {
        return kit.harness().faults().outage().orElseThrow();
    }

    /** The crash of the harness, after which the store has its data, for a rule that needs one. */
    static Fault crash(Kit kit) {
        return kit.harness().faults().crash().orElseThrow();
    }

    /** One of the kinds of errors of the harness, for a rule of which one is enough. */
    static Fault anError(Kit kit) {
        return kit.harness().faults().errorReplies().get(0);
    }

    /**
     * Opens a provider and has it connect: a fault must reach connections that are there, and not only the making of new ones.
     */
    static LockProvider connected(Kit kit) {
        LockProvider provider = kit.provider();
        kit.claim(provider, kit.newName()).lasting().makeGranted().release();
        return provider;
    }

    /** Claims of one provider that each hold a different lock, for longer than a fault lasts. */
    static List<DrivenClaim> holders(Kit kit, LockProvider provider, int number) {
        return Stream.generate(() ->
                        kit.claim(provider, kit.newName()).outlastingFaults().makeGranted())
                .limit(number)
                .toList();
    }

    /** Claims of one provider that each try once for a different lock. */
    static List<DrivenClaim> tryingOnce(Kit kit, LockProvider provider, int number) {
        return Stream.generate(() -> kit.tryingOnce(provider, kit.newName()))
                .limit(number)
                .toList();
    }

    /** Runs a piece of a test while a fault is there. */
    static void during(Fault fault, Pace.Body body) throws Exception {
        fault.begin().run();
        try {
            body.run();
        } finally {
            fault.end().run();
        }
    }

    /** Repeats a call until the store answers it, for as long as a provider may need to recover. */
    static <T> T answered(String what, Callable<T> call) throws Exception {
        return answered(what, call, new Pace.Limit(Pace.BACK_WITHIN));
    }

    /** Repeats a call until the store answers it. Fails past the limit. */
    static <T> T answered(String what, Callable<T> call, Pace.Limit limit) throws Exception {
        while (true) {
            try {
                return call.call();
            } catch (LockStoreException stillBroken) {
                if (limit.isOver()) {
                    AssertionError late = new AssertionError(
                            what + " must be answered by a store that works, within " + limit + ": " + stillBroken);
                    // Not as the cause: no stall explains so many failures.
                    late.addSuppressed(stillBroken);
                    throw late;
                }
                Pace.pass(Duration.ofMillis(20));
            }
        }
    }

    /** As {@link #answered(String, Callable)}, for a call that checks its answer itself. */
    static void carriedOut(String what, Pace.Body call) throws Exception {
        boolean unused = answered(what, () -> {
            call.run();
            return true;
        });
    }

    /** Fails with the exception for an unknown outcome, and within the time in which every call has to end. */
    static void mustFail(Callable<?> call) {
        Call<?> failing = Call.start(call);
        mustEnd(failing, "a call");
        failing.mustFailWith(LockStoreException.class, "the outcome is unknown");
    }

    /** Fails if one of a batch of renewals is answered. A failure may end the call, or be the answer to each claim. */
    static void mustAllFail(Supplier<List<Renewal>> renewals) {
        mustFail(() -> {
            List<Renewal> answers = renewals.get();
            answers.forEach(answer -> Assertions.assertInstanceOf(
                    Renewal.Unknown.class, answer, "the answer to each renewal of a batch that fails"));
            throw ((Renewal.Unknown) answers.get(0)).failure();
        });
    }

    /** The answer to one of a batch of renewals; throws its failure if its outcome is unknown. */
    static Renewal knownOrThrown(Renewal renewal) {
        if (renewal instanceof Renewal.Unknown unknown) {
            throw unknown.failure();
        }
        return renewal;
    }

    /** Has many calls fail at once, while a fault is there. Afterwards each must be answered. */
    static void usesNothingUp(Kit kit, Fault fault, int calls) throws Exception {
        LockProvider provider = connected(kit);
        List<DrivenClaim> claims = tryingOnce(kit, provider, calls);
        during(fault, () -> Crowd.together(claims.stream().map(claim -> () -> mustFail(claim::attempt))));

        for (DrivenClaim claim : claims) {
            answered("an attempt", () -> claim.mustPass("nobody holds the lock"));
        }
    }

    /** Waits for a call on another thread to end, whether it is answered or fails. */
    static void mustEnd(Call<?> call, String what) {
        Assertions.assertTrue(
                Pace.within(Pace.HANGS, call::isDone),
                () -> what + " must end within " + Pace.HANGS + " although its store does not answer");
    }
}
