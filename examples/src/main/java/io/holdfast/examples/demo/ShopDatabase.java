package io.holdfast.examples.demo;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** The shop's SQL database. Thread-safe. */
final class ShopDatabase implements AutoCloseable {

    /** What is for sale. */
    static final String ITEM = "lamp";

    /** A second row without a guard, to show what a guard is good for. */
    static final String UNGUARDED_COPY = "lamp (unguarded copy)";

    private static final List<String> SCHEMA = List.of(
            "CREATE TABLE stock (item VARCHAR(200) PRIMARY KEY, units INT NOT NULL, fence BIGINT NOT NULL DEFAULT 0)",
            "CREATE TABLE sale (id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, crew VARCHAR(40) NOT NULL,"
                    + " fence BIGINT NOT NULL)");

    private final H2Server server;
    private final Connection connection;

    private ShopDatabase(H2Server server) {
        this.server = server;
        this.connection = server.connection();
    }

    static ShopDatabase open() throws SQLException {
        H2Server server = H2Server.start();
        try (Statement ddl = server.connection().createStatement()) {
            for (String table : SCHEMA) {
                ddl.execute(table);
            }
        }
        return new ShopDatabase(server);
    }

    /** Connects to a shop, with auto-commit off. */
    static Connection connect(String url) throws SQLException {
        Connection connection = DriverManager.getConnection(url);
        connection.setAutoCommit(false);
        return connection;
    }

    /** The JDBC URL, for any process of this machine. */
    String url() {
        return server.url();
    }

    /** What it is and where, for people. */
    String description() {
        return "a table in H2, served on " + server.address();
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
        server.close();
    }
}
