package io.holdfast.lock.jdbc;

import io.holdfast.lock.tck.LockHarness;
import io.holdfast.lock.tck.LockProviderTck;
import java.time.Duration;
import org.junit.jupiter.api.Tag;

/** What the MySQL driver makes of the same statements; the server is MariaDB. */
@NeedsMariaDb
@Tag("full")
@Tag("server")
class MySqlDriverProviderTckTest extends LockProviderTck {

    @Override
    protected LockHarness harness() {
        return new JdbcHarness(Databases.SharedMariaDb.BY_MYSQL_DRIVER, true, Duration.ofMillis(600));
    }
}
