package io.holdfast.examples.demo;

import io.holdfast.examples.demo.DemoBackend.Incident;
import java.sql.SQLException;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Shows the sales while they are made, by counting them in the table. */
final class Progress implements AutoCloseable {
    private static final int PERIOD_MILLIS = 100;
    private static final int MARKS = 4;

    private final Screen screen;
    private final ShopDatabase shop;
    private final int units;
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
    private int nextMark;
    private Optional<Incident> incident;
    private boolean closed;

    /**
     * Creates it.
     *
     * @param incident what happens when half of the units are sold
     */
    Progress(Screen screen, ShopDatabase shop, int units, Optional<Incident> incident) {
        this.screen = screen;
        this.shop = shop;
        this.units = units;
        this.nextMark = units / MARKS;
        this.incident = incident;
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
            if (sold >= units / 2) {
                happen();
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

    private void happen() {
        incident.ifPresent(due -> {
            screen.detail(due.story());
            due.happening().run();
        });
        incident = Optional.empty();
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
