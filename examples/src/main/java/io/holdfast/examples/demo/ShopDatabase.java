package io.holdfast.examples.demo;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.UUID;
import org.h2.tools.Server;

/** The shop's SQL database: H2 in the memory of this process, served to other processes over TCP. Thread-safe. */
final class ShopDatabase implements AutoCloseable {

    /** What is for sale. */
    static final String ITEM = "lamp";

    /** A second row that nobody guards, to show what a guard is good for. */
    static final String UNGUARDED_COPY = "lamp (unguarded copy)";

    private static final String LOOPBACK = "127.0.0.1";
    private static final List<String> SCHEMA = List.of(
            "CREATE TABLE stock (item VARCHAR(200) PRIMARY KEY, units INT NOT NULL, fence BIGINT NOT NULL DEFAULT 0)",
            "CREATE TABLE sale (id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, crew VARCHAR(40) NOT NULL,"
                    + " fence BIGINT NOT NULL)");

    private final Server server;
    private final String url;
    private final Connection connection;

    private ShopDatabase(Server server, String url, Connection connection) {
        this.server = server;
        this.url = url;
        this.connection = connection;
    }

    static ShopDatabase open() throws SQLException {
        // H2 reads it once, when it is first used; without it the server listens on every network of the machine.
        System.setProperty("h2.bindAddress", LOOPBACK);
        String name = "mem:shop-" + UUID.randomUUID();
        // A database in memory lives for as long as it has a connection: this one.
        Connection connection = DriverManager.getConnection("jdbc:h2:" + name);
        try (Statement ddl = connection.createStatement()) {
            for (String table : SCHEMA) {
                ddl.execute(table);
            }
        }
        Server server = Server.createTcpServer("-tcpPort", "0").start();
        return new ShopDatabase(server, "jdbc:h2:tcp://" + LOOPBACK + ":" + server.getPort() + "/" + name, connection);
    }

    /** Connects to a shop, with auto-commit off. */
    static Connection connect(String url) throws SQLException {
        Connection connection = DriverManager.getConnection(url);
        connection.setAutoCommit(false);
        return connection;
    }

    /** The JDBC URL, for any process of this machine. */
    String url() {
        return url;
    }

    /** What it is and where, for people. */
    String description() {
        return "a table in H2, served on " + LOOPBACK + ":" + server.getPort();
    }

    /** Forgets all sales and sets the stock. The floor of the fencing tokens stays: it must never go down. */
    void restock(String item, int units) throws SQLException {
        sales().clear();
        try (PreparedStatement merge =
                connection.prepareStatement("MERGE INTO stock (item, units) KEY (item) VALUES (?, ?)")) {
            merge.setString(1, item);
            merge.setInt(2, units);
            merge.executeUpdate();
        }
    }

    int units(String item) throws SQLException {
        return new PlainStock(connection).read(item);
    }

    SaleBook sales() {
        return new SaleBook(connection);
    }

    @Override
    public void close() throws SQLException {
        connection.close();
        server.stop();
    }
}
