package io.holdfast.lock.redisson;

import io.holdfast.lock.spi.LockProvider;
import io.holdfast.parts.RedisTlsScene;
import java.util.Map;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
class TlsTest extends RedisTlsScene {

    @Override
    protected String scheme() {
        return "redisson";
    }

    @Override
    protected LockProvider open(String uri, Map<String, String> properties) {
        return Providers.at(uri, properties);
    }
}
