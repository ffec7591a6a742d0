package io.holdfast.lock.jdbc;

import io.holdfast.lock.tck.LockHarness;
import io.holdfast.lock.tck.LockProviderTck;

class PostgreSqlProviderTckTest extends LockProviderTck {

    @Override
    protected LockHarness harness() {
        return new JdbcHarness(Databases.SharedPostgreSql.URL, true);
    }
}
