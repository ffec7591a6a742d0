package io.holdfast.lock.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * A pool for a database in H2's memory. H2 drops such a database, and with it the held locks, when its last connection
 * is closed; a pool closes all of its connections after a while without calls. So one more connection, which is never
 * lent, stays open from the first use until the pool is closed.
 */
final class H2MemoryPool extends HikariDataSource {

    private @Nullable Connection anchor;

    @Override
    public Connection getConnection() throws SQLException {
        Connection borrowed = super.getConnection();
        try {
            openAnchor();
        } catch (SQLException | RuntimeException failure) {
            borrowed.close();
            throw failure;
        }
        return borrowed;
    }

    private synchronized void openAnchor() throws SQLException {
        if (!isClosed() && (anchor == null || anchor.isClosed())) {
            anchor = DriverManager.getConnection(getJdbcUrl(), getDataSourceProperties());
        }
    }

    @Override
    public void close() {
        super.close();
        closeAnchor();
    }

    private synchronized void closeAnchor() {
        if (anchor != null) {
            try {
                anchor.close();
            } catch (SQLException lost) {
                // The server with the database is gone: there is nothing left to close.
            }
        }
    }
}
