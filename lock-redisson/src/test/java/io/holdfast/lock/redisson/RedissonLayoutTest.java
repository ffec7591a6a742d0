package io.holdfast.lock.redisson;

import static io.holdfast.parts.StoreAssertions.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.redisson.RedissonLockProvider.Layout;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.parts.Proves;
import io.holdfast.parts.TestClaim;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.redisson.api.RFencedLock;
import org.redisson.api.RLock;

/** The keys in Redis while a lock is held and afterwards, and where tokens come from. */
class RedissonLayoutTest extends RedissonScene {

    private static final String LAST = "holdfast_redisson:token";
    private static final String COUNTER = "redisson_lock_token:{a}";

    private RedissonLockProvider with(Layout layout) {
        return RedissonLockProvider.over(redisson).layout(layout).build();
    }

    private long ttl(String key) {
        return (Long) server.command("PTTL", key);
    }

    @ParameterizedTest
    @EnumSource
    void holdIsAHashWithAHoldCountOfOne(Layout layout) {
        TestClaim claim = TestClaim.once(with(layout), "a", Duration.ofSeconds(20));
        long token = claim.token();
        assertThat(ttl("a")).isBetween(10_000L, 20_000L);
        // A repeated attempt is the same attempt.
        assertThat(claim.token()).isEqualTo(token);

        assertThat(server.command("HGET", "a", redisson.getId() + ":holdfast-" + claim.id))
                .isEqualTo("1");
        assertThat((List<?>) server.command("HMGET", "a", "token", "since", "owner", "host", "pid", "thread"))
                .doesNotContainNull();
        assertThat(server.command("HLEN", "a")).isEqualTo(7L);
        assertThat(ttl("a")).isBetween(10_000L, 20_000L);
        assertThat(claim.released()).isTrue();
        assertThat(server.command("EXISTS", "a")).isEqualTo(0L);
        assertThat(claim.released()).isFalse();
    }

    @Proves("2.3")
    @ParameterizedTest
    @EnumSource
    void releaseLeavesOnlyTheCounters(Layout layout) {
        TestClaim claim = TestClaim.once(with(layout), "a");
        long token = claim.token();
        assertThat(claim.released()).isTrue();

        assertThat(server.command("GET", LAST)).isEqualTo(Long.toString(token));
        if (layout == Layout.FENCED) {
            assertThat(server.command("GET", COUNTER)).isEqualTo(Long.toString(token));
        }
        assertThat(server.command("DBSIZE")).isEqualTo(layout == Layout.FENCED ? 2L : 1L);
    }

    @Proves("2.5")
    @Test
    void validityIsTheLeaseLessAThousandth() {
        TestClaim claim = TestClaim.once(provider, "a", Duration.ofSeconds(20));
        Duration counted = Duration.ofMillis(19_980);

        assertThat(((Attempt.Granted) claim.claim.attempt()).validFor()).isEqualTo(counted);
        assertThat(((Renewal.Held) claim.claim.renew()).validFor()).isEqualTo(counted);
    }

    @Test
    void renewalProlongsAndNeverShortens() {
        TestClaim claim = TestClaim.once(provider, "a", Duration.ofSeconds(20));
        assertThat(claim.granted()).isTrue();
        server.command("PEXPIRE", "a", "5000");
        assertThat(claim.held()).isTrue();
        assertThat(ttl("a")).isBetween(15_000L, 20_000L);

        server.command("PEXPIRE", "a", "500000");
        assertThat(claim.held()).isTrue();
        assertThat(ttl("a")).isGreaterThan(400_000L);

        server.command("PERSIST", "a");
        assertThat(claim.held()).isTrue();
        assertThat(ttl("a")).isBetween(15_000L, 20_000L);
    }

