package io.holdfast.examples.demo;

import java.sql.SQLException;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Shows the sales while they are made, by counting them in the table, and begins the mishap when half is sold. */
final class Progress implements AutoCloseable {
    private static final int PERIOD_MILLIS = 100;
    private static final int MARKS = 4;

    private final Screen screen;
    private final ShopDatabase shop;
    private final int units;
    private Optional<Mishap> mishap;
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
    private int nextMark;
    private boolean closed;

    /**
     * Creates it.
     *
     * @param mishap what happens to the lock store when half of the units are sold
     */
    Progress(Screen screen, ShopDatabase shop, int units, Optional<Mishap> mishap) {
        this.screen = screen;
        this.shop = shop;
        this.units = units;
        this.mishap = mishap;
        this.nextMark = units / MARKS;
    }

    /** Starts to show them. */
    void start() {
        var unused = clock.scheduleWithFixedDelay(this::draw, 0, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
    }

    private synchronized void draw() {
        if (closed) {
            return;
        }
        try {
            int sold = shop.sales().count();
            if (2 * sold >= units) {
                beginMishap();
            }
            if (screen.live()) {
                screen.bar(sold, units);
            } else if (sold >= nextMark) {
                screen.detail(sold + " of " + units + " sold" + (sold > units ? ": more than there were" : ""));
                // Quarters of the stock, then doublings: a rush that oversells tenfold does not fill the screen.
                nextMark = Math.max(sold + 1, nextMark < units ? nextMark + units / MARKS : nextMark * 2);
            }
        } catch (SQLException failure) {
            screen.detail("the sales could not be counted: " + failure.getMessage());
        }
    }

    private void beginMishap() {
        Optional<Mishap> due = mishap;
        mishap = Optional.empty();
        due.ifPresent(what -> {
            screen.detail(what.what());
            what.cause().run();
        });
    }

    /** Shows the final count. */
    @Override
    public synchronized void close() {
        // No interrupt: H2 takes one in the middle of a query as an order to close the database.
        clock.shutdown();
        draw();
        closed = true;
        screen.endBar();
    }
}
