package io.holdfast.lock.redisson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.redisson.RedissonLockProvider.Layout;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.parts.Bidder;
import io.holdfast.parts.LocksUser;
import io.holdfast.parts.StoreAssertions;
import io.holdfast.parts.Waits;
import io.holdfast.servers.TcpProxy;
import io.holdfast.servers.TcpProxy.Direction;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The permissions that the backend's page says are enough, taken from the page. */
class PermissionsTest extends ServerScene {

    private LocksUser locks;

    @BeforeEach
    void readThePage() {
        locks = LocksUser.of("redisson.md", server);
    }

    private static RedissonLockProvider asLocks(int port, Layout layout) {
        return Providers.at("redisson://locks:secret@127.0.0.1:" + port + "/" + LocksUser.DATABASE
                + "?timeout=1s&layout=" + layout);
    }

    @ParameterizedTest
    @EnumSource
    void theDocumentedOnesAreEnough(Layout layout) {
        locks.allow();
        try (TcpProxy proxy = TcpProxy.to(server.host(), server.port());
                RedissonLockProvider provider = asLocks(proxy.port(), layout)) {
            Bidder holder = Bidder.once(provider, "app:a");
            assertThat(holder.granted()).isTrue();
            assertThat(holder.held()).isTrue();
            assertThat(provider.renewAll(List.of(holder.claim))).hasOnlyElementsOfType(Renewal.Held.class);
            assertThat(provider.holder("app:a")).isPresent();
            StoreAssertions.assertReleaseWakes(provider, holder, "app:a");
            Waits.answered().until(unanswered(provider, proxy)::released);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aReleaseThatMayNotBeAnnouncedChangesNothing(Layout layout) {
        locks.allowAllBut("&redisson_lock__channel:{app:*");
        try (RedissonLockProvider provider = asLocks(server.port(), layout)) {
            Bidder holder = Bidder.once(provider, "app:a");
            assertThat(holder.granted()).isTrue();
            assertThatThrownBy(holder::released)
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContainingAll("release of lock 'app:a'", "the server answered");
            assertThat(holder.held()).isTrue();
        }
    }

    @Test
    void aReleaseThatMayNotLeaveItsMarkFreesTheLockAndSaysWhatMayHappen() {
        locks.allowAllBut("+set");
        try (TcpProxy proxy = TcpProxy.to(server.host(), server.port());
                RedissonLockProvider provider = asLocks(proxy.port(), Layout.LOCK)) {
            Bidder bidder = unanswered(provider, proxy);

            Waits.soon().untilAsserted(() -> assertThatThrownBy(bidder::released)
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContainingAll("release of lock 'app:b'", "arrives late", "can't run this command"));

            assertThat(locks.command("EXISTS", "app:b")).isEqualTo(0L);
            locks.allow();
            assertThat(bidder.released()).isFalse();
            assertThatThrownBy(bidder::granted).hasMessageContaining("released before");
        }
    }

    /** One whose bid was granted, but who was not told. */
    private static Bidder unanswered(RedissonLockProvider provider, TcpProxy proxy) {
        Bidder bidder = Bidder.once(provider, "app:b");
        proxy.swallow(Direction.REPLIES);
        assertThatThrownBy(bidder::granted).isInstanceOf(LockStoreException.class);
        proxy.reset();
        proxy.pass(Direction.REPLIES);
        return bidder;
    }

    /** Also not a record without an end: a day is how long a token is kept. */
    @ParameterizedTest
    @EnumSource
    void aBidThatLacksTheRightToACommandLeavesNothingBehind(Layout layout) {
        List<String> refused = new ArrayList<>();
        for (String right : locks.commands()) {
            locks.allowAllBut(right);
            server.command("FLUSHALL");
            try (RedissonLockProvider provider = asLocks(server.port(), layout)) {
                if (LocksUser.isRefused(Bidder.once(provider, "app:a"))) {
                    refused.add(right);
                    assertThat(server.command("INFO", "keyspace"))
                            .as(right)
                            .asString()
                            .doesNotContain("keys=");
                }
            }
        }
        assertThat(refused).contains("+exists", "+hexists", "+hmget", "+time", "+pttl");
        assertThat(refused).contains("+hset", "+pexpire", "+pexpireat");
        if (layout == Layout.FENCED) {
            assertThat(refused).contains("+get", "+set");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aBidThatLacksTheRightToACommandLeavesTheLastToken(Layout layout) {
        List<String> rights = new ArrayList<>(List.of("+hset", "+pexpire", "+pexpireat"));
        if (layout == Layout.FENCED) {
            rights.add("+set");
        }
        locks.allow();
        // Ahead of the clock, so that only the record knows it.
        long last = 4_000_000_000_000_001L;
        locks.command("HSET", "holdfast_lock:{app:a}", "token", Long.toString(last));
        for (String right : rights) {
            try (RedissonLockProvider provider = asLocks(server.port(), layout)) {
                Bidder former = Bidder.once(provider, "app:a");
                assertThat(former.token()).as(right).isGreaterThan(last);
                last = former.token();
                assertThat(former.released()).isTrue();
                locks.allowAllBut(right);
                assertThat(LocksUser.isRefused(Bidder.once(provider, "app:a"))).isTrue();
                locks.allow();
                assertThat(provider.holder("app:a")).as(right).isEmpty();
            }
        }
        try (RedissonLockProvider provider = asLocks(server.port(), layout)) {
            assertThat(Bidder.once(provider, "app:a").token()).isGreaterThan(last);
        }
    }

    @Test
    void aBidThatIsSentAgainAndLacksARightLeavesTheHoldersLock() {
        locks.allow();
        try (RedissonLockProvider provider = asLocks(server.port(), Layout.LOCK)) {
            Bidder holder = Bidder.once(provider, "app:a");
            assertThat(holder.granted()).isTrue();
            // Without it the bid draws another token, for which it has to write.
            assertThat(locks.command("DEL", "holdfast_lock:{app:a}")).isEqualTo(1L);
            locks.allowAllBut("+pexpireat");

            assertThat(LocksUser.isRefused(holder)).isTrue();

            locks.allow();
            assertThat(holder.held()).isTrue();
        }
    }
}
