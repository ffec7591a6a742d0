package io.holdfast.bench;

import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** The limit in PostgreSQL: a connection for each thread, a row that is inserted and deleted. */
final class BarePostgreSql implements Locks {

    private final String url;
    private final List<Connection> connections = new ArrayList<>();

    BarePostgreSql(String url) {
        this.url = url;
    }

    @Override
    public synchronized Section section(String lock) throws SQLException {
        Connection connection = DriverManager.getConnection(url);
        connections.add(connection);
        String holder = ProcessHandle.current().pid() + "-" + connections.size();
        PreparedStatement insert =
                prepare(connection, "INSERT INTO bare_lock VALUES (?, ?, now() + interval '30 seconds')", lock, holder);
        PreparedStatement delete =
                prepare(connection, "DELETE FROM bare_lock WHERE name = ? AND holder = ?", lock, holder);
        return new Section() {
            @Override
            public OptionalLong enter() throws SQLException {
                insert.executeUpdate();
                return OptionalLong.empty();
            }

            @Override
            public void leave() throws SQLException {
                delete.executeUpdate();
            }
        };
    }

    private static PreparedStatement prepare(Connection connection, String sql, String lock, String holder)
            throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        statement.setString(1, lock);
        statement.setString(2, holder);
        return statement;
    }

    @Override
    public synchronized void close() throws IOException {
        try {
            for (Connection connection : connections) {
                connection.close();
            }
        } catch (SQLException failure) {
            throw new IOException(failure);
        }
    }
}
