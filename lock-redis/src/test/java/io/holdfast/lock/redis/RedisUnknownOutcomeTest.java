package io.holdfast.lock.redis;

import static io.holdfast.parts.RedisFaults.assertHolderHas;
import static io.holdfast.parts.RedisFaults.assertLockIsLostDuringAPause;
import static io.holdfast.parts.StoreAssertions.assertFails;
import static io.holdfast.parts.StoreAssertions.assertWorks;
import static io.holdfast.parts.Waits.answered;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.redis.RedisLockProvider.Layout;
import io.holdfast.parts.Proves;
import io.holdfast.parts.RedisProxyScene;
import io.holdfast.parts.TestClaim;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Calls that get no answer: the reply is lost, or the server is paused. */
class RedisUnknownOutcomeTest extends RedisProxyScene {

    private RedisLockProvider provider(Layout layout) {
        RedisLockProvider provider = RedisProviders.at("redis://127.0.0.1:" + proxy.port() + "?layout=" + layout);
        assertWorks(provider);
        return provider;
    }

    @Proves("1.3")
    @ParameterizedTest
    @EnumSource
    void grantWithALostReplyIsGrantedAgain(Layout layout) {
        try (RedisLockProvider provider = provider(layout)) {
            TestClaim claim = TestClaim.once(provider, "a");
            proxy.dropNextReply();

            long token = claim.token();

            assertHolderHas(provider, token);
            assertThat(TestClaim.once(provider, "a").granted()).isFalse();
            assertThat(claim.released()).isTrue();
            assertThat(TestClaim.once(provider, "a").granted()).isTrue();
        }
    }

    @Proves("5.6")
    @ParameterizedTest
    @EnumSource
    void grantWithALostReplyIsUndoneByRelease(Layout layout) {
        try (RedisLockProvider provider = provider(layout)) {
            TestClaim claim = TestClaim.once(provider, "a");
            proxy.dropNextReply();
            proxy.refuse();

            assertFails(claim::granted, "acquire of lock 'a'", "cannot connect");

            proxy.accept();
            assertThat(server.command("EXISTS", "holdfast:a")).isEqualTo(1L);
            assertThat(TestClaim.once(provider, "a").granted()).isFalse();
            assertThat(claim.released()).isTrue();
            assertThat(TestClaim.once(provider, "a").granted()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void releaseAfterALostReplyFindsNothing(Layout layout) {
        try (RedisLockProvider provider = provider(layout)) {
            TestClaim claim = TestClaim.once(provider, "a");
            claim.granted();
            proxy.dropNextReply();

            assertFails(claim::released, "release of lock 'a'");

            TestClaim next = TestClaim.once(provider, "a");
            assertThat(next.granted()).isTrue();
            assertThat(claim.released()).isFalse();
            assertThat(next.held()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void claimRefusedAtItsSecondAttemptIsStillReleasedAtTheServer(Layout layout) {
        try (RedisLockProvider provider = provider(layout)) {
            TestClaim.once(provider, "a").granted();
            TestClaim claim = TestClaim.once(provider, "a");
            proxy.dropNextReply();
            assertThat(claim.granted()).isFalse();
            long before = server.calls("evalsha") + server.calls("eval");

            assertThat(claim.released()).isFalse();

            assertThat(server.calls("evalsha") + server.calls("eval")).isEqualTo(before + 1);
        }
    }

    @Proves("9.5")
    @ParameterizedTest
    @EnumSource
    void lockIsLostOnAServerPausedPastTheLease(Layout layout) {
        try (RedisLockProvider provider = RedisProviders.on(server, "timeout=500ms&layout=" + layout)) {
            assertLockIsLostDuringAPause(server, provider, Duration.ofSeconds(1));
        }
    }

    @Test
    void attemptAtAPausedServerIsUndoneOnceItAnswers() {
        try (RedisLockProvider provider = RedisProviders.on(server, "timeout=2s")) {
            assertWorks(provider);
            TestClaim claim = TestClaim.once(provider, "a");
            server.pause();
            assertFails(claim::granted, "acquire of lock 'a'", "timed out");
            assertFails(claim::released, "release of lock 'a'", "timed out");
            server.resume();

            answered().until(() -> {
                claim.released();
                return true;
            });
            assertThat(TestClaim.once(provider, "a").granted()).isTrue();
        }
    }
}