    @ParameterizedTest
    @EnumSource
    void holderIsShownWithItsProcessAndItsToken(Layout layout) {
        RedissonLockProvider ours = with(layout);
        TestClaim claim = TestClaim.owned(ours, "a", "workflow-17", TestClaim.LEASE);
        Instant before = Instant.now();
        long token = claim.token();

        LockHolder holder = ours.holder("a").orElseThrow();

        assertThat(holder.owner()).isEqualTo("workflow-17");
        assertThat(holder.host()).contains(TestClaim.CLAIMANT.host());
        assertThat(holder.pid()).hasValue(TestClaim.CLAIMANT.pid());
        assertThat(holder.thread()).contains(TestClaim.CLAIMANT.thread());
        assertThat(holder.fencingToken()).contains(new FencingToken(token));
        assertThat(Duration.between(before, holder.since().orElseThrow()).abs()).isLessThan(Duration.ofSeconds(10));
    }

    @Test
    void recordOfAnEarlierClaimIsNotShownForAnRLockHolder() {
        TestClaim claim = TestClaim.once(provider, "a");
        assertThat(claim.granted()).isTrue();
        redisson.getLock("a").forceUnlock();
        assertThat(redisson.getLock("a").tryLock()).isTrue();

        assertThat(provider.holder("a").orElseThrow().owner()).startsWith(redisson.getId() + ":");
        assertThat(provider.holder("a").orElseThrow().fencingToken()).isEmpty();
    }

    @Test
    void holderOfAReadWriteLockIsShownAndNotItsMode() {
        redisson.getReadWriteLock("a").writeLock().lock();

        assertThat(provider.holder("a").orElseThrow().owner()).startsWith(redisson.getId() + ":");
    }

    @Proves("6.1")
    @ParameterizedTest
    @EnumSource
    void tokensGrowAcrossRLockUsersAndAChangeOfLayout(Layout first) {
        Layout second = first == Layout.LOCK ? Layout.FENCED : Layout.LOCK;
        long last = 0;
        for (Layout layout : List.of(first, second, first, first, second)) {
            TestClaim claim = TestClaim.once(with(layout), "a");
            long token = claim.token();
            assertThat(token).isGreaterThan(last);
            last = token;
            assertThat(claim.released()).isTrue();
            useOnce(redisson.getLock("a"));
            useOnce(redisson.getFencedLock("a"));
        }
    }

    private static void useOnce(RLock lock) {
        assertThat(lock.tryLock()).isTrue();
        lock.unlock();
    }

    @Proves({"6.1", "6.2"})
    @Test
    void fencedLayoutAndRFencedLockShareOneOrderOfTokens() {
        RedissonLockProvider fenced = with(Layout.FENCED);
        RFencedLock theirs = redisson.getFencedLock("a");
        long last = 0;
        for (int round = 0; round < 3; round++) {
            Long token = theirs.lockAndGetToken();
            assertThat(token).isGreaterThan(last);
            theirs.unlock();
            TestClaim claim = TestClaim.once(fenced, "a");
            last = claim.token();
            assertThat(last).isEqualTo(token + 1);
            // Neither a repeated attempt nor a renewal changes it.
            assertThat(claim.token()).isEqualTo(last);
            assertThat(claim.held()).isTrue();
            assertThat(theirs.getToken()).isEqualTo(last);
            claim.released();
        }
    }

    @Proves("6.1")
    @Test
    void fencedTokensGrowAfterTheirCounterWasDeleted() {
        RedissonLockProvider fenced = with(Layout.FENCED);
        server.command("SET", COUNTER, "41");
        TestClaim claim = TestClaim.once(fenced, "a");
        assertThat(claim.token()).isEqualTo(42);
        claim.released();
        redisson.getKeys().delete("redisson_lock_token:{a}");

        assertThat(TestClaim.once(fenced, "a").token()).isEqualTo(43);
        assertThat(server.command("GET", COUNTER)).isEqualTo("43");
    }

