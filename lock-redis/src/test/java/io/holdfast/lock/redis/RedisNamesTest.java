package io.holdfast.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.redis.RedisLockProvider.Layout;
import io.holdfast.parts.RedisServerScene;
import io.holdfast.parts.TestClaim;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Different names have different keys. */
class RedisNamesTest extends RedisServerScene {

    @ParameterizedTest
    @EnumSource
    void keepsStrangeNamesApart(Layout layout) {
        Set<String> names = new HashSet<>(List.of(
                "a",
                "A",
                "a ",
                " a",
                "a/b",
                "/",
                "{a}",
                "{a",
                "a}",
                "'",
                "\"",
                "%41",
                "100%",
                "a\nb",
                "a\r\nb",
                "ä",
                "a\u0308",
                "\u0000",
                "*",
                "?",
                "[a]",
                "\\",
                "锁",
                "🔒",
                "a:b",
                "#free:a",
                "claim:a",
                "x".repeat(1024),
                "x".repeat(1023)));
        try (RedisLockProvider provider = RedisProviders.on(server, layout)) {
            List<TestClaim> claims =
                    names.stream().map(name -> TestClaim.once(provider, name)).toList();

            assertThat(claims).allMatch(TestClaim::granted);
            assertThat(names).allSatisfy(name -> {
                assertThat(TestClaim.once(provider, name).granted()).isFalse();
                assertThat(provider.holder(name)).isPresent();
            });
            assertThat(server.command("DBSIZE")).isEqualTo(names.size() + 1L);
            assertThat(claims).allMatch(TestClaim::held).allMatch(TestClaim::released);
            assertThat(server.command("DBSIZE")).isEqualTo(1L);
        }
    }

    @ParameterizedTest
    @EnumSource
    void nameWhoseKeyIsTheCounterIsRefused(Layout layout) {
        try (RedisLockProvider provider = RedisProviders.on(server, "prefix=&layout=" + layout);
                RedisLockProvider other = RedisProviders.on(server, layout)) {
            assertThatThrownBy(() -> TestClaim.once(provider, "holdfast:#fence"))
                    .isInstanceOf(LockConfigurationException.class)
                    .hasMessageContaining("fencing counter");
            assertThatThrownBy(() -> other.holder("#fence")).isInstanceOf(LockConfigurationException.class);
            assertThat(TestClaim.once(provider, "#fence").granted()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void keepsDatabasesAndPrefixesApart(Layout layout) {
        String address = "redis://127.0.0.1:" + server.port();
        try (RedisLockProvider zero = RedisProviders.at(address + "?layout=" + layout);
                RedisLockProvider one = RedisProviders.at(address + "/1?layout=" + layout);
                RedisLockProvider prefixed = RedisProviders.at(address + "?prefix=other:&layout=" + layout)) {
            assertThat(TestClaim.once(zero, "a").granted()).isTrue();
            assertThat(TestClaim.once(one, "a").granted()).isTrue();
            assertThat(TestClaim.once(prefixed, "a").granted()).isTrue();
            assertThat(TestClaim.once(prefixed, "a").granted()).isFalse();
            assertThat(server.command("EXISTS", "other:a")).isEqualTo(1L);
        }
    }
}
