package io.holdfast.containers;

import io.holdfast.lock.tck.LockHarness;
import io.holdfast.lock.tck.LockProviderTck;
import io.holdfast.parts.MortalProvider.Death;
import org.junit.jupiter.api.extension.RegisterExtension;

class ZooKeeperProviderTckTest extends LockProviderTck {

    @RegisterExtension
    static final ContainerServer SERVER = ZooKeeperHarness.SERVER;

    @Override
    protected LockHarness harness() {
        return new ZooKeeperHarness(Death.OF_BIDDERS);
    }
}
