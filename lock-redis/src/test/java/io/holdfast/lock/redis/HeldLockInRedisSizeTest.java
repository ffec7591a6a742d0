package io.holdfast.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.redis.RedisLockProvider.Layout;
import io.holdfast.parts.LiveHeap;
import io.holdfast.parts.RedisServerScene;
import java.util.Iterator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a lock that is held in Redis costs its client. */
@Isolated
class HeldLockInRedisSizeTest extends RedisServerScene {

    private static final int LOCKS = 10_000;

    @ParameterizedTest
    @EnumSource
    void heldLockCostsAboutAThousandBytes(Layout layout) {
        try (LockClient client = LockClient.connect("redis://127.0.0.1:" + server.port() + "?layout=" + layout)) {
            Iterator<String> names = IntStream.range(0, LOCKS)
                    .mapToObj(i -> "lock-" + i)
                    .toList()
                    .iterator();
            // What is made once, such as the threads, is there before the counting.
            IntStream.range(0, 1_000)
                    .forEach(i ->
                            client.lock("first" + i).tryAcquire().orElseThrow().close());

            assertThat(LiveHeap.bytesForEach(
                            LOCKS, () -> client.lock(names.next()).tryAcquire().orElseThrow()))
                    .isLessThan(1_020);
        }
    }
}
