package io.holdfast.containers;

import io.holdfast.lock.tck.LockHarness;
import io.holdfast.lock.tck.LockProviderTck;
import org.junit.jupiter.api.extension.RegisterExtension;

class ContainerPostgreSqlProviderTckTest extends LockProviderTck {

    @RegisterExtension
    static final ContainerServer SERVER = SqlStore.POSTGRESQL.server();

    @Override
    protected LockHarness harness() {
        return SqlStore.POSTGRESQL.harness();
    }
}
