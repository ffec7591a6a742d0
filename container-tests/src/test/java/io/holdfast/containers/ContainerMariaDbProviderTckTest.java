package io.holdfast.containers;

import io.holdfast.lock.tck.LockHarness;
import io.holdfast.lock.tck.LockProviderTck;
import org.junit.jupiter.api.extension.RegisterExtension;

class ContainerMariaDbProviderTckTest extends LockProviderTck {

    @RegisterExtension
    static final ContainerServer SERVER = SqlStore.MARIADB.server();

    @Override
    protected LockHarness harness() {
        return SqlStore.MARIADB.harness();
    }
}
