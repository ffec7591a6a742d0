package io.holdfast.lock.jdbc;

import io.holdfast.lock.tck.LockClientTck;
import io.holdfast.lock.tck.LockHarness;
import java.time.Duration;
import org.junit.jupiter.api.Tag;

@NeedsMariaDb
@Tag("full")
@Tag("server")
class MariaDbClientTckTest extends LockClientTck {

    @Override
    protected LockHarness harness() {
        return new JdbcHarness(Databases.SharedMariaDb.URL, true, Duration.ofSeconds(2));
    }
}
