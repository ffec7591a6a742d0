package io.holdfast.examples.demo;

import io.holdfast.examples.fencing.FencedStock;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.StaleTokenException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A holder of the lock that does one step at each command, so that it can be paused between two steps. It is careless on purpose:
 * it writes even if it no longer holds the lock, like code that was paused after its check.
 */
final class SleepyHolder implements Role {
    static final String ROLE = "holder";

    /** Reported when it is connected. */
    static final String READY = "ready";

    /** The command to take the lock and read the stock. */
    static final String TAKE = "take";

    /** Reported when it has, with the token and the units read. */
    static final String HOLDS = "holds";

    /** The command to write back so many units less. */
    static final String SELL = "sell";

    /** Reported when it has tried, with what the guard did and what {@link LockHandle#isHeld()} said before. */
    static final String SOLD = "sold";

    /** What the guard did with a write. */
    enum Guard {
        ACCEPTED,
        REFUSED
    }

    /** The command to give the lock back. */
    static final String RELEASE = "release";

    /** Reported when it has: {@link #KEPT}, or why the lock was lost. */
    static final String ENDED = "ended";

    /** The lock was held to the end. */
    static final String KEPT = "kept";

    private static final Duration REPORTED_WITHIN = Duration.ofSeconds(5);

    private final Order order;

    SleepyHolder(Order order) {
        this.order = order;
    }

    /**
     * What a holder is to do.
     *
     * @param shopUrl the shop's database
     * @param lockUri the lock store
     * @param lease its lease time
     * @param renewed whether it is renewed
     */
    record Order(String shopUrl, String lockUri, Duration lease, boolean renewed) {

        List<String> toWords() {
            return List.of(ROLE, shopUrl, lockUri, lease.toString(), Boolean.toString(renewed));
        }

        static Order parse(List<String> words) {
            return new Order(
                    words.get(1), words.get(2), Duration.parse(words.get(3)), Boolean.parseBoolean(words.get(4)));
        }

        LockOptions options() {
            LockOptions options = LockOptions.DEFAULTS.withLeaseTime(lease);
            return renewed ? options : options.withoutRenewal();
        }
    }

    @Override
    public void play(Wire wire) throws SQLException, InterruptedException {
        try (LockClient client = LockClient.connect(order.lockUri());
                Connection connection = ShopDatabase.connect(order.shopUrl())) {
            // The first call of a new process connects and loads classes, which may take longer than a short lease.
            client.holder(Scene.LOCK_NAME);
            wire.report(READY);
            wire.await(TAKE);
            LockHandle held = client.lock(Scene.LOCK_NAME, order.options()).acquire();
            int units = read(connection, held);
            wire.report(HOLDS + " " + held.fencingToken() + " " + units);

            int wanted = Integer.parseInt(wire.await(SELL));
            boolean believed = held.isHeld();
            Guard guard = write(connection, held, units - wanted);
            wire.report(SOLD + " " + guard + " " + believed);

            wire.await(RELEASE);
            wire.report(ENDED + " " + (held.release() ? KEPT : lossOf(held)));
        }
    }

    private static int read(Connection connection, LockHandle held) throws SQLException {
        int units = new FencedStock(connection).read(ShopDatabase.ITEM, held.namedToken());
        connection.commit();
        return units;
    }

    private static Guard write(Connection connection, LockHandle held, int units) throws SQLException {
        new PlainStock(connection).write(ShopDatabase.UNGUARDED_COPY, units);
        connection.commit();
        try {
            new FencedStock(connection).write(ShopDatabase.ITEM, units, held.namedToken());
            connection.commit();
            return Guard.ACCEPTED;
        } catch (StaleTokenException superseded) {
            connection.rollback();
            return Guard.REFUSED;
        }
    }

    private static LossCause lossOf(LockHandle held) throws InterruptedException {
        try {
            return held.lost().toCompletableFuture().get(REPORTED_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException silence) {
            throw new StagingException(
                    "The lock was lost, but this was not reported to its holder within " + REPORTED_WITHIN, silence);
        }
    }
}
