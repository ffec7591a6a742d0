package io.holdfast.lock.tck;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.tck.faults.Fault;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Assertions;

/** What an application sees while the store answers with errors. */
interface ClientErrorReplyRules extends Rules {

    @LockRule({"1.6", "9.5"})
    @Needs(hooks = Hook.ERROR_REPLIES)
    default void rule16_anAcquireThatTheStoreAnswersWithAnErrorFails() throws Exception {
        Fault errors = Trouble.anError(kit());
        LockClient client = kit().client();
        client.lock(kit().newName()).acquire().close();
        String name = kit().newName();
        Trouble.during(errors, () -> {
            Trouble.mustFail(() -> client.lock(name).tryAcquire());
            Call<?> waiting = Call.start(() -> client.lock(name).acquire());
            Trouble.mustEnd(waiting, "an acquire");
            waiting.mustFailWith(LockStoreException.class, "the store answers with errors");
        });

        for (LockClient each : new LockClient[] {client, kit().client()}) {
            LockHandle held = Trouble.answered(
                    "an acquire",
                    () -> each.lock(name)
                            .tryAcquire(Pace.BACK_WITHIN)
                            .orElseThrow(() -> new AssertionError("acquires that have failed must not hold the lock")));
            Assertions.assertTrue(held.release(), "it holds the lock");
        }
    }

    @LockRule({"3.3", "8.3"})
    @Needs(value = Capability.LEASED_PER_CLAIM, hooks = Hook.ERROR_REPLIES)
    default void rule33_aRenewalThatTheStoreAnswersWithAnErrorMovesNoDeadline() throws Exception {
        Fault errors = Trouble.anError(kit());
        LockClient client = kit().client();
        LockHandle held = client.lock(kit().newName(), kit().lasting()).acquire();
        Trouble.during(errors, () -> {
            long from = Pace.now();
            Duration before = held.remaining();
            Trouble.mustFail(held::renew);
            Duration after = held.remaining();
            Duration passed = Pace.since(from);
            Assertions.assertTrue(
                    after.compareTo(before) <= 0 && after.compareTo(before.minus(passed)) >= 0,
                    () -> "the deadline must stay where it was: " + before
                            + " were left before a renewal that failed, and " + after + " within " + passed
                            + " after that");
            Assertions.assertTrue(held.isHeld(), "its lease has not ended");
        });

        Assertions.assertTrue(Trouble.answered("a renewal", held::renew), "its lease has not ended");
        Assertions.assertFalse(held.lost().toCompletableFuture().isDone(), "only renewals have failed");
        Assertions.assertTrue(Trouble.answered("a release", held::release), "it holds the lock");
    }

    @LockRule({"8.1", "8.2", "8.4"})
    @Needs(value = Capability.LEASED_PER_CLAIM, hooks = Hook.ERROR_REPLIES)
    default void rule84_aLockIsLostAtItsDeadlineWhileTheStoreAnswersWithErrors() throws Exception {
        Fault errors = Trouble.anError(kit());
        LockClient client = kit().client();
        LockHandle held = client.lock(kit().newName(), kit().shortOptions()).acquire();
        Trouble.during(errors, () -> {
            // The whole lease: it may have been renewed just before.
            CompletableFuture<LossCause> lost = held.lost().toCompletableFuture();
            Assertions.assertTrue(
                    Pace.within(kit().lease(), lost::isDone), "the loss must be reported at the deadline");
            Assertions.assertEquals(LossCause.STORE_LOST, Call.resultOf(lost), "the cause");
            Assertions.assertFalse(held.isHeld(), "a lost lock is not held");
        });

        LockHandle next = Trouble.answered(
                "an acquire",
                () -> kit().client()
                        .lock(held.name(), kit().lasting())
                        .tryAcquire(Pace.BACK_WITHIN)
                        .orElseThrow(() -> new AssertionError("the lock was lost, and nobody holds it")));
        Assertions.assertFalse(held.isHeld(), "a lost lock stays lost");
        Assertions.assertTrue(next.release(), "it holds the lock");
    }

    @LockRule({"5.4", "5.6"})
    @Needs(hooks = Hook.ERROR_REPLIES)
    default void rule56_aReleaseThatTheStoreAnswersWithAnErrorIsRepeated() throws Exception {
        Fault errors = Trouble.anError(kit());
        LockClient client = kit().client();
        LockClient other = kit().client();
        other.ping();
        LockHandle held = OpenClaims.skippingIfRefused(
                () -> client.lock(kit().newName(), kit().lasting().withLeaseTime(kit().veryLongLease()))
                        .tryAcquire()
                        .orElseThrow());
        Trouble.during(errors, () -> {
            boolean unused = Call.isAnswered(held::release);
            Assertions.assertFalse(held.isHeld(), "its holder has given it back");
        });

        LockHandle next = Trouble.answered(
                "an acquire",
                () -> other.lock(held.name())
                        .tryAcquire(Pace.BACK_WITHIN)
                        .orElseThrow(() -> new AssertionError(
                                "a release that was answered with an error must be repeated: nobody else will do it")));
        Assertions.assertTrue(next.release(), "it holds the lock");
    }
}
