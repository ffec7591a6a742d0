package io.holdfast.lock.jdbc;

import com.zaxxer.hikari.SQLExceptionOverride;
import io.holdfast.lock.jdbc.table.SqlDialect;
import java.sql.SQLException;

/**
 * Makes a pool drop useless connections that it does not recognise: it lends a lost one again untested within half a
 * second of its last use, and one to a server that has become read-only for half an hour.
 *
 * @param dialect recognises the database's failures
 */
record LostConnectionEviction(SqlDialect dialect) implements SQLExceptionOverride {

    @java.lang.Override
    public Override adjudicate(SQLException failure) {
        return dialect.connectionLost(failure) ? Override.MUST_EVICT : Override.CONTINUE_EVICT;
    }
}
