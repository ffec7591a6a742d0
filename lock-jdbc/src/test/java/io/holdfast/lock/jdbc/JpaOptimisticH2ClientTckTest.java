package io.holdfast.lock.jdbc;

import io.holdfast.lock.jdbc.jpa.JpaLockProvider.Strategy;
import io.holdfast.lock.tck.LockClientTck;
import io.holdfast.lock.tck.LockHarness;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.ResourceLock;

@Tag("full")
// One test of both classes after the other: all grants of H2 wait for one row, and its waits are not fair.
@ResourceLock("the clients of H2")
class JpaOptimisticH2ClientTckTest extends LockClientTck {

    @Override
    protected LockHarness harness() {
        Duration lease = Duration.ofSeconds(2);
        return new JpaHarness(new JdbcHarness(Databases.SharedH2Server.URL, true, lease), Strategy.OPTIMISTIC, lease);
    }
}
