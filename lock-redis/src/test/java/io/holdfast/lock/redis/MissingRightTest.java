package io.holdfast.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.redis.RedisLockProvider.Layout;
import io.holdfast.parts.LocksUser;
import io.holdfast.parts.TestClaim;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Attempts of a user who lacks the right to one command: each either succeeds, or leaves no lock. A token that nobody was given does no harm. */
class MissingRightTest extends LocksUserScene {

    @ParameterizedTest
    @EnumSource
    void deniedAttemptLeavesNoLock(Layout layout) {
        List<String> refused = new ArrayList<>();
        for (String right : locks.commands()) {
            locks.allowAllBut(right);
            server.command("FLUSHALL");
            try (RedisLockProvider provider = asLocks(layout)) {
                if (LocksUser.isRefused(TestClaim.once(provider, "a"))) {
                    refused.add(right);
                    assertThat(locks.command("KEYS", "*")).as(right).isIn(List.of(), List.of("holdfast:#fence"));
                }
            }
        }
        assertThat(refused).contains("+time", "+set");
        assertThat(refused).containsAll(layout == Layout.HASH ? List.of("+hset", "+pexpireat") : List.of("+get"));
    }

    @Test
    void deniedReentryLeavesTheLockUnchanged() {
        List<String> refused = new ArrayList<>();
        for (String right : locks.commands()) {
            locks.allow();
            server.command("FLUSHALL");
            try (RedisLockProvider provider = asLocks(Layout.HASH)) {
                assertThat(TestClaim.owned(provider, "a", "owner", Duration.ofMinutes(1))
                                .granted())
                        .isTrue();
                Object before = locks.command("HGETALL", "holdfast:a");
                // Something to tidy up.
                locks.command("HSET", "holdfast:a", "claim:ended", "1");
                locks.allowAllBut(right);
                TestClaim nested = TestClaim.owned(provider, "a", "owner", Duration.ofMinutes(2));
                if (LocksUser.isRefused(nested)) {
                    refused.add(right);
                    assertThat(locks.command("HGET", "holdfast:a", "claim:" + nested.id))
                            .as(right)
                            .isIn(Optional.empty(), "0");
                    locks.command("HDEL", "holdfast:a", "claim:ended", "claim:" + nested.id);
                    assertThat(locks.command("HGETALL", "holdfast:a")).as(right).isEqualTo(before);
                }
            }
        }
        assertThat(refused).contains("+hset", "+hdel", "+pexpireat");
    }

    @Test
    void deniedRepeatedAttemptKeepsItsClaim() {
        locks.allow();
        try (RedisLockProvider provider = asLocks(Layout.HASH)) {
            TestClaim holder = TestClaim.once(provider, "a");
            assertThat(holder.granted()).isTrue();
            locks.allowAllBut("+pexpireat");
            assertThat(LocksUser.isRefused(holder)).isTrue();
            locks.allow();
            assertThat(holder.held()).isTrue();
        }
    }

    @Test
    void deniedAttemptLeavesAnEndedRecordFree() {
        List<String> refused = new ArrayList<>();
        for (String right : locks.commands()) {
            locks.allow();
            server.command("FLUSHALL");
            try (RedisLockProvider provider = asLocks(Layout.HASH)) {
                TestClaim ended = TestClaim.once(provider, "a");
                assertThat(ended.granted()).isTrue();
                locks.command("PERSIST", "holdfast:a");
                locks.command("HSET", "holdfast:a", "claim:" + ended.id, "1");
                assertThat(provider.holder("a")).isEmpty();
                locks.allowAllBut(right);
                if (LocksUser.isRefused(TestClaim.once(provider, "a"))) {
                    refused.add(right);
                    locks.allow();
                    assertThat(TestClaim.once(provider, "a").granted())
                            .as(right)
                            .isTrue();
                }
            }
        }
        assertThat(refused).contains("+set", "+hset", "+hdel", "+pexpireat");
    }
}
