package io.holdfast.examples;

import io.holdfast.examples.fencing.FencedStock;
import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHandle;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Where the lock goes when the work is a transaction: around it. Several threads count one stock up to 200, in a database and
 * under its lock. A lock inside the transaction is free before the commit, so the next holder reads what was there before, and
 * updates are lost. The document on transactions shows the marked lines.
 */
public final class LockAroundTransaction {

    private static final String ITEM = "42";
    private static final int THREADS = 4;
    private static final int ADDITIONS = 50;

    private LockAroundTransaction() {}

    /** One way to add a unit in a transaction. The connection has autocommit off. */
    interface Way {
        void addOne(DistributedLock lock, Connection connection) throws SQLException, InterruptedException;
    }

    /**
     * Runs the example.
     *
     * @param args the JDBC URL of a database; one in this JVM's memory if there is none
     * @throws Exception if the database fails
     */
    public static void main(String[] args) throws Exception {
        String url = args.length > 0 ? args[0] : "jdbc:h2:mem:transactions";
        show("the lock inside the transaction", count(LockAroundTransaction::inside, url));
        show("the same, guarded by the token ", count(LockAroundTransaction::insideButFenced, url));
        show("the lock around the transaction", count(LockAroundTransaction::around, url));
    }

    private static void show(String way, int units) {
        System.out.println(way + ": " + units + " of " + THREADS * ADDITIONS + " additions survived");
    }

    // tag::first[]
    static void around(DistributedLock lock, Connection connection) throws SQLException, InterruptedException {
        try (LockHandle held = lock.acquire()) { // before the transaction has read anything
            try {
                FencedStock stock = new FencedStock(connection);
                int units = stock.read(ITEM, held.namedToken()); // the transaction begins
                stock.write(ITEM, units + 1, held.namedToken());
                connection.commit(); // now the next holder can see it
            } finally {
                connection.rollback(); // after an exception; does nothing after the commit
            }
        } // so now the next one may come
    }
    // end::first[]

    /** Wrong: from the release to the commit, others read the units of before. */
    static void inside(DistributedLock lock, Connection connection) throws SQLException, InterruptedException {
        try (LockHandle held = lock.acquire()) {
            try (Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery("SELECT units FROM stock WHERE item = '" + ITEM + "'")) {
                row.next();
                int units = row.getInt(1);
                held.requireRemaining(Duration.ofSeconds(1));
                statement.executeUpdate("UPDATE stock SET units = " + (units + 1) + " WHERE item = '" + ITEM + "'");
            }
        }
        connection.commit();
    }

    /** As wrong, but the stock's own guard makes the next reader wait for the commit. */
    static void insideButFenced(DistributedLock lock, Connection connection) throws SQLException, InterruptedException {
        try (LockHandle held = lock.acquire()) {
            FencedStock stock = new FencedStock(connection);
            int units = stock.read(ITEM, held.namedToken());
            stock.write(ITEM, units + 1, held.namedToken());
        }
        connection.commit();
    }

    /**
     * Has all threads add their units.
     *
     * @param way how they add one
     * @param url the database
     * @return how many units there are in the end
     * @throws Exception if the database fails
     */
    static int count(Way way, String url) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try (Connection table = DriverManager.getConnection(url);
                LockClient client =
                        LockClient.builder(url).property("createTable", "true").build()) {
            createStock(table);
            DistributedLock lock = client.lock("stock:" + ITEM);
            List<Callable<Void>> adders = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                adders.add(() -> {
                    try (Connection connection = DriverManager.getConnection(url)) {
                        connection.setAutoCommit(false);
                        for (int added = 0; added < ADDITIONS; added++) {
                            way.addOne(lock, connection);
                        }
                    }
                    return null;
                });
            }
            for (Future<Void> adder : threads.invokeAll(adders)) {
                adder.get();
            }
            return units(table);
        } finally {
            threads.shutdownNow();
        }
    }

    static void createStock(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("DROP TABLE IF EXISTS stock");
            statement.execute(
                    "CREATE TABLE stock (item VARCHAR(200) PRIMARY KEY, units INT NOT NULL, fence BIGINT NOT NULL)");
            statement.execute("INSERT INTO stock VALUES ('" + ITEM + "', 0, 0)");
        }
    }

    private static int units(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT units FROM stock WHERE item = '" + ITEM + "'")) {
            row.next();
            return row.getInt(1);
        }
    }
}
