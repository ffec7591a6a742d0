package io.holdfast.lock.redisson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.servers.RedisServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.redisson.api.RedissonClient;

/** A version that is not supported. Runs only in the profile {@code full}, with such a version. */
@Tag("server")
class TooOldRedisson {

    private static final String FOUND = System.getProperty("line.version");

    @Test
    void isRefusedByName() {
        assertThat(RedissonVersion.found()).isEqualTo(FOUND);
        assertThatThrownBy(() -> LockClient.connect("redisson://127.0.0.1:1"))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContainingAll(FOUND, "3.27 to");
        try (RedisServer server = RedisServer.start()) {
            RedissonClient redisson = Redissons.on(server);
            try {
                assertThatThrownBy(() -> RedissonLockProvider.over(redisson))
                        .isInstanceOf(LockConfigurationException.class)
                        .hasMessageContainingAll(FOUND, "3.27 to");
            } finally {
                redisson.shutdown();
            }
        }
    }
}
