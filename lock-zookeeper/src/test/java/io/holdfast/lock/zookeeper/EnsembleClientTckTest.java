package io.holdfast.lock.zookeeper;

import io.holdfast.lock.tck.LockClientTck;
import io.holdfast.lock.tck.LockHarness;
import io.holdfast.lock.tck.faults.MortalProvider.Death;
import org.junit.jupiter.api.Tag;

@Tag("full")
@Tag("server")
class EnsembleClientTckTest extends LockClientTck {

    @Override
    protected LockHarness harness() {
        return new ZooKeeperHarness(Site.THREE_SERVERS, Death.AFTER_ITS_GRANT);
    }
}
