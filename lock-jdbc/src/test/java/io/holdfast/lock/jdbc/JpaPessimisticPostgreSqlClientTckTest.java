package io.holdfast.lock.jdbc;

import io.holdfast.lock.jdbc.jpa.JpaLockProvider.Strategy;
import io.holdfast.lock.tck.LockClientTck;
import io.holdfast.lock.tck.LockHarness;
import java.time.Duration;
import org.junit.jupiter.api.Tag;

@Tag("full")
@Tag("server")
class JpaPessimisticPostgreSqlClientTckTest extends LockClientTck {

    @Override
    protected LockHarness harness() {
        Duration lease = Duration.ofSeconds(2);
        return new JpaHarness(
                new JdbcHarness(Databases.SharedPostgreSql.URL, true, lease), Strategy.PESSIMISTIC, lease);
    }
}
