package io.holdfast.containers;

import io.holdfast.lock.tck.LockClientTck;
import io.holdfast.lock.tck.LockHarness;
import org.junit.jupiter.api.extension.RegisterExtension;

class ContainerPostgreSqlClientTckTest extends LockClientTck {

    @RegisterExtension
    static final ContainerServer SERVER = SqlStore.POSTGRESQL.server();

    @Override
    protected LockHarness harness() {
        return SqlStore.POSTGRESQL.harness();
    }
}
