package io.holdfast.lock.redisson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.redisson.RedissonLockProvider.Layout;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.lock.tck.faults.TcpProxy;
import io.holdfast.lock.tck.faults.TcpProxy.Direction;
import io.holdfast.parts.LocksUser;
import io.holdfast.parts.RedisServerScene;
import io.holdfast.parts.StoreAssertions;
import io.holdfast.parts.TestClaim;
import io.holdfast.parts.Waits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The permissions that the backend's page says are enough, taken from the page. */
class RedissonPermissionsTest extends RedisServerScene {

    /** May be refused later: the close of an own client does not wait until its channels are unsubscribed. */
    private static final Set<String> NOT_TRIED = Set.of("+unsubscribe");

    /** Shorter than the lease, and not shorter than the pause between polls. */
    private static final Duration SOON = Duration.ofMillis(500);

    private LocksUser locks;

    @BeforeEach
    void readThePage() {
        locks = LocksUser.of("redisson.md", server);
    }

    private static RedissonLockProvider asLocks(int port, Layout layout) {
        return RedissonProviders.at("redisson://locks:secret@127.0.0.1:" + port + "/" + LocksUser.DATABASE
                + "?timeout=3s&layout=" + layout);
    }

    /** For a call that is to have no answer. */
    private static RedissonLockProvider impatient(TcpProxy proxy, Layout layout) {
        return RedissonProviders.at("redisson://locks:secret@127.0.0.1:" + proxy.port() + "/" + LocksUser.DATABASE
                + "?timeout=1s&layout=" + layout);
    }

    @ParameterizedTest
    @EnumSource
    void documentedPermissionsAreEnough(Layout layout) {
        locks.allow();
        try (TcpProxy proxy = TcpProxy.to(server.host(), server.port());
                RedissonLockProvider provider = impatient(proxy, layout)) {
            TestClaim holder = TestClaim.once(provider, "app:a");
            assertThat(holder.granted()).isTrue();
            assertThat(holder.held()).isTrue();
            assertThat(provider.renewAll(List.of(holder.claim))).hasOnlyElementsOfType(Renewal.Held.class);
            assertThat(provider.holder("app:a")).isPresent();
            if (layout == Layout.LOCK) {
                provider.raiseTokens(provider.highestToken());
            }
            StoreAssertions.assertReleaseWakes(provider, holder, "app:a");
            Waits.answered().until(unanswered(provider, proxy)::released);
        }
    }

    @ParameterizedTest
    @EnumSource
    void releaseThatMayNotPublishChangesNothing(Layout layout) {
        locks.allowAllBut("&redisson_lock__channel:{app:*");
        try (RedissonLockProvider provider = asLocks(server.port(), layout)) {
            TestClaim holder = TestClaim.once(provider, "app:a");
            assertThat(holder.granted()).isTrue();
            assertThatThrownBy(holder::released)
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContainingAll("release of lock 'app:a'", "the server answered", "Permissions");
            assertThat(holder.held()).isTrue();
        }
    }

    @Test
    void releaseThatMayNotLeaveItsMarkFreesTheLockAndFails() {
        locks.allow();
        try (TcpProxy proxy = TcpProxy.to(server.host(), server.port());
                RedissonLockProvider provider = impatient(proxy, Layout.LOCK)) {
            StoreAssertions.assertWorksAgain(provider, "app:first");
            TestClaim claim = unanswered(provider, proxy);
            locks.allowAllBut("+set");

            Waits.soon()
                    .untilAsserted(() -> assertThatThrownBy(claim::released)
                            .isInstanceOf(LockStoreException.class)
                            .hasMessageContainingAll(
                                    "release of lock 'app:b'", "arrives late", "can't run this command"));

            assertThat(locks.command("EXISTS", "app:b")).isEqualTo(0L);
            locks.allow();
            assertThat(claim.released()).isFalse();
            assertThatThrownBy(claim::granted).hasMessageContaining("released before");
        }
    }

    /** A claim that was granted, but whose answer was lost. */
    private static TestClaim unanswered(RedissonLockProvider provider, TcpProxy proxy) {
        TestClaim claim = TestClaim.once(provider, "app:b");
        proxy.swallow(Direction.REPLIES);
        assertThatThrownBy(claim::granted).isInstanceOf(LockStoreException.class);
        proxy.reset();
        proxy.pass(Direction.REPLIES);
        return claim;
    }

