package io.holdfast.examples;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.NamedToken;
import io.holdfast.lock.StaleTokenException;
import org.springframework.stereotype.Service;
import org.springframework.transaction.TransactionSystemException;

/** Sells with the token of a lock that somebody else has got since. */
@Service
public class LateSale {

    private static final long SHELF = 42;

    private final Shelves shelves;

    LateSale(Shelves shelves) {
        this.shelves = shelves;
    }

    /**
     * Lets a holder come late, and says on the console what came of it.
     *
     * @param client where the lock is
     * @throws InterruptedException if the thread was interrupted while it waited for the lock
     */
    public void run(LockClient client) throws InterruptedException {
        NamedToken late;
        try (LockHandle held = client.lock("shelf:" + SHELF).acquire()) {
            late = held.namedToken();
            shelves.add(SHELF, 10, late);
        }
        try (LockHandle held = client.lock("shelf:" + SHELF).acquire()) {
            System.out.println("left on the shelf: " + shelves.sellOne(SHELF, held.namedToken()));
        }
        try {
            shelves.sellOne(SHELF, late);
        } catch (StaleTokenException refused) {
            System.out.println("refused by enter: " + refused.getClass().getSimpleName());
        }
        try {
            shelves.sellOneUnseen(SHELF, late);
        } catch (TransactionSystemException refused) {
            System.out.println("refused by the commit: "
                    + refused.getMostSpecificCause().getClass().getSimpleName());
        }
        try (LockHandle held = client.lock("shelf:" + SHELF).acquire()) {
            System.out.println("left after that: " + shelves.sellOne(SHELF, held.namedToken()));
        }
    }
}
