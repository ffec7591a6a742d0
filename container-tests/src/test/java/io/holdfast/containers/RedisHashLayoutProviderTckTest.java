package io.holdfast.containers;

import io.holdfast.lock.tck.LockHarness;
import io.holdfast.lock.tck.LockProviderTck;
import org.junit.jupiter.api.extension.RegisterExtension;

class RedisHashLayoutProviderTckTest extends LockProviderTck {

    @RegisterExtension
    static final ContainerServer SERVER = RedisStore.REDIS;

    @Override
    protected LockHarness harness() {
        return RedisStore.harness(SERVER, "hash");
    }
}
