package io.holdfast.lock.jdbc;

import io.holdfast.lock.tck.LockHarness;
import io.holdfast.lock.tck.LockProviderTck;
import java.time.Duration;
import org.junit.jupiter.api.Tag;

@Tag("full")
class H2ProviderTckTest extends LockProviderTck {

    @Override
    protected LockHarness harness() {
        return new JdbcHarness(Databases.SharedH2.URL, false, Duration.ofMillis(600));
    }
}
