package io.holdfast.lock.jdbc;

import com.zaxxer.hikari.SQLExceptionOverride;
import java.sql.SQLException;

/**
 * Has a pool drop connections of which it would not see that they are lost: it lends them again without a trial if they were in
 * use half a second ago.
 *
 * @param dialect knows the database's words
 */
record LostConnections(SqlDialect dialect) implements SQLExceptionOverride {

    @java.lang.Override
    public Override adjudicate(SQLException failure) {
        return dialect.connectionLost(failure) ? Override.MUST_EVICT : Override.CONTINUE_EVICT;
    }
}
