package io.holdfast.lock.redisson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.redisson.RedissonLockProvider.Layout;
import io.holdfast.lock.tck.faults.TcpProxy;
import io.holdfast.lock.tck.faults.TcpProxy.Direction;
import io.holdfast.parts.Proves;
import io.holdfast.parts.StoreAssertions;
import io.holdfast.parts.TestClaim;
import io.holdfast.parts.Waits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Names that look like other keys, or like each other: each is a separate lock, or is refused. */
class RedissonNamesTest extends RedissonScene {

    private static final List<String> ALLOWED = List.of(
            "x",
            "{x}",
            "{{x}}",
            "{x",
            "x}",
            "{a}b",
            "a{b}",
            "{}",
            "holdfast_lock:{x}",
            "holdfast_withdrawn:{x}:1",
            "holdfast_redisson",
            "{holdfast_redisson:}token",
            "redisson_lock__channel:{x}",
            "redisson_lock_token",
            "redisson_lock_token:",
            "redisson_lock_token:x",
            "redisson_lock_tokens:{x}",
            "token",
            "owner",
            "mode");

    private static final List<String> REFUSED = List.of(
            "holdfast_redisson:",
            "holdfast_redisson:token",
            "holdfast_redisson:{7}:token",
            "holdfast_redisson:withdrawn:1",
            "redisson_lock_token:{x}",
            "redisson_lock_token:{a}b",
            "redisson_lock_token:a{b}",
            "redisson_lock_token:{");

    private RedissonLockProvider with(Layout layout) {
        return RedissonLockProvider.over(redisson).layout(layout).build();
    }

    private static void assertRefused(RedissonLockProvider over, String name) {
        assertThatThrownBy(() -> TestClaim.once(over, name))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContainingAll(name, "not allowed", "allowed are");
    }

    @Proves({"1.3", "1.4", "6.2"})
    @ParameterizedTest
    @EnumSource
    void noNameTouchesAnother(Layout layout) {
        RedissonLockProvider ours = with(layout);
        List<TestClaim> claims =
                ALLOWED.stream().map(name -> TestClaim.once(ours, name)).toList();
        List<Long> tokens = claims.stream().map(TestClaim::token).toList();

        for (int i = 0; i < claims.size(); i++) {
            String name = ALLOWED.get(i);
            assertThat(claims.get(i).token())
                    .as("a request that is sent again: " + name)
                    .isEqualTo(tokens.get(i));
            assertThat(ours.holder(name)
                            .orElseThrow()
                            .fencingToken()
                            .orElseThrow()
                            .value())
                    .as(name)
                    .isEqualTo(tokens.get(i));
            assertThat((Long) server.command("PTTL", name)).as(name).isBetween(1L, TestClaim.LEASE.toMillis());
            assertThat(redisson.getLock(name).tryLock()).as(name).isFalse();
        }
        for (int i = 0; i < claims.size(); i++) {
            assertThat(claims.get(i).held()).as(ALLOWED.get(i)).isTrue();
            assertThat(claims.get(i).released()).as(ALLOWED.get(i)).isTrue();
            assertThat(TestClaim.once(ours, ALLOWED.get(i)).token())
                    .as(ALLOWED.get(i))
                    .isGreaterThan(tokens.get(i));
        }
    }

    @Proves("1.4")
    @ParameterizedTest
    @EnumSource
    void nameWithAReservedKeyIsRefused(Layout layout) {
        RedissonLockProvider ours = with(layout);
        REFUSED.forEach(name -> assertRefused(ours, name));
        assertThatThrownBy(() -> ours.holder("holdfast_redisson:token")).isInstanceOf(LockConfigurationException.class);
    }

    /** The other keys of a lock are refused as names of locks. */
    @Proves("1.4")
    @ParameterizedTest
    @EnumSource
    void keysThatAreNoLocksAreRefusedAsNames(Layout layout) {
        try (TcpProxy proxy = TcpProxy.to(server.host(), server.port());
                RedissonLockProvider ours = RedissonProviders.at(
                        "redisson://127.0.0.1:" + proxy.port() + "?timeout=1500ms&layout=" + layout)) {
            StoreAssertions.assertWorks(ours);
            ALLOWED.forEach(
                    name -> assertThat(TestClaim.once(ours, name).granted()).isTrue());
            TestClaim unanswered = TestClaim.once(ours, "unanswered");
            proxy.swallow(Direction.REPLIES);
            StoreAssertions.assertFails(unanswered::granted, "acquire of lock 'unanswered'");
            proxy.reset();
            proxy.pass(Direction.REPLIES);
            Waits.answered().until(unanswered::released);

            List<String> others = new ArrayList<>();
            for (Object key : (List<?>) server.command("KEYS", "*")) {
                if (!ALLOWED.contains(key)) {
                    others.add((String) key);
                }
            }
            assertThat(others).contains("holdfast_redisson:token", "holdfast_redisson:withdrawn:" + unanswered.id);
            assertThat(others.contains("redisson_lock_token:{x}")).isEqualTo(layout == Layout.FENCED);
            others.forEach(key -> assertRefused(ours, key));
        }
    }

    @ParameterizedTest
    @EnumSource
    void oneCounterStaysForAllNames(Layout layout) {
        RedissonLockProvider ours = with(layout);
        Stream.iterate(0, i -> i + 1)
                .limit(300)
                .map(i -> TestClaim.once(ours, "order:" + i, Duration.ofSeconds(20)))
                .forEach(claim -> {
                    assertThat(claim.granted()).isTrue();
                    assertThat(claim.released()).isTrue();
                });

        // RFencedLock has a counter for each name, which it shares with the layout.
        assertThat(server.command("DBSIZE")).isEqualTo(layout == Layout.FENCED ? 301L : 1L);
    }
}
