package io.holdfast.examples.fencing;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.NamedToken;
import io.holdfast.lock.StaleTokenException;
import io.holdfast.lock.jdbc.OwnershipGuard;
import io.holdfast.lock.jdbc.RowFence;
import io.holdfast.lock.jdbc.TableFence;
import io.holdfast.lock.jdbc.jpa.EntityGuard;
import jakarta.persistence.EntityManager;
import jakarta.persistence.RollbackException;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.function.BiFunction;

/**
 * The program of a child JVM: holds the lock, reads, and writes after a line has come in, whatever it then believes of its lock.
 * Each row of the stock has another guard.
 */
final class PausedWriter {
    static final String LOCK = "stock:lamp";
    static final String READY = "ready";
    static final String HOLDS = "holds";
    static final String ACCEPTED = "accepted ";
    static final String REFUSED = "refused ";
    static final String DONE = "done";

    /** Renewed while the holder lives. Where leases are sessions, the URI says how long they are. */
    static final LockOptions OPTIONS = LockOptions.DEFAULTS.withLeaseTime(Duration.ofSeconds(2));

    private static final RowFence ROW =
            RowFence.table("stock").key("item").lockNamed(item -> LOCK).build();
    private static final TableFence TABLE = TableFence.table("holdfast_fence");
    private static final OwnershipGuard OWNER = OwnershipGuard.table("holdfast_lock");

    private PausedWriter() {}

    /** A way to write, and the row or key that is written in that way. */
    enum Way {
        WITHOUT_GUARD,
        ROW_FENCE,
        TABLE_FENCE,
        ENTITY_GUARD,
        REDIS_FENCE,
        /** Only where the lock and the stock are in one database. */
        OWNERSHIP;

        /** What a holder does first. Reads the units. */
        int read(Resources at, NamedToken token) throws SQLException {
            switch (this) {
                case ROW_FENCE -> ROW.enter(at.connection(), name(), token);
                case TABLE_FENCE -> TABLE.enter(at.connection(), LOCK, token);
                case ENTITY_GUARD -> {
                    return inTransaction(at, token, Way::units);
                }
                case REDIS_FENCE -> {
                    return Integer.parseInt(at.redisFence().get(name(), token).orElseThrow());
                }
                case WITHOUT_GUARD, OWNERSHIP -> {}
            }
            return unitsOfTheRow(at);
        }

        /** Writes and commits. */
        void write(Resources at, NamedToken token, int units) throws SQLException {
            switch (this) {
                case ROW_FENCE -> ROW.update(at.connection(), name(), token, "units = ?", units);
                case TABLE_FENCE -> {
                    TABLE.enter(at.connection(), LOCK, token);
                    plain(at, units);
                }
                case ENTITY_GUARD -> {
                    int unused = inTransaction(at, token, (manager, guard) -> {
                        StockEntity stock = manager.find(StockEntity.class, name());
                        stock.setUnits(units);
                        return units;
                    });
                }
                case REDIS_FENCE -> at.redisFence().set(name(), Integer.toString(units), token);
                case WITHOUT_GUARD -> plain(at, units);
                case OWNERSHIP -> {
                    plain(at, units);
                    OWNER.requireHeld(at.connection(), LOCK, token);
                }
            }
            at.connection().commit();
        }

        /** The units that are there, whatever the tokens. */
        int units(Resources at) throws SQLException {
            return switch (this) {
                case ENTITY_GUARD -> {
                    try (EntityManager manager = at.entities().createEntityManager()) {
                        yield manager.find(StockEntity.class, name()).units();
                    }
                }
                case REDIS_FENCE -> Integer.parseInt(at.redis().get(name()));
                default -> unitsOfTheRow(at);
            };
        }

        private static int units(EntityManager manager, EntityGuard guard) {
            StockEntity stock = manager.find(StockEntity.class, ENTITY_GUARD.name());
            return guard.enter(manager, stock).units();
        }

        private static int inTransaction(
                Resources at, NamedToken token, BiFunction<EntityManager, EntityGuard, Integer> work) {
            try (EntityManager manager = at.entities().createEntityManager()) {
                at.entityGuard().bind(manager, token);
                manager.getTransaction().begin();
                int units = work.apply(manager, at.entityGuard());
                manager.getTransaction().commit();
                return units;
            } catch (RollbackException refused) {
                if (refused.getCause() instanceof StaleTokenException stale) {
                    throw stale;
                }
                throw refused;
            }
        }

        private void plain(Resources at, int units) throws SQLException {
            try (PreparedStatement update =
                    at.connection().prepareStatement("UPDATE stock SET units = ? WHERE item = ?")) {
                update.setInt(1, units);
                update.setString(2, name());
                update.executeUpdate();
            }
        }

        private int unitsOfTheRow(Resources at) throws SQLException {
            try (PreparedStatement query = at.connection().prepareStatement("SELECT units FROM stock WHERE item = ?")) {
                query.setString(1, name());
                try (ResultSet row = query.executeQuery()) {
                    row.next();
                    return row.getInt(1);
                }
            }
        }
    }

    /**
     * Runs the program.
     *
     * @param arguments the URI of the locks, the JDBC URL and the Redis URI of the stock, and the ways to write
     */
    public static void main(String[] arguments) throws Exception {
        List<Way> ways = List.of(arguments).subList(3, arguments.length).stream()
                .map(Way::valueOf)
                .toList();
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (LockClient client = LockClient.connect(arguments[0]);
                Resources at = Resources.open(arguments[1], arguments[2])) {
            // The first call connects and loads classes, which may take longer than the lease.
            client.holder(LOCK);
            System.out.println(READY);
            commands.readLine();
            LockHandle held = client.lock(LOCK, OPTIONS).acquire();
            NamedToken token = held.namedToken();
            for (Way way : ways) {
                int unused = way.read(at, token);
                at.connection().commit();
            }
            System.out.println(HOLDS);
            commands.readLine();
            for (Way way : ways) {
                System.out.println(attempt(way, at, token) + way);
            }
            boolean unusedAnswer = held.release();
            System.out.println(DONE);
        }
    }

    private static String attempt(Way way, Resources at, NamedToken token) throws SQLException {
        try {
            way.write(at, token, PausedHolderTest.LATE);
            return ACCEPTED;
        } catch (StaleTokenException | LockLostException refusal) {
            at.connection().rollback();
            return REFUSED;
        }
    }
}
