package io.holdfast.lock.zookeeper;

import io.holdfast.lock.tck.LockClientTck;
import io.holdfast.lock.tck.LockHarness;
import io.holdfast.parts.MortalProvider.Death;

class ZooKeeperClientTckTest extends LockClientTck {

    @Override
    protected LockHarness harness() {
        return new ZooKeeperHarness(Site.ONE_SERVER, Death.OF_HOLDERS);
    }
}
