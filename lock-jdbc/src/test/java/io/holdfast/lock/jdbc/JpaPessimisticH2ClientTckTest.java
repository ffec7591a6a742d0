package io.holdfast.lock.jdbc;

import io.holdfast.lock.jdbc.jpa.JpaLockProvider.Strategy;
import io.holdfast.lock.tck.LockClientTck;
import io.holdfast.lock.tck.LockHarness;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Tag("full")
// One test after the other: all grants of H2 wait for one row, and its waits are not fair.
@Execution(ExecutionMode.SAME_THREAD)
class JpaPessimisticH2ClientTckTest extends LockClientTck {

    @Override
    protected LockHarness harness() {
        Duration lease = Duration.ofSeconds(2);
        return new JpaHarness(new JdbcHarness(Databases.SharedH2Server.URL, true, lease), Strategy.PESSIMISTIC, lease);
    }
}
