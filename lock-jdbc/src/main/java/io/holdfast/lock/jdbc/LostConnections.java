package io.holdfast.lock.jdbc;

import com.zaxxer.hikari.SQLExceptionOverride;
import java.sql.SQLException;

/**
 * Has a pool drop connections of which it would not see that they are of no use: it lends those that are lost again without a
 * trial if they were in use half a second ago, and those to a server that must not be written to any more for half an hour.
 *
 * @param dialect knows the database's words
 */
record LostConnections(SqlDialect dialect) implements SQLExceptionOverride {

    @java.lang.Override
    public Override adjudicate(SQLException failure) {
        return dialect.connectionLost(failure) ? Override.MUST_EVICT : Override.CONTINUE_EVICT;
    }
}
