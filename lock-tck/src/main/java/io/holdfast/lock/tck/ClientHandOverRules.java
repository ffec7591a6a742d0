package io.holdfast.lock.tck;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LossCause;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Assertions;

/**
 * Locks that pass from one holder of a client to its next waiter, asked of a client. The engine does that; it is the provider's
 * claim that passes.
 */
interface ClientHandOverRules extends Rules {

    /** How long one client may keep the lock from another, whose attempts may lose against it for a while. */
    Duration TURN_WITHIN = Duration.ofSeconds(20);

    int THREADS = 4;

    @LockRule({"6.1", "7.7"})
    @Needs(Capability.FENCED)
    default void rule77_tokensGrowFromHolderToHolder() throws Exception {
        String name = kit().newName();
        Queue<Long> tokens = new ConcurrentLinkedQueue<>();
        List<Call<?>> workers = new ArrayList<>();
        for (LockClient client : List.of(kit().client(), kit().client())) {
            for (int thread = 0; thread < THREADS; thread++) {
                workers.add(Call.running(() -> {
                    for (int i = 0; i < 10; i++) {
                        try (LockHandle held =
                                client.lock(name, kit().lasting()).acquire()) {
                            tokens.add(held.fencingToken().value());
                        }
                    }
                }));
            }
        }
        workers.forEach(Call::result);

        long last = 0;
        for (long token : tokens) {
            Tokens.mustBeNewer(token, last, "tokens grow from holder to holder, of one client or of several");
            last = token;
        }
    }

    @LockRule({"7.2", "7.7"})
    default void rule77_aClientWhoseThreadsFollowEachOtherLeavesTheLockToAnother() throws Exception {
        String name = kit().newName();
        LockClient busy = kit().client();
        LockClient other = kit().client();
        AtomicBoolean over = new AtomicBoolean();
        List<Call<?>> workers = new ArrayList<>();
        for (int thread = 0; thread < THREADS; thread++) {
            workers.add(Call.running(() -> {
                while (!over.get()) {
                    busy.lock(name, kit().lasting()).run(() -> {});
                }
            }));
        }
        Call<?> waiter = Call.running(() -> other.lock(name, kit().lasting()).run(() -> {}));
        boolean served = Pace.within(TURN_WITHIN, waiter::isDone);
        over.set(true);
        workers.forEach(Call::result);
        waiter.result();

        Assertions.assertTrue(
                served,
                () -> "a waiter must have the lock within " + TURN_WITHIN.toSeconds() + " s, though " + THREADS
                        + " threads of another client take it again and again");
    }

    @LockRule({"7.7", "8.1"})
    @Needs(hooks = Hook.REMOVER)
    default void rule77_aLossIsTheHoldersToWhomTheLockHasPassed() throws InterruptedException {
        String name = kit().newName();
        LockOptions options = kit().shortOptions();
        LockHandle before = kit().client().lock(name, kit().lasting()).acquire();
        LockClient client = kit().client();
        CompletableFuture<LockHandle> first = client.lock(name, options).acquireAsync();
        CompletableFuture<LockHandle> second = client.lock(name, options).acquireAsync();
        before.release();
        LockHandle former = Call.resultOf(first);
        former.release();
        LockHandle present = Call.resultOf(second);
        CompletableFuture<LossCause> lost = present.lost().toCompletableFuture();
        kit().remove(name);

        Assertions.assertTrue(
                Pace.within(kit().lease().dividedBy(2), lost::isDone),
                "the loss must be reported to the present holder within one period of renewal");
        Assertions.assertFalse(present.isHeld(), "a lost lock is not held");
        Assertions.assertFalse(former.lost().toCompletableFuture().isDone(), "the holder before has released the lock");
    }
}
