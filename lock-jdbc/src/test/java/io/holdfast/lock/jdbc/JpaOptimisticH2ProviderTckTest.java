package io.holdfast.lock.jdbc;

import io.holdfast.lock.jdbc.jpa.JpaLockProvider.Strategy;
import io.holdfast.lock.tck.LockHarness;
import io.holdfast.lock.tck.LockProviderTck;
import java.time.Duration;
import org.junit.jupiter.api.Tag;

@Tag("full")
class JpaOptimisticH2ProviderTckTest extends LockProviderTck {

    @Override
    protected LockHarness harness() {
        Duration lease = Duration.ofMillis(800);
        return new JpaHarness(new JdbcHarness(Databases.SharedH2.URL, false, lease), Strategy.OPTIMISTIC, lease);
    }
}
