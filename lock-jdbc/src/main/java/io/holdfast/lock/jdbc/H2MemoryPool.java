package io.holdfast.lock.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * A pool for a database in H2's memory. H2 drops such a database, and with it the locks that are held, when the last connection to
 * it is closed; a pool closes all of its own where nobody calls for a while. So one more, which is not lent, stays open from the
 * first call until the end.
 */
final class H2MemoryPool extends HikariDataSource {

    private @Nullable Connection anchor;

    @Override
    public Connection getConnection() throws SQLException {
        Connection lent = super.getConnection();
        try {
            keep();
        } catch (SQLException | RuntimeException failure) {
            lent.close();
            throw failure;
        }
        return lent;
    }

    private synchronized void keep() throws SQLException {
        if (!isClosed() && (anchor == null || anchor.isClosed())) {
            anchor = DriverManager.getConnection(getJdbcUrl(), getDataSourceProperties());
        }
    }

    @Override
    public void close() {
        super.close();
        letGo();
    }

    private synchronized void letGo() {
        if (anchor != null) {
            try {
                anchor.close();
            } catch (SQLException lost) {
                // With the server that the database was in: there is nothing left to close.
            }
        }
    }
}
