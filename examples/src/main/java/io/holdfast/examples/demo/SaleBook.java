package io.holdfast.examples.demo;

import io.holdfast.lock.FencingToken;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The table of sales: one row for each unit sold. Rows are only added, so it cannot lose an update. */
final class SaleBook {
    private final Connection connection;

    SaleBook(Connection connection) {
        this.connection = connection;
    }

    /**
     * One unit sold.
     *
     * @param crew who bought it
     * @param token the token that the sale was made under; empty for a sale without a lock
     */
    record Sale(String crew, Optional<FencingToken> token) {}

    void add(Sale sale) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO sale (crew, fence) VALUES (?, ?)")) {
            insert.setString(1, sale.crew());
            // Tokens are positive, so that 0 stands for none.
            insert.setLong(2, sale.token().map(FencingToken::value).orElse(0L));
            insert.executeUpdate();
        }
    }

    int count() throws SQLException {
        try (Statement query = connection.createStatement();
                ResultSet row = query.executeQuery("SELECT COUNT(*) FROM sale")) {
            row.next();
            return row.getInt(1);
        }
    }

    /** All sales, oldest first. */
    List<Sale> all() throws SQLException {
        List<Sale> sales = new ArrayList<>();
        try (Statement query = connection.createStatement();
                ResultSet rows = query.executeQuery("SELECT crew, fence FROM sale ORDER BY id")) {
            while (rows.next()) {
                long fence = rows.getLong(2);
                Optional<FencingToken> token = fence == 0 ? Optional.empty() : Optional.of(new FencingToken(fence));
                sales.add(new Sale(rows.getString(1), token));
            }
        }
        return sales;
    }

    void clear() throws SQLException {
        try (Statement delete = connection.createStatement()) {
            delete.executeUpdate("DELETE FROM sale");
        }
    }
}
