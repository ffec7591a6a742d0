package io.holdfast.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.LockCapabilities.Reentrancy;
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
    void anOwnerReentersFromAnotherClientWithTheSameTokenAndFreesTheLockWithTheLastRelease() {
        TestClaim first = TestClaim.owned(here, "a", "workflow-17", TestClaim.LEASE);
        TestClaim second = TestClaim.owned(there, "a", "workflow-17", TestClaim.LEASE);
        TestClaim stranger = TestClaim.once(there, "a");

        assertThat(first.token()).isEqualTo(second.token());
        assertThat(stranger.granted()).isFalse();
        assertThat(first.released()).isTrue();
        assertThat(stranger.granted()).isFalse();
        assertThat(second.held()).isTrue();
        assertThat(second.released()).isTrue();
        assertThat(stranger.granted()).isTrue();
    }

    @Test
    void aReleaseThatArrivesTwiceDoesNotTakeAnotherClaimsHold() {
        TestClaim first = TestClaim.owned(here, "a", "workflow-17", TestClaim.LEASE);
        TestClaim second = TestClaim.owned(there, "a", "workflow-17", TestClaim.LEASE);
        first.granted();
        second.granted();

        assertThat(first.released()).isTrue();
        assertThat(first.released()).isFalse();
        assertThat(second.held()).isTrue();
    }

    @Test
    void aBidThatIsSentAgainDoesNotShortenItsClaim() {
        TestClaim bidder = TestClaim.once(here, "a");
        long token = bidder.token();
        server.command("HSET", "holdfast:a", "claim:" + bidder.id, "4000000000000");

        assertThat(bidder.token()).isEqualTo(token);
        assertThat(server.command("HGET", "holdfast:a", "claim:" + bidder.id)).isEqualTo("4000000000000");
    }

    @Test
    void aRenewalProlongsTheClaimAndNotTheKeyAlone() {
        TestClaim bidder = TestClaim.once(here, "a");
        assertThat(bidder.granted()).isTrue();
        String field = "claim:" + bidder.id;
        long granted =
                Long.parseLong(server.command("HGET", "holdfast:a", field).toString());
        server.command("HSET", "holdfast:a", field, Long.toString(granted - 10_000));

        assertThat(bidder.held()).isTrue();

        assertThat(Long.parseLong(server.command("HGET", "holdfast:a", field).toString()))
                .isGreaterThanOrEqualTo(granted);
    }

    @Test
    void aShorterClaimOfTheSameOwnerDoesNotShortenTheLock() {
        TestClaim.owned(here, "a", "workflow-17", TestClaim.LEASE).granted();
        TestClaim.owned(there, "a", "workflow-17", SHORT).granted();

        assertThat((Long) server.command("PTTL", "holdfast:a")).isGreaterThan(25_000);
    }

    @Test
    void theLockEndsWithTheLongestOfTheClaimsThatAreLeft() {
        TestClaim longer = TestClaim.owned(here, "a", "workflow-17", TestClaim.LEASE);
        longer.granted();
        TestClaim.owned(there, "a", "workflow-17", SHORT).granted();
        longer.released();

        assertThat((Long) server.command("PTTL", "holdfast:a")).isLessThanOrEqualTo(SHORT.toMillis());
        await().atMost(BOUND).until(TestClaim.once(there, "a")::granted);
    }

    @Test
    void aClaimThatRanOutIsLostAlthoughItsOwnerStillHoldsTheLockByAnother() {
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
    void aRecordWithoutAnExpiryDoesNotHoldTheLockForEver() {
        TestClaim.once(here, "a", SHORT).granted();
        server.command("PERSIST", "holdfast:a");

        await().atMost(BOUND).until(TestClaim.once(there, "a")::granted);
        assertThat((Long) server.command("PTTL", "holdfast:a")).isPositive();
        await().atMost(BOUND).untilAsserted(() -> assertThat(here.holder("a")).isPresent());
    }
}