    @Proves("6.1")
    @Test
    void lockTokensGrowAfterALossOfDataAndWhileTheClockIsBehind() {
        long first = TestClaim.once(provider, "a").token();
        // Clock and server are on one machine.
        assertThat(Duration.between(Instant.ofEpochMilli(first / 1_000), Instant.now()))
                .isBetween(Duration.ofSeconds(-1), Duration.ofMinutes(1));
        server.command("FLUSHALL");
        TestClaim second = TestClaim.once(provider, "a");
        assertThat(second.token()).isGreaterThan(first);
        second.released();

        server.command("SET", LAST, "4000000000000001");
        TestClaim third = TestClaim.once(provider, "a");
        assertThat(third.token()).isEqualTo(4_000_000_000_000_002L);
        assertThat(ttl(LAST)).as("for as long as the clock may be behind").isEqualTo(-1);
    }

    @Proves("6.8")
    @Test
    void tokensOfRFencedLockFollowThoseThatAreReserved() {
        TestClaim claim = TestClaim.once(with(Layout.FENCED), "a");
        Attempt.Granted granted = grantedFor(17, claim);
        assertThat(granted.tokens()).isEqualTo(17);
        assertThat(claim.released()).isTrue();

        assertThat(redisson.getFencedLock("a").lockAndGetToken())
                .isEqualTo(granted.fencingToken().orElseThrow().value() + 17);
    }

    @Proves("6.8")
    @Test
    void noTokenIsReservedFarBeforeTheClockOrWithoutASuccessor() {
        assertThat(grantedFor(17, TestClaim.once(provider, "a")).tokens()).isEqualTo(17);
        assertThat(grantedFor(100_000, TestClaim.once(provider, "b")).tokens()).isEqualTo(1);
        server.command("SET", LAST, "4000000000000001");
        assertThat(grantedFor(17, TestClaim.once(provider, "c")).tokens()).isEqualTo(1);
        server.command("SET", LAST, "9007199254740981");
        assertThat(grantedFor(17, TestClaim.once(with(Layout.FENCED), "d")).tokens())
                .isEqualTo(1);
    }

    private static Attempt.Granted grantedFor(int tokens, TestClaim claim) {
        return (Attempt.Granted) claim.claim.attemptFor(tokens);
    }

    @Test
    void tokenThatCouldRepeatIsNotGranted() {
        for (String counter : List.of(LAST, COUNTER)) {
            server.command("DEL", LAST);
            for (String damaged : List.of("apple", "-5", "1e3", "inf", "", "9007199254740992", "9223372036854775807")) {
                server.command("SET", counter, damaged);
                assertFails(
                        TestClaim.once(with(Layout.FENCED), "a")::granted,
                        "acquire of lock 'a'",
                        counter,
                        "highest token");
            }
            server.command("SET", counter, "9007199254740991");
            assertFails(TestClaim.once(with(Layout.FENCED), "a")::granted, "no successor");
        }
        server.command("SET", LAST, "9007199254740991");
        assertFails(TestClaim.once(provider, "a")::granted, "no successor");
        assertThat(server.command("EXISTS", "a")).isEqualTo(0L);
    }

    @Test
    void holdWithAChangedTokenIsNotGrantedAgain() {
        TestClaim holder = TestClaim.once(provider, "a");
        assertThat(holder.granted()).isTrue();
        server.command("HSET", "a", "token", "apple");

        assertFails(holder::granted, "acquire of lock 'a'", "token", "Delete the key");
        assertThat(holder.held()).isTrue();
        assertThat(holder.released()).isTrue();
    }

    @Test
    void keyOfAnotherTypeFailsAnAttemptAndLosesAHold() {
        TestClaim holder = TestClaim.once(provider, "a");
        assertThat(holder.granted()).isTrue();
        server.command("SET", "a", "textbook");

        assertFails(TestClaim.once(provider, "a")::granted, "acquire of lock 'a'", "WRONGTYPE");
        assertThat(holder.held()).isFalse();
        assertThat(holder.released()).isFalse();
        assertThat(provider.holder("a")).isEmpty();
        assertThat(server.command("GET", "a")).isEqualTo("textbook");
    }
}
