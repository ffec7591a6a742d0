package io.holdfast.lock.redisson;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.parts.TestClaim;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** An attempt that finds its claim in force. */
class RepeatedAttemptTest extends RedissonScene {

    private long ttl() {
        return (Long) server.command("PTTL", "a");
    }

    @Test
    void repeatedAttemptProlongsTheLockAndNeverShortensIt() {
        TestClaim claim = TestClaim.once(provider, "a", Duration.ofSeconds(20));
        long token = claim.token();
        server.command("PEXPIRE", "a", "5000");
        assertThat(claim.token()).isEqualTo(token);
        assertThat(ttl()).isBetween(15_000L, 20_000L);

        server.command("PEXPIRE", "a", "500000");
        assertThat(claim.token()).isEqualTo(token);
        assertThat(ttl()).isGreaterThan(400_000L);
    }
}
