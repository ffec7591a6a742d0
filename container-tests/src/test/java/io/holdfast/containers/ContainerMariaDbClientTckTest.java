package io.holdfast.containers;

import io.holdfast.lock.tck.LockClientTck;
import io.holdfast.lock.tck.LockHarness;
import org.junit.jupiter.api.extension.RegisterExtension;

class ContainerMariaDbClientTckTest extends LockClientTck {

    @RegisterExtension
    static final ContainerServer SERVER = SqlStore.MARIADB.server();

    @Override
    protected LockHarness harness() {
        return SqlStore.MARIADB.harness();
    }
}
