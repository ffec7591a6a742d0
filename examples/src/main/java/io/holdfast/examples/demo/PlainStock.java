package io.holdfast.examples.demo;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** The stock table without a guard: the last write wins. */
final class PlainStock {
    private final Connection connection;

    PlainStock(Connection connection) {
        this.connection = connection;
    }

    int read(String item) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement("SELECT units FROM stock WHERE item = ?")) {
            query.setString(1, item);
            try (ResultSet row = query.executeQuery()) {
                if (!row.next()) {
                    throw new IllegalArgumentException("No such item: '" + item + "'");
                }
                return row.getInt(1);
            }
        }
    }

    void write(String item, int units) throws SQLException {
        try (PreparedStatement update = connection.prepareStatement("UPDATE stock SET units = ? WHERE item = ?")) {
            update.setInt(1, units);
            update.setString(2, item);
            update.executeUpdate();
        }
    }
}
