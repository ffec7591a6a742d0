package io.holdfast.examples.demo;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.StaleTokenException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** The buyers of one process, a thread each: they buy one unit after the other until none is left. */
final class BuyerCrew implements Role {
    static final String ROLE = "crew";

    /** Reported when every buyer is ready. */
    static final String READY = "ready";

    /** The command to start buying. */
    static final String OPEN = "open";

    /** The command to stop buying. */
    static final String CLOSE = "close";

    /**
     * Reported at the end, with the number of writes that the guard refused, and the number of purchases in which the lock was
     * lost or the lock store away.
     */
    static final String REFUSED = "refused";

    /** Reported after that, when the client of the lock store is closed. */
    static final String GONE = "gone";

    private final Order order;

    BuyerCrew(Order order) {
        this.order = order;
    }

    /**
     * What a crew is to do.
     *
     * @param crew its name
     * @param shopUrl the shop's database
     * @param lockUri the lock store; empty to buy without a lock
     * @param buyers how many threads buy
     * @param think how long a buyer thinks at most
     * @param closing when the shop closes, counted from its opening
     */
    record Order(String crew, String shopUrl, Optional<String> lockUri, int buyers, Duration think, Duration closing) {

        List<String> toWords() {
            return List.of(
                    ROLE,
                    crew,
                    shopUrl,
                    lockUri.orElse(""),
                    Integer.toString(buyers),
                    think.toString(),
                    closing.toString());
        }

        static Order parse(List<String> words) {
            return new Order(
                    words.get(1),
                    words.get(2),
                    Optional.of(words.get(3)).filter(uri -> !uri.isEmpty()),
                    Integer.parseInt(words.get(4)),
                    Duration.parse(words.get(5)),
                    Duration.parse(words.get(6)));
        }
    }

    @Override
    public void play(Wire wire) throws SQLException, InterruptedException {
        if (order.lockUri().isEmpty()) {
            buy(wire, connection -> new UnlockedShopping(order.crew(), pace(), connection));
            return;
        }
        try (LockClient client = LockClient.connect(order.lockUri().get())) {
            buy(wire, connection -> new LockedShopping(order.crew(), pace(), connection, client.lock(Scene.LOCK_NAME)));
        }
        wire.report(GONE);
    }

    private ThinkTime pace() {
        return new ThinkTime(order.think());
    }

    private interface ShoppingStyle {
        Shopping over(Connection connection) throws SQLException;
    }

    private void buy(Wire wire, ShoppingStyle style) throws SQLException, InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(order.buyers());
        List<Connection> connections = new ArrayList<>();
        try {
            for (int i = 0; i < order.buyers(); i++) {
                connections.add(ShopDatabase.connect(order.shopUrl()));
            }
            wire.report(READY);
            wire.await(OPEN);
            List<Future<Setbacks>> buyers = new ArrayList<>();
            for (Connection connection : connections) {
                Shopping shopping = style.over(connection);
                buyers.add(threads.submit(() -> buyAll(wire, shopping, connection)));
            }
            Setbacks all = sum(buyers);
            wire.report(REFUSED + " " + all.refused() + " " + all.disturbed());
        } finally {
            threads.shutdownNow();
            for (Connection connection : connections) {
                connection.close();
            }
        }
    }

    /** What went wrong, counted. */
    private record Setbacks(int refused, int disturbed) {

        private Setbacks plus(Setbacks other) {
            return new Setbacks(refused + other.refused, disturbed + other.disturbed);
        }
    }

    /** Buys until nothing is left. */
    private Setbacks buyAll(Wire wire, Shopping shopping, Connection connection)
            throws SQLException, InterruptedException {
        long opened = System.nanoTime();
        int refused = 0;
        int disturbed = 0;
        boolean left = true;
        while (left
                && !wire.hasCommand()
                && System.nanoTime() - opened < order.closing().toNanos()) {
            try {
                left = shopping.buyOne();
            } catch (StaleTokenException superseded) {
                connection.rollback();
                refused++;
            } catch (LockStoreException | LockLostException disturbance) {
                // A sale that was committed before stands, and a release without an answer is repeated by the engine.
                connection.rollback();
                disturbed++;
            }
            pace().think();
        }
        return new Setbacks(refused, disturbed);
    }

    private static Setbacks sum(List<Future<Setbacks>> counts) throws InterruptedException {
        Setbacks sum = new Setbacks(0, 0);
        for (Future<Setbacks> count : counts) {
            try {
                sum = sum.plus(count.get());
            } catch (ExecutionException failure) {
                throw new StagingException("A buyer gave up", failure);
            }
        }
        return sum;
    }
}
