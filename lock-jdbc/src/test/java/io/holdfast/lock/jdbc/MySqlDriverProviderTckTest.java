package io.holdfast.lock.jdbc;

import io.holdfast.lock.tck.LockHarness;
import io.holdfast.lock.tck.LockProviderTck;
import java.time.Duration;
import org.junit.jupiter.api.Tag;

/** The same statements by the MySQL driver; the server is MariaDB. */
@NeedsMariaDb
@Tag("full")
@Tag("server")
class MySqlDriverProviderTckTest extends LockProviderTck {

    @Override
    protected LockHarness harness() {
        return new JdbcHarness(Databases.SharedMariaDb.BY_MYSQL_DRIVER, true, Duration.ofMillis(600));
    }
}
