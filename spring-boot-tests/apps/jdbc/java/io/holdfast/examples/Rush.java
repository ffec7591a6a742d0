package io.holdfast.examples;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.springframework.stereotype.Service;

/** Several threads that sell at once, each sale in a transaction under a lock. */
@Service
public class Rush {

    private static final int SELLERS = 5;
    private static final int SALES = 20;

    private final SaleBook book;

    Rush(SaleBook book) {
        this.book = book;
    }

    /**
     * Sells a hundred units.
     *
     * @param client where the lock is
     * @return how many sales were counted
     * @throws Exception if a sale failed
     */
    public int run(LockClient client) throws Exception {
        ExecutorService sellers = Executors.newFixedThreadPool(SELLERS);
        try {
            List<Future<?>> sales = new ArrayList<>();
            for (int sale = 0; sale < SALES * SELLERS; sale++) {
                sales.add(sellers.submit(() -> sellOne(client)));
            }
            for (Future<?> sale : sales) {
                sale.get();
            }
            return book.sold();
        } finally {
            sellers.shutdownNow();
        }
    }

    /** The lock is around the transaction: it is given back after the commit. */
    private Void sellOne(LockClient client) throws InterruptedException {
        try (LockHandle held = client.lock("book").acquire()) {
            book.add();
            return null;
        }
    }
}
