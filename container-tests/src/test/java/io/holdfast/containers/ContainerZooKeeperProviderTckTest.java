package io.holdfast.containers;

import io.holdfast.lock.tck.LockHarness;
import io.holdfast.lock.tck.LockProviderTck;
import io.holdfast.lock.tck.faults.MortalProvider.Death;
import org.junit.jupiter.api.extension.RegisterExtension;

class ContainerZooKeeperProviderTckTest extends LockProviderTck {

    @RegisterExtension
    static final ContainerServer SERVER = ContainerZooKeeperHarness.SERVER;

    @Override
    protected LockHarness harness() {
        return new ContainerZooKeeperHarness(Death.AFTER_ITS_FIRST_ATTEMPT);
    }
}