    @Test
    void everyDocumentedPermissionIsNeeded() {
        List<String> needed = new ArrayList<>();
        for (String right : locks.commands()) {
            locks.allowAllBut(right);
            server.command("FLUSHALL");
            server.command("SCRIPT", "FLUSH");
            server.command("ACL", "LOG", "RESET");
            if (Stream.of(Layout.values()).anyMatch(layout -> !allWorks(layout))) {
                needed.add(right);
            }
        }
        // It may be refused in time or not.
        needed.removeAll(NOT_TRIED);
        needed.addAll(NOT_TRIED);
        assertThat(needed).containsExactlyInAnyOrderElementsOf(locks.commands());
    }

    /** Whether nothing is refused. Without the server's log of refusals, as Redisson tries commands that it does not need. */
    private boolean allWorks(Layout layout) {
        String uri = "redisson://locks:secret@127.0.0.1:" + server.port() + "/" + LocksUser.DATABASE;
        try (RedissonLockProvider provider = RedissonProviders.at(uri + "?layout=" + layout)) {
            TestClaim holder = TestClaim.once(provider, "app:a");
            assertThat(holder.granted()).isTrue();
            // Otherwise there may be nothing to prolong.
            locks.command("PEXPIRE", "app:a", "10000");
            assertThat(holder.held()).isTrue();
            locks.command("PEXPIRE", "app:a", "10000");
            assertThat(provider.renewAll(List.of(holder.claim))).hasOnlyElementsOfType(Renewal.Held.class);
            assertThat(provider.holder("app:a")).isPresent();
            TestClaim waiter = TestClaim.waiting(provider, "app:a");
            // If it cannot subscribe, it polls.
            Waits.soon()
                    .until(() -> waiter.refused().retryAfter().orElseThrow().compareTo(SOON) <= 0
                            || waiter.mayBeFree.get() > 0);
            assertThat(holder.released()).isTrue();
            locks.command("HSET", "app:a", "somebody of Redisson's", "1");
            assertThat(provider.holder("app:a")).isPresent();
            locks.command("DEL", "app:a");
            return !((List<?>) server.command("PUBSUB", "CHANNELS")).isEmpty();
        } catch (LockStoreException denied) {
            assertThat(denied.getMessage()).containsAnyOf("the server answered", "cannot connect");
            return false;
        }
    }

    @ParameterizedTest
    @EnumSource
    void deniedAttemptLeavesNoLock(Layout layout) {
        List<String> refused = new ArrayList<>();
        for (String right : locks.commands()) {
            locks.allowAllBut(right);
            server.command("FLUSHALL");
            try (RedissonLockProvider provider = asLocks(server.port(), layout)) {
                if (LocksUser.isRefused(TestClaim.once(provider, "app:a"))) {
                    refused.add(right);
                    assertThat(locks.command("EXISTS", "app:a")).as(right).isEqualTo(0L);
                }
            }
        }
        assertThat(refused).contains("+exists", "+time", "+get", "+set", "+hset", "+pexpire");
    }

    @ParameterizedTest
    @ValueSource(strings = {"exists", "time", "get", "set", "hset", "pexpire"})
    void deniedCommandIsNamed(String command) {
        locks.allowAllBut("+" + command);
        try (RedissonLockProvider provider = asLocks(server.port(), Layout.LOCK)) {
            StoreAssertions.assertFails(
                    TestClaim.once(provider, "app:a")::granted,
                    "the server answered",
                    "(" + command.toUpperCase(Locale.ROOT) + ";",
                    "'Permissions'");
        }
    }

    @ParameterizedTest
    @EnumSource
    void deniedAttemptKeepsTheLastToken(Layout layout) {
        locks.allow();
        // Ahead of the clock, so that only the counter knows it.
        long last = 4_000_000_000_000_001L;
        locks.command("SET", "holdfast_redisson:token", Long.toString(last));
        for (String right : List.of("+set", "+hset", "+pexpire")) {
            try (RedissonLockProvider provider = asLocks(server.port(), layout)) {
                TestClaim former = TestClaim.once(provider, "app:a");
                assertThat(former.token()).as(right).isGreaterThan(last);
                last = former.token();
                assertThat(former.released()).isTrue();
                locks.allowAllBut(right);
                assertThat(LocksUser.isRefused(TestClaim.once(provider, "app:a")))
                        .isTrue();
                locks.allow();
                assertThat(provider.holder("app:a")).as(right).isEmpty();
            }
        }
        try (RedissonLockProvider provider = asLocks(server.port(), layout)) {
            assertThat(TestClaim.once(provider, "app:a").token()).isGreaterThan(last);
        }
    }
}
