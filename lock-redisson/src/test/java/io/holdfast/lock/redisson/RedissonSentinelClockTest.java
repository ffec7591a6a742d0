package io.holdfast.lock.redisson;

import static io.holdfast.parts.Waits.answered;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.spi.StoreTime;
import io.holdfast.parts.TestClaim;
import io.holdfast.servers.RedisSentinels;
import io.holdfast.servers.RedisServer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** With sentinels there is one master at a time. */
@Execution(ExecutionMode.CONCURRENT)
@Tag("full")
@Tag("server")
class RedissonSentinelClockTest {

    /** The new master's clock ends what the former one granted, so the two must be compared. */
    @Test
    void clockOfTheNewMasterStandsForThatOfTheFormerOne() {
        try (RedisSentinels sentinels = RedisSentinels.start()) {
            RedissonClient redisson = client(sentinels);
            try (RedissonLockProvider provider =
                    RedissonLockProvider.over(redisson).build()) {
                TestClaim claim = TestClaim.once(provider, "a");
                StoreTime before = ToldTime.of(claim.claim.attempt()).orElseThrow();
                RedisServer master = sentinels.failOver();

                AtomicReference<StoreTime> after = new AtomicReference<>();
                answered().until(() -> {
                    after.set(ToldTime.of(claim.claim.attempt()).orElseThrow());
                    return master.calls("time") > 0;
                });
                assertThat(after.get().clock()).isEqualTo(before.clock());
                assertThat(after.get().time()).isAfter(before.time());
            } finally {
                redisson.shutdown(0, 2, TimeUnit.SECONDS);
            }
        }
    }

    private static RedissonClient client(RedisSentinels sentinels) {
        Config config = new Config();
        config.useSentinelServers()
                .setMasterName(RedisSentinels.MASTER)
                .addSentinelAddress(sentinels.sentinels().stream()
                        .map(sentinel -> "redis://" + sentinel.host() + ":" + sentinel.port())
                        .toArray(String[]::new))
                .setScanInterval(200)
                .setMasterConnectionMinimumIdleSize(1)
                .setSlaveConnectionMinimumIdleSize(1);
        return Redisson.create(config);
    }
}
