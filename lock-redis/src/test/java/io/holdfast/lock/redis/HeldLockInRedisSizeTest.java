package io.holdfast.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.redis.RedisLockProvider.Layout;
import io.holdfast.parts.LiveHeap;
import io.holdfast.parts.RedisServerScene;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a lock that is held in Redis costs its client. */
@Isolated
class HeldLockInRedisSizeTest extends RedisServerScene {

    @ParameterizedTest
    @EnumSource
    void heldLockCostsSixHundredBytes(Layout layout) {
        try (LockClient client = LockClient.connect("redis://127.0.0.1:" + server.port() + "?layout=" + layout)) {
            assertThat(LiveHeap.bytesForEachLockOf(client)).isLessThan(700);
        }
    }
}
