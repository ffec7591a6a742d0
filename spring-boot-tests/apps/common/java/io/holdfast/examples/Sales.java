package io.holdfast.examples;

import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LossCause;

/** Runs the README's first lines, and says on the console what came of them. */
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
}
