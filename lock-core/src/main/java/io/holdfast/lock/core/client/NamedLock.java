package io.holdfast.lock.core.client;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockOwner;
import io.holdfast.lock.core.hold.HoldHandle;
import io.holdfast.lock.core.hold.Services;

/** A lock over one name. */
final class NamedLock extends EngineLock<LockHandle, HoldHandle> implements DistributedLock {

    NamedLock(Services services, SingleAcquirer acquirer, LockOwner owner, ThreadHolds threadHolds) {
        super(services, acquirer, owner, threadHolds, handle -> handle);
    }

    @Override
    public String name() {
        return acquirer().names().get(0);
    }

    @Override
    public String toString() {
        return "DistributedLock[" + name() + "]";
    }
}
