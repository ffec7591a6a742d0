package io.holdfast.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.LockCapabilities.Reentrancy;
import io.holdfast.parts.Bidder;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HashLayoutTest extends ServerScene {

    private static final Duration SHORT = Duration.ofMillis(150);
    private static final Duration BOUND = Duration.ofSeconds(20);

    private RedisLockProvider here;
    private RedisLockProvider there;

    @BeforeEach
    void open() {
        here = Providers.on(server, "");
        there = Providers.on(server, "");
    }

    @AfterEach
    void close() {
        here.close();
        there.close();
    }

    @Test
    void isTheDefault() {
        assertThat(here.capabilities().reentrancy()).isEqualTo(Reentrancy.STORE);
        Bidder.once(here, "a").granted();
        assertThat(server.command("TYPE", "holdfast:a")).isEqualTo("hash");
    }

    @Test
    void anOwnerReentersFromAnotherClientWithTheSameTokenAndFreesTheLockWithTheLastRelease() {
        Bidder first = Bidder.owned(here, "a", "workflow-17", Bidder.LEASE);
        Bidder second = Bidder.owned(there, "a", "workflow-17", Bidder.LEASE);
        Bidder stranger = Bidder.once(there, "a");

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
        Bidder first = Bidder.owned(here, "a", "workflow-17", Bidder.LEASE);
        Bidder second = Bidder.owned(there, "a", "workflow-17", Bidder.LEASE);
        first.granted();
        second.granted();

        assertThat(first.released()).isTrue();
        assertThat(first.released()).isFalse();
        assertThat(second.held()).isTrue();
    }

    @Test
    void aBidThatIsSentAgainDoesNotShortenItsClaim() {
        Bidder bidder = Bidder.once(here, "a");
        long token = bidder.token();
        server.command("HSET", "holdfast:a", "claim:" + bidder.id, "4000000000000");

        assertThat(bidder.token()).isEqualTo(token);
        assertThat(server.command("HGET", "holdfast:a", "claim:" + bidder.id)).isEqualTo("4000000000000");
    }

    @Test
    void aRenewalProlongsTheClaimAndNotTheKeyAlone() {
        Bidder bidder = Bidder.once(here, "a");
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
        Bidder.owned(here, "a", "workflow-17", Bidder.LEASE).granted();
        Bidder.owned(there, "a", "workflow-17", SHORT).granted();

        assertThat((Long) server.command("PTTL", "holdfast:a")).isGreaterThan(25_000);
    }

    @Test
    void theLockEndsWithTheLongestOfTheClaimsThatAreLeft() {
        Bidder longer = Bidder.owned(here, "a", "workflow-17", Bidder.LEASE);
        longer.granted();
        Bidder.owned(there, "a", "workflow-17", SHORT).granted();
        longer.released();

        assertThat((Long) server.command("PTTL", "holdfast:a")).isLessThanOrEqualTo(SHORT.toMillis());
        await().atMost(BOUND).until(Bidder.once(there, "a")::granted);
    }

    @Test
    void aClaimThatRanOutIsLostAlthoughItsOwnerStillHoldsTheLockByAnother() {
        Bidder longer = Bidder.owned(here, "a", "workflow-17", Bidder.LEASE);
        Bidder shorter = Bidder.owned(there, "a", "workflow-17", SHORT);
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
        Bidder.once(here, "a", SHORT).granted();
        server.command("PERSIST", "holdfast:a");

        await().atMost(BOUND).until(Bidder.once(there, "a")::granted);
        assertThat((Long) server.command("PTTL", "holdfast:a")).isPositive();
        await().atMost(BOUND).untilAsserted(() -> assertThat(here.holder("a")).isPresent());
    }
}
