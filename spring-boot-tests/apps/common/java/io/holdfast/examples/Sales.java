package io.holdfast.examples;

import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LossCause;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Runs the README's first lines, and loses locks, and says on the console what came of it. */
final class Sales {

    private static final FirstLock.Stock STOCK = new FirstLock.Stock() {
        @Override
        public void sellOne(FencingToken fence) {
            System.out.println("sold one unit under the token " + fence);
        }

        @Override
        public void stop(LossCause cause) {
            System.out.println("lost the lock: " + cause);
        }
    };

    private static final LockOptions UNRENEWED =
            LockOptions.DEFAULTS.withLeaseTime(Duration.ofSeconds(3)).withoutRenewal();

    private Sales() {}

    /**
     * Sells one unit.
     *
     * @param over the name of the scene, for the console
     * @param client where the lock is
     * @throws InterruptedException if the thread was interrupted while it waited for the lock
     */
    static void sellOne(String over, LockClient client) throws InterruptedException {
        System.out.println("first lines over " + over + ": " + FirstLock.sellOne(client, STOCK));
    }

    /**
     * Lets a lock run out.
     *
     * @param client where the lock is
     * @throws Exception if it is not lost
     */
    static void sellTooSlowly(LockClient client) throws Exception {
        // The first such call loads classes, which may take longer than the lease.
        client.holder("stock:44");
        LockHandle held = client.lock("stock:44", UNRENEWED).acquire();
        awaitLoss(held, client.holder(held.name()).orElseThrow().owner());
    }

    /**
     * Waits for the loss of a lock, and says how its line in the log begins.
     *
     * @param held the lock
     * @param owner the owner, as the store had it
     * @throws Exception if it is not lost
     */
    static void awaitLoss(LockHandle held, String owner) throws Exception {
        LossCause cause = held.lost().toCompletableFuture().get(20, TimeUnit.SECONDS);
        System.out.println("to be logged: Lost the lock '" + held.name() + "' (owner " + owner + ", token "
                + held.fencingToken().value() + "): " + cause + ", ");
    }
}
