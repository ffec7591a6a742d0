package io.holdfast.examples.demo;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** All buyers at once, from the opening of the shop until nothing is left. */
final class Rush {
    private static final Duration START_BOUND = Duration.ofSeconds(30);

    private final Scene scene;
    private final Optional<DemoBackend.Store> locks;

    /**
     * Creates a rush.
     *
     * @param locks the lock store; empty for a rush without a lock
     */
    Rush(Scene scene, Optional<DemoBackend.Store> locks) {
        this.scene = scene;
        this.locks = locks;
    }

    /**
     * What came of it.
     *
     * @param sales all sales, oldest first
     * @param unitsLeft what the stock table says
     * @param refused how many writes the guard refused
     * @param disturbed how many purchases the lock store did not end well
     * @param took from the opening until the last buyer had left
     */
    record Outcome(List<SaleBook.Sale> sales, int unitsLeft, int refused, int disturbed, Duration took) {}

    Outcome run() throws SQLException, InterruptedException {
        scene.shop().restock(ShopDatabase.ITEM, scene.size().units());
        List<Worker> crews = new ArrayList<>();
        try {
            for (int i = 1; i <= scene.size().crews(); i++) {
                crews.add(scene.stage().start(name(i), order(name(i)).toWords()));
            }
            crews.forEach(crew -> crew.await(BuyerCrew.READY, START_BOUND));
            scene.screen().detail(places(crews));
            return open(crews);
        } finally {
            crews.forEach(Worker::close);
        }
    }

    private Outcome open(List<Worker> crews) throws SQLException, InterruptedException {
        Duration bound = scene.size().closing().plus(START_BOUND);
        long opened = System.nanoTime();
        int refused = 0;
        int disturbed = 0;
        try (Progress progress = new Progress(
                scene.screen(), scene.shop(), scene.size().units(), locks.flatMap(DemoBackend.Store::mishap))) {
            progress.start();
            crews.forEach(crew -> crew.tell(BuyerCrew.OPEN));
            for (Worker crew : crews) {
                String[] counts = crew.await(BuyerCrew.REFUSED, bound).split(" ", -1);
                refused += Integer.parseInt(counts[0]);
                disturbed += Integer.parseInt(counts[1]);
            }
        }
        Duration took = Duration.ofNanos(System.nanoTime() - opened);
        return new Outcome(scene.shop().sales().all(), scene.shop().units(ShopDatabase.ITEM), refused, disturbed, took);
    }

    private static String name(int number) {
        return "crew-" + number;
    }

    private BuyerCrew.Order order(String crew) {
        DemoSize size = scene.size();
        return new BuyerCrew.Order(
                crew,
                scene.shop().url(),
                locks.map(DemoBackend.Store::uri),
                size.buyers(),
                size.think(),
                size.closing());
    }

    private static String places(List<Worker> crews) {
        return "crews ready: "
                + String.join(", ", crews.stream().map(Worker::place).toList());
    }
}
