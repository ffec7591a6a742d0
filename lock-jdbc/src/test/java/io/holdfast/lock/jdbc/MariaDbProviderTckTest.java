package io.holdfast.lock.jdbc;

import io.holdfast.lock.tck.LockHarness;
import io.holdfast.lock.tck.LockProviderTck;
import java.time.Duration;
import org.junit.jupiter.api.Tag;

@NeedsMariaDb
@Tag("full")
@Tag("server")
class MariaDbProviderTckTest extends LockProviderTck {

    @Override
    protected LockHarness harness() {
        return new JdbcHarness(Databases.SharedMariaDb.URL, true, Duration.ofMillis(600));
    }
}
