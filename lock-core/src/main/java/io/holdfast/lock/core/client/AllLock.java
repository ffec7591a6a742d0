package io.holdfast.lock.core.client;

import io.holdfast.lock.LockOwner;
import io.holdfast.lock.MultiLock;
import io.holdfast.lock.MultiLockHandle;
import io.holdfast.lock.core.hold.Services;
import java.util.List;

/** A lock over several names. */
final class AllLock extends EngineLock<MultiLockHandle, AllHandle> implements MultiLock {

    AllLock(Services services, AllAcquirer acquirer, LockOwner owner, ThreadHolds threadHolds) {
        super(services, acquirer, owner, threadHolds, handle -> handle);
    }

    @Override
    public List<String> names() {
        return acquirer().names();
    }

    @Override
    public String toString() {
        return "MultiLock[" + String.join(", ", names()) + "]";
    }
}
