package io.holdfast.lock.redis;

import static io.holdfast.parts.StoreAssertions.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.LossCause;
import io.holdfast.lock.redis.RedisLockProvider.Layout;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.parts.RedisServerScene;
import io.holdfast.parts.TestClaim;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys of other programs and of the other layout in the place of a lock: never changed, and never taken for a lock. */
class ForeignKeysTest extends RedisServerScene {

    private static final String KEY = "holdfast:a";

    /** What may be found under a key. */
    enum Foreign {
        STRING_LOCK,
        HASH_LOCK,
        TEXT,
        LIST,
        HASH,
        /** With the fields of a record, but one. */
        LIKENESS
    }

    private void place(Foreign foreign) {
        server.command("DEL", KEY);
        switch (foreign) {
            case STRING_LOCK -> lockIn(Layout.STRING);
            case HASH_LOCK -> lockIn(Layout.HASH);
            case TEXT -> server.command("SET", KEY, "textbook");
            case LIST -> server.command("LPUSH", KEY, "x");
            case HASH -> server.command("HSET", KEY, "owner", "me", "claim:1", "1", "claim:2", "99999999999999");
            case LIKENESS ->
                server.command(
                        "HSET", KEY, "owner", "me", "token", "7", "since", "1", "host", "h", "pid", "1", "claim:1",
                        "1");
        }
    }

    private void lockIn(Layout layout) {
        try (RedisLockProvider other = RedisProviders.on(server, layout)) {
            assertThat(TestClaim.once(other, "a").granted()).isTrue();
        }
    }

    /** The whole value; its expiry shows in whether it is there. */
    private Object dump() {
        return server.command("DUMP", KEY);
    }

    @ParameterizedTest
    @CsvSource({
        "HASH, STRING_LOCK",
        "HASH, TEXT",
        "HASH, LIST",
        "HASH, HASH",
        "HASH, LIKENESS",
        "STRING, HASH_LOCK",
        "STRING, LIST",
        "STRING, HASH"
    })
    void attemptFailsAndLeavesTheKeyUnchanged(Layout layout, Foreign foreign) {
        place(foreign);
        Object before = dump();
        long expiry = (Long) server.command("PEXPIRETIME", KEY);
        try (RedisLockProvider provider = RedisProviders.on(server, layout)) {
            TestClaim mine = TestClaim.once(provider, "a");

            assertFails(mine::granted, "acquire of lock 'a'", "127.0.0.1:" + server.port(), KEY, "another prefix");
            assertThat(mine.released()).isFalse();
        }
        assertThat(dump()).isEqualTo(before);
        assertThat(server.command("PEXPIRETIME", KEY)).isEqualTo(expiry);
    }

    @ParameterizedTest
    @CsvSource({
        "HASH, STRING_LOCK",
        "HASH, HASH_LOCK",
        "HASH, TEXT",
        "HASH, LIST",
        "HASH, HASH",
        "HASH, LIKENESS",
        "STRING, STRING_LOCK",
        "STRING, HASH_LOCK",
        "STRING, TEXT",
        "STRING, LIST",
        "STRING, HASH"
    })
    void holderWhoseKeyWasReplacedHasLostTheLock(Layout layout, Foreign foreign) {
        try (RedisLockProvider provider = RedisProviders.on(server, layout)) {
            TestClaim holder = TestClaim.once(provider, "a");
            TestClaim other = TestClaim.once(provider, "b");
            assertThat(List.of(holder, other)).allMatch(TestClaim::granted);
            place(foreign);
            Object before = dump();

            assertThat(holder.claim.renew()).isEqualTo(new Renewal.Lost(LossCause.TAKEN_OVER));
            List<Renewal> batch = provider.renewAll(List.of(holder.claim, other.claim));
            assertThat(batch.get(0)).isEqualTo(new Renewal.Lost(LossCause.TAKEN_OVER));
            assertThat(batch.get(1)).isInstanceOf(Renewal.Held.class);
            assertThat(holder.claim.release()).isEqualTo(Release.NOT_HELD);
            assertThat(dump()).isEqualTo(before);
        }
    }

