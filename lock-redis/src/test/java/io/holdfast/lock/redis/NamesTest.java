package io.holdfast.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.redis.RedisLockProvider.Layout;
import io.holdfast.parts.Bidder;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Different names are different keys, whatever they are made of. */
class NamesTest extends ServerScene {

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
        try (RedisLockProvider provider = Providers.on(server, layout)) {
            List<Bidder> bidders =
                    names.stream().map(name -> Bidder.once(provider, name)).toList();

            assertThat(bidders).allMatch(Bidder::granted);
            assertThat(names).allSatisfy(name -> {
                assertThat(Bidder.once(provider, name).granted()).isFalse();
                assertThat(provider.holder(name)).isPresent();
            });
            assertThat(server.command("DBSIZE")).isEqualTo(names.size() + 1L);
            assertThat(bidders).allMatch(Bidder::held).allMatch(Bidder::released);
            assertThat(server.command("DBSIZE")).isEqualTo(1L);
        }
    }

    @ParameterizedTest
    @EnumSource
    void refusesTheOneNameWhoseKeyIsTheCounters(Layout layout) {
        try (RedisLockProvider provider = Providers.on(server, "prefix=&layout=" + layout);
                RedisLockProvider other = Providers.on(server, layout)) {
            assertThatThrownBy(() -> Bidder.once(provider, "holdfast:#fence"))
                    .isInstanceOf(LockConfigurationException.class)
                    .hasMessageContaining("fencing counter");
            assertThatThrownBy(() -> other.holder("#fence")).isInstanceOf(LockConfigurationException.class);
            assertThat(Bidder.once(provider, "#fence").granted()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void keepsDatabasesAndPrefixesApart(Layout layout) {
        String address = "redis://127.0.0.1:" + server.port();
        try (RedisLockProvider zero = Providers.at(address + "?layout=" + layout);
                RedisLockProvider one = Providers.at(address + "/1?layout=" + layout);
                RedisLockProvider prefixed = Providers.at(address + "?prefix=other:&layout=" + layout)) {
            assertThat(Bidder.once(zero, "a").granted()).isTrue();
            assertThat(Bidder.once(one, "a").granted()).isTrue();
            assertThat(Bidder.once(prefixed, "a").granted()).isTrue();
            assertThat(Bidder.once(prefixed, "a").granted()).isFalse();
            assertThat(server.command("EXISTS", "other:a")).isEqualTo(1L);
        }
    }
}
