package io.holdfast.lock.redis;

import io.holdfast.lock.spi.LockProvider;
import io.holdfast.parts.RedisTlsScene;
import java.util.Map;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
class RedisTlsTest extends RedisTlsScene {

    @Override
    protected String scheme() {
        return "redis";
    }

    @Override
    protected LockProvider open(String uri, Map<String, String> properties) {
        return RedisProviders.at(uri, properties);
    }
}
