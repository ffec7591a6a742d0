package io.holdfast.examples;

import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LossCause;
import java.time.Duration;
import java.util.Optional;

/**
 * The shortest program that uses a lock by its handle: it waits for a limited time, passes the fencing token on, and
 * hears of a loss. The README shows the marked lines.
 */
public final class FirstLock {

    private FirstLock() {}

    /** What the lock protects. */
    interface Stock {

        /**
         * Sells one unit.
         *
         * @param fence the token of the seller's hold; a stock that has seen a newer one refuses
         */
        void sellOne(FencingToken fence);

        /**
         * Stops a sale that is under way. Called on another thread.
         *
         * @param cause why the lock was lost
         */
        void stop(LossCause cause);
    }

    /**
     * Runs the example.
     *
     * @param args the URI of a lock store; by default one in memory
     * @throws InterruptedException if the thread was interrupted while it waited for the lock
     */
    public static void main(String[] args) throws InterruptedException {
        Stock stock = new Stock() {
            @Override
            public void sellOne(FencingToken fence) {
                System.out.println("sold one unit under the token " + fence);
            }

            @Override
            public void stop(LossCause cause) {
                System.out.println("lost the lock: " + cause);
            }
        };
        try (LockClient client = LockClient.connect(args.length > 0 ? args[0] : "memory:first-lock")) {
            System.out.println(sellOne(client, stock) ? "done" : "somebody else was selling");
        }
    }

    // A caller may chain on the stage of the loss; nobody does here.
    @SuppressWarnings("FutureReturnValueIgnored")
    // tag::first[]
    static boolean sellOne(LockClient client, Stock stock) throws InterruptedException {
        Optional<LockHandle> grant = client.lock("stock:42").tryAcquire(Duration.ofSeconds(5));
        if (grant.isEmpty()) {
            return false;
        }
        try (LockHandle held = grant.get()) {
            held.lost().thenAccept(stock::stop); // told as soon as the loss is known
            stock.sellOne(held.fencingToken()); // refused by the stock if it has seen a newer token
            return true;
        }
    }
    // end::first[]
}
