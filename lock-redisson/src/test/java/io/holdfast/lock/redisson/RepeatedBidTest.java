package io.holdfast.lock.redisson;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.redisson.RedissonLockProvider.Layout;
import io.holdfast.parts.Bidder;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a bid does that finds its claim in force. */
class RepeatedBidTest extends RedissonScene {

    private long ttl() {
        return (Long) server.command("PTTL", "a");
    }

    @Test
    void aBidThatIsSentAgainProlongsTheLockAndShortensNothing() {
        Bidder bidder = Bidder.once(provider, "a", Duration.ofSeconds(20));
        long token = bidder.token();
        server.command("PEXPIRE", "a", "5000");
        assertThat(bidder.token()).isEqualTo(token);
        assertThat(ttl()).isBetween(15_000L, 20_000L);

        server.command("PEXPIRE", "a", "500000");
        assertThat(bidder.token()).isEqualTo(token);
        assertThat(ttl()).isGreaterThan(400_000L);
    }

    @ParameterizedTest
    @EnumSource
    void aBidThatIsSentAgainAfterItsRecordWasDeletedIsAGrantWithAGreaterToken(Layout layout) {
        RedissonLockProvider ours =
                RedissonLockProvider.over(redisson).layout(layout).build();
        Bidder bidder = Bidder.once(ours, "a", Duration.ofSeconds(20));
        long token = bidder.token();
        server.command("DEL", "holdfast_lock:{a}");
        server.command("PEXPIRE", "a", "500000");

        assertThat(bidder.token()).isGreaterThan(token);
        assertThat(server.command("HVALS", "a")).isEqualTo(List.of("1"));
        assertThat(ttl()).isGreaterThan(400_000L);
    }
}
