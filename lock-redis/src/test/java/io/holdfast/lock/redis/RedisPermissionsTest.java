package io.holdfast.lock.redis;

import static io.holdfast.parts.Waits.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.redis.RedisLockProvider.Layout;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.parts.LocksUser;
import io.holdfast.parts.StoreAssertions;
import io.holdfast.parts.TestClaim;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The permissions that the backend's page says are enough, taken from the page. */
class RedisPermissionsTest extends LocksUserScene {

    @ParameterizedTest
    @EnumSource
    void documentedPermissionsAreEnough(Layout layout) {
        locks.allow();
        try (RedisLockProvider provider = asLocks(layout)) {
            TestClaim holder = TestClaim.once(provider, "a");
            assertThat(holder.granted()).isTrue();
            assertThat(holder.granted()).isTrue();
            assertThat(holder.held()).isTrue();
            assertThat(provider.renewAll(List.of(holder.claim, holder.claim)))
                    .hasOnlyElementsOfType(Renewal.Held.class);
            assertThat(provider.holder("a")).isPresent();
            provider.raiseTokens(provider.highestToken());
            StoreAssertions.assertReleaseWakes(provider, holder, "a");
            assertThat((List<?>) server.command("ACL", "LOG")).isEmpty();
        }
    }

    @Test
    void everyDocumentedPermissionIsNeeded() {
        for (String rule : locks.commands()) {
            // A channel is only left when there are more idle ones than this test uses.
            if (rule.equals("+unsubscribe")) {
                continue;
            }
            locks.allowAllBut(rule);
            server.command("ACL", "LOG", "RESET");
            for (Layout layout : Layout.values()) {
                server.command("FLUSHALL");
                try (RedisLockProvider provider = asLocks(layout)) {
                    useEverything(provider, rule.substring(1));
                }
            }
            soon().alias(rule)
                    .untilAsserted(() -> assertThat((List<?>) server.command("ACL", "LOG"))
                            .as(rule)
                            .isNotEmpty());
        }
    }

    private void useEverything(RedisLockProvider provider, String left) {
        TestClaim holder = TestClaim.owned(provider, "a", "owner", TestClaim.LEASE);
        TestClaim nested = TestClaim.owned(provider, "a", "owner", TestClaim.LEASE);
        List<Runnable> uses = List.of(
                holder::granted,
                holder::granted,
                nested::granted,
                this::shortenLease,
                holder::held,
                () -> provider.renewAll(List.of(holder.claim, nested.claim)),
                () -> provider.holder("a"),
                () -> TestClaim.waiting(provider, "a").granted(),
                this::awaitSubscriptionOrRefusal,
                nested::released,
                holder::released);
        for (Runnable use : uses) {
            try {
                use.run();
            } catch (LockStoreException denied) {
                assertThat(denied)
                        .hasMessageContaining("the server answered")
                        .hasMessageContaining("\"Permissions\" in docs/backends/redis.md")
                        .message()
                        .containsIgnoringCase(left);
            }
        }
    }

    /** Another thread subscribes, and may be refused later. */
    private void awaitSubscriptionOrRefusal() {
        soon().until(() -> !((List<?>) server.command("ACL", "LOG")).isEmpty()
                || !((List<?>) server.command("PUBSUB", "CHANNELS")).isEmpty());
    }

    /** Otherwise there may be nothing to prolong. */
    private void shortenLease() {
        locks.command("PEXPIRE", "holdfast:a", "10000");
    }

    @Test
    void deniedCommandIsNamed() {
        locks.allow(List.of("on", ">secret", "~holdfast:*", "&holdfast:*", "+select", "+eval", "+evalsha"));
        try (RedisLockProvider provider = asLocks(Layout.HASH)) {
            assertThatThrownBy(TestClaim.once(provider, "a")::granted)
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageEndingWith(
                            "the server answered NOPERM the user may not run TIME, and needs the permission +time;"
                                    + " \"Permissions\" in docs/backends/redis.md has all that a lock needs");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "+set, +set",
        "+time, +time",
        "+get, +get",
        "~holdfast:*, NOPERM this user has no permissions to access one of the keys"
    })
    void deniedRaiseNamesTheMissingRight(String left, String needed) {
        locks.allowAllBut(left);
        try (RedisLockProvider provider = asLocks(Layout.HASH)) {
            assertThatThrownBy(() -> provider.raiseTokens(5))
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContaining("raise of fencing counter 'holdfast:#fence'")
                    .hasMessageContaining(needed)
                    .hasMessageContaining("\"Permissions\" in docs/backends/redis.md");
        }
    }

    @Test
    void releaseThatMayNotPublishChangesNothing() {
        locks.allowAllBut("&holdfast:*");
        try (RedisLockProvider provider = asLocks(Layout.STRING)) {
            TestClaim holder = TestClaim.once(provider, "a");
            assertThat(holder.granted()).isTrue();
            assertThatThrownBy(holder::released)
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContaining("needs the permission &holdfast:#free:a");
            assertThat(holder.held()).isTrue();
        }
    }

    @Test
    void releaseThatMayNotTellTheNextClaimGrantsItNothing() {
        locks.allowAllBut("&holdfast:*");
        try (RedisLockProvider provider = asLocks(Layout.HASH);
                RedisLockProvider listening =
                        RedisProviders.at("redis://127.0.0.1:" + server.port() + "/" + LocksUser.DATABASE)) {
            TestClaim holder = TestClaim.once(provider, "a");
            assertThat(holder.granted()).isTrue();
            TestClaim waiter = TestClaim.waiting(listening, "a");
            assertThat(waiter.granted()).isFalse();
            soon().until(() -> waiter.mayBeFree.get() >= 1);
            assertThatThrownBy(holder::released)
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContaining("needs the permission &holdfast:#granted:")
                    .hasMessageContaining(":a");
            assertThat(provider.holder("a")).isEmpty();
            assertThat(waiter.granted()).isTrue();
        }
    }
}
