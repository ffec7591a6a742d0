package io.holdfast.lock.jdbc;

import io.holdfast.lock.tck.LockHarness;
import io.holdfast.lock.tck.LockProviderTck;
import java.time.Duration;

/** What the MySQL driver makes of the same statements; the server is MariaDB. */
@NeedsMariaDb
class MySqlDriverProviderTckTest extends LockProviderTck {

    @Override
    protected LockHarness harness() {
        return new JdbcHarness(Databases.SharedMariaDb.BY_MYSQL_DRIVER, true, Duration.ofMillis(600));
    }
}
