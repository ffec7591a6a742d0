package io.holdfast.lock.redis;

import io.holdfast.lock.LockClient;
import io.holdfast.parts.RedisProxyScene;
import java.time.Duration;

/** Engine and backend together, as an application has them. */
abstract class ClientScene extends RedisProxyScene {

    static final Duration BOUND = Duration.ofSeconds(30);

    LockClient connect(String query) {
        return LockClient.connect("redis://127.0.0.1:" + proxy.port() + "?" + query);
    }
}
