package io.holdfast.containers;

import io.holdfast.lock.tck.LockClientTck;
import io.holdfast.lock.tck.LockHarness;
import io.holdfast.parts.MortalProvider.Death;
import org.junit.jupiter.api.extension.RegisterExtension;

class ZooKeeperClientTckTest extends LockClientTck {

    @RegisterExtension
    static final ContainerServer SERVER = ZooKeeperHarness.SERVER;

    @Override
    protected LockHarness harness() {
        return new ZooKeeperHarness(Death.OF_HOLDERS);
    }
}
