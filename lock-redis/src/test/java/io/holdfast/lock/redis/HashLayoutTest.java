package io.holdfast.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.LockCapabilities.Reentrancy;
import io.holdfast.parts.RedisServerScene;
import io.holdfast.parts.TestClaim;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HashLayoutTest extends RedisServerScene {

    private static final Duration SHORT = Duration.ofMillis(150);
    private static final Duration BOUND = Duration.ofSeconds(20);

    private RedisLockProvider here;
    private RedisLockProvider there;

    @BeforeEach
    void open() {
        here = RedisProviders.on(server, "");
        there = RedisProviders.on(server, "");
    }

    @AfterEach
    void close() {
        here.close();
        there.close();
    }

    @Test
    void isTheDefault() {
        assertThat(here.capabilities().reentrancy()).isEqualTo(Reentrancy.STORE);
        TestClaim.once(here, "a").granted();
        assertThat(server.command("TYPE", "holdfast:a")).isEqualTo("hash");
    }

    @Test
    void ownerReentersFromAnotherClientAndTheLastReleaseFreesTheLock() {
        TestClaim first = TestClaim.owned(here, "a", "workflow-17", TestClaim.LEASE);
        TestClaim second = TestClaim.owned(there, "a", "workflow-17", TestClaim.LEASE);
        TestClaim other = TestClaim.once(there, "a");

        assertThat(first.token()).isEqualTo(second.token());
        assertThat(other.granted()).isFalse();
        assertThat(first.released()).isTrue();
        assertThat(other.granted()).isFalse();
        assertThat(second.held()).isTrue();
        assertThat(second.released()).isTrue();
        assertThat(other.granted()).isTrue();
    }

    @Test
    void repeatedReleaseDoesNotReleaseAnotherClaim() {
        TestClaim first = TestClaim.owned(here, "a", "workflow-17", TestClaim.LEASE);
        TestClaim second = TestClaim.owned(there, "a", "workflow-17", TestClaim.LEASE);
        first.granted();
        second.granted();

        assertThat(first.released()).isTrue();
        assertThat(first.released()).isFalse();
        assertThat(second.held()).isTrue();
    }

    @Test
    void repeatedAttemptDoesNotShortenItsClaim() {
        TestClaim claim = TestClaim.once(here, "a");
        long token = claim.token();
        server.command("HSET", "holdfast:a", "claim:" + claim.id, "4000000000000");

        assertThat(claim.token()).isEqualTo(token);
        assertThat(server.command("HGET", "holdfast:a", "claim:" + claim.id)).isEqualTo("4000000000000");
    }

    @Test
    void renewalProlongsTheClaimAndTheKey() {
        TestClaim claim = TestClaim.once(here, "a");
        assertThat(claim.granted()).isTrue();
        String field = "claim:" + claim.id;
        long granted =
                Long.parseLong(server.command("HGET", "holdfast:a", field).toString());
        server.command("HSET", "holdfast:a", field, Long.toString(granted - 10_000));

        assertThat(claim.held()).isTrue();

        assertThat(Long.parseLong(server.command("HGET", "holdfast:a", field).toString()))
                .isGreaterThanOrEqualTo(granted);
    }

    @Test
    void shorterClaimOfTheSameOwnerDoesNotShortenTheLock() {
        TestClaim.owned(here, "a", "workflow-17", TestClaim.LEASE).granted();
        TestClaim.owned(there, "a", "workflow-17", SHORT).granted();

        assertThat((Long) server.command("PTTL", "holdfast:a")).isGreaterThan(25_000);
    }

    @Test
    void lockEndsWithTheLongestRemainingClaim() {
        TestClaim longer = TestClaim.owned(here, "a", "workflow-17", TestClaim.LEASE);
        longer.granted();
        TestClaim.owned(there, "a", "workflow-17", SHORT).granted();
        longer.released();

        assertThat((Long) server.command("PTTL", "holdfast:a")).isLessThanOrEqualTo(SHORT.toMillis());
        await().atMost(BOUND).until(TestClaim.once(there, "a")::granted);
    }

    @Test
    void expiredClaimIsLostWhileItsOwnerHoldsTheLockByAnother() {
        TestClaim longer = TestClaim.owned(here, "a", "workflow-17", TestClaim.LEASE);
        TestClaim shorter = TestClaim.owned(there, "a", "workflow-17", SHORT);
        longer.granted();
        shorter.granted();
        String field = "claim:" + shorter.id;
        await().atMost(BOUND)
                .until(() -> Long.parseLong((String) server.command("HGET", "holdfast:a", field)) + 1 < serverMillis());

        assertThat(shorter.held()).isFalse();
        assertThat(shorter.released()).isFalse();
        assertThat(longer.held()).isTrue();
        assertThat(server.command("HEXISTS", "holdfast:a", field)).isEqualTo(0L);
        assertThat(longer.released()).isTrue();
    }

    private long serverMillis() {
        Object[] time = ((java.util.List<?>) server.command("TIME")).toArray();
        return Long.parseLong((String) time[0]) * 1000 + Long.parseLong((String) time[1]) / 1000;
    }

    @Test
    void recordWithoutAnExpiryEndsWithItsClaim() {
        TestClaim.once(here, "a", SHORT).granted();
        server.command("PERSIST", "holdfast:a");

        await().atMost(BOUND).until(TestClaim.once(there, "a")::granted);
        assertThat((Long) server.command("PTTL", "holdfast:a")).isPositive();
        await().atMost(BOUND).untilAsserted(() -> assertThat(here.holder("a")).isPresent());
    }
}