    @ParameterizedTest
    @EnumSource
    void holderOfAKeyOfAnotherTypeIsAFailure(Layout layout) {
        place(Foreign.LIST);
        try (RedisLockProvider provider = RedisProviders.on(server, layout)) {
            assertFails(() -> provider.holder("a"), "holder of lock 'a'", "WRONGTYPE");
        }
    }

    @Test
    void foreignHashHasNoHolder() {
        place(Foreign.LIKENESS);
        try (RedisLockProvider provider = RedisProviders.on(server, Layout.HASH)) {
            assertThat(provider.holder("a")).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"owner", "token", "since", "host", "pid", "thread"})
    void hashThatLacksAFieldIsNoRecord(String field) {
        try (RedisLockProvider provider = RedisProviders.on(server, Layout.HASH)) {
            TestClaim holder = TestClaim.once(provider, "a");
            holder.granted();
            server.command("HDEL", KEY, field);
            Object before = dump();

            assertFails(TestClaim.once(provider, "a")::granted, "no lock of this layout", "no field " + field);
            assertThat(dump()).isEqualTo(before);
            assertThat(holder.held()).as("its claim is still there").isTrue();
            assertThat(holder.released()).isTrue();
        }
    }

    @Test
    void additionalFieldsAreIgnored() {
        try (RedisLockProvider provider = RedisProviders.on(server, Layout.HASH)) {
            TestClaim holder = TestClaim.once(provider, "a");
            holder.granted();
            server.command("HSET", KEY, "claims", "x", "latest", "x", "in_force", "x");

            assertThat(TestClaim.once(provider, "a").granted()).isFalse();
            assertThat(holder.held()).isTrue();
            assertThat(holder.released()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"tomorrow", "", "inf", "nan", "-1", "1e15", "0x10", "9007199254740992", "9223372036854775807"})
    void claimWithAnInvalidExpiryIsNamedInTheFailure(String end) {
        try (RedisLockProvider provider = RedisProviders.on(server, Layout.HASH)) {
            TestClaim holder = TestClaim.once(provider, "a");
            holder.granted();
            server.command("HSET", KEY, "claim:x", end);

            assertFails(TestClaim.once(provider, "a")::granted, "field claim:x of the key " + KEY, "Delete the key");
            assertFails(holder::held, "field claim:x of the key " + KEY);
            assertFails(holder::released, "field claim:x of the key " + KEY);
        }
    }

    @Test
    void ownClaimWithAnInvalidExpiryIsLost() {
        try (RedisLockProvider provider = RedisProviders.on(server, Layout.HASH)) {
            TestClaim holder = TestClaim.once(provider, "a");
            holder.granted();
            server.command("HSET", KEY, "claim:" + holder.id, "tomorrow");

            assertThat(holder.claim.renew()).isEqualTo(new Renewal.Lost(LossCause.TAKEN_OVER));
            assertThat(holder.released()).isFalse();
        }
    }

    @Test
    void deniedReadIsAFailureAndNotALoss() {
        for (Layout layout : Layout.values()) {
            try (RedisLockProvider provider = RedisProviders.on(server, layout)) {
                TestClaim holder = TestClaim.once(provider, layout.name());
                holder.granted();
                server.command("ACL", "SETUSER", "default", "-get", "-hgetall", "-hlen");

                List<Runnable> calls = new ArrayList<>(List.of(holder::held, holder::released));
                calls.add(TestClaim.once(provider, layout.name())::granted);
                calls.forEach(call ->
                        assertFails(call::run, "the user may not run " + (layout == Layout.HASH ? "HGETALL" : "GET")));

                server.command("ACL", "SETUSER", "default", "+get", "+hgetall", "+hlen");
                assertThat(holder.released()).isTrue();
            }
        }
    }
}
