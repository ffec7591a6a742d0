package io.holdfast.lock.zookeeper;

import io.holdfast.lock.LockOptions;
import io.holdfast.lock.tck.LockClientTck;
import io.holdfast.lock.tck.LockHarness;
import io.holdfast.lock.tck.faults.MortalProvider.Death;
import org.junit.jupiter.api.Tag;

@Tag("full")
@Tag("server")
class ZooKeeperWithoutHandOverClientTckTest extends LockClientTck {

    @Override
    protected LockHarness harness() {
        return new ZooKeeperHarness(Site.ONE_SERVER, Death.AFTER_ITS_GRANT, LockOptions.DEFAULTS.withHandOver(0));
    }
}
