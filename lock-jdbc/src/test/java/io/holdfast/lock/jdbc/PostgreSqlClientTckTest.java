package io.holdfast.lock.jdbc;

import io.holdfast.lock.tck.LockClientTck;
import io.holdfast.lock.tck.LockHarness;
import java.time.Duration;
import org.junit.jupiter.api.Tag;

@Tag("full")
@Tag("server")
class PostgreSqlClientTckTest extends LockClientTck {

    @Override
    protected LockHarness harness() {
        return new JdbcHarness(Databases.SharedPostgreSql.URL, true, Duration.ofSeconds(2));
    }
}
