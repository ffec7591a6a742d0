package io.holdfast.lock.redis;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.parts.RedisServerScene;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.UnifiedJedis;

/** A version of Jedis that is refused. The build runs it with that version only, hence the name. */
class TooOldJedis extends RedisServerScene {

    private static final String REFUSAL =
            "Jedis " + System.getProperty("line.version") + " is too old: lock-redis works with Jedis 6.0 to 8";

    @Test
    void aUriIsRefusedAndTheVersionNamed() {
        refuses(() -> LockClient.connect("redis://localhost"));
        refuses(() -> LockClient.connect("rediss://localhost"));
    }

    @Test
    void aGivenClientIsRefusedAndTheVersionNamed() {
        try (UnifiedJedis client = GivenClients.unknown(server)) {
            refuses(() -> RedisLockProvider.over(client));
        }
    }

    private static void refuses(ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOf(LockConfigurationException.class).hasMessage(REFUSAL);
    }
}
