package io.holdfast.containers;

import io.holdfast.lock.tck.LockClientTck;
import io.holdfast.lock.tck.LockHarness;
import io.holdfast.lock.tck.faults.MortalProvider.Death;
import org.junit.jupiter.api.extension.RegisterExtension;

class ContainerZooKeeperClientTckTest extends LockClientTck {

    @RegisterExtension
    static final ContainerServer SERVER = ContainerZooKeeperHarness.SERVER;

    @Override
    protected LockHarness harness() {
        return new ContainerZooKeeperHarness(Death.AFTER_ITS_GRANT);
    }
}
