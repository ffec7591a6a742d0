package io.holdfast.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.spi.ConnectionParameters;
import io.holdfast.parts.Bidder;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** How long a channel stays subscribed that nobody waits for any more. */
class IdleChannelTest extends WakeUpScene {

    private static final Duration SILENCE = Duration.ofSeconds(1);

    @Test
    void isKeptWhileOthersReleaseTheLockAndLeftWhenNobodyDoes() {
        URI uri = URI.create("redis://127.0.0.1:" + server.port());
        try (RedisLockProvider other =
                RedisSettings.of(uri, ConnectionParameters.of("", Map.of())).open(SILENCE)) {
            Bidder holder = holder(provider, "a");
            waiter(other, "a").released();

            long end = System.nanoTime() + SILENCE.multipliedBy(3).toNanos();
            while (System.nanoTime() - end < 0) {
                assertThat(holder.released()).isTrue();
                holder = holder(provider, "a");
            }
            assertThat(server.command("PUBSUB", "NUMSUB", "holdfast:#free:a"))
                    .isEqualTo(List.of("holdfast:#free:a", 1L));

            awaitSubscribers("a", 0);
        }
    }
}
