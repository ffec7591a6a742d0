package io.holdfast.containers;

import io.holdfast.lock.tck.LockClientTck;
import io.holdfast.lock.tck.LockHarness;
import org.junit.jupiter.api.extension.RegisterExtension;

class ValkeyStringLayoutClientTckTest extends LockClientTck {

    @RegisterExtension
    static final ContainerServer SERVER = RedisStore.VALKEY;

    @Override
    protected LockHarness harness() {
        return RedisStore.harness(SERVER, "string");
    }
}
