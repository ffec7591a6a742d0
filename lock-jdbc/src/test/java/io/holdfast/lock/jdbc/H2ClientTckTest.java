package io.holdfast.lock.jdbc;

import io.holdfast.lock.tck.LockClientTck;
import io.holdfast.lock.tck.LockHarness;
import java.time.Duration;
import org.junit.jupiter.api.Tag;

@Tag("full")
class H2ClientTckTest extends LockClientTck {

    @Override
    protected LockHarness harness() {
        return new JdbcHarness(Databases.SharedH2Server.URL, true, Duration.ofSeconds(2));
    }
}
