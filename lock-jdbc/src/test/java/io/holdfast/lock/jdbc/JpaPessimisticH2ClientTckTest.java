package io.holdfast.lock.jdbc;

import io.holdfast.lock.jdbc.jpa.JpaLockProvider.Strategy;
import io.holdfast.lock.tck.LockClientTck;
import io.holdfast.lock.tck.LockHarness;
import java.time.Duration;
import org.junit.jupiter.api.Tag;

@Tag("full")
class JpaPessimisticH2ClientTckTest extends LockClientTck {

    @Override
    protected LockHarness harness() {
        Duration lease = Duration.ofSeconds(2);
        return new JpaHarness(new JdbcHarness(Databases.SharedH2Server.URL, true, lease), Strategy.PESSIMISTIC, lease);
    }
}
