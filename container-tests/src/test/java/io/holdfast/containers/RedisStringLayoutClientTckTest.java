package io.holdfast.containers;

import io.holdfast.lock.tck.LockClientTck;
import io.holdfast.lock.tck.LockHarness;
import org.junit.jupiter.api.extension.RegisterExtension;

class RedisStringLayoutClientTckTest extends LockClientTck {

    @RegisterExtension
    static final ContainerServer SERVER = RedisStore.REDIS;

    @Override
    protected LockHarness harness() {
        return RedisStore.harness(SERVER, "string");
    }
}
