package io.holdfast.lock.redisson;

import static io.holdfast.parts.RedisFaults.assertForgottenScriptsAreSentAgain;
import static io.holdfast.parts.RedisFaults.assertLockSurvivesACrash;
import static io.holdfast.parts.RedisFaults.assertRefusedConnectionPasses;
import static io.holdfast.parts.RedisFaults.loseData;
import static io.holdfast.parts.StoreAssertions.assertFails;
import static io.holdfast.parts.StoreAssertions.assertWorks;
import static io.holdfast.parts.Waits.answered;
import static io.holdfast.parts.Waits.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.holdfast.lock.redisson.RedissonLockProvider.Layout;
import io.holdfast.parts.Proves;
import io.holdfast.parts.TestClaim;
import io.holdfast.servers.RedisServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A server that goes away and comes back, with and without its data. */
@Tag("server")
class RedissonRestartTest {

    @Proves("9.5")
    @ParameterizedTest
    @EnumSource
    void locksSurviveACrashOfAServerThatKeepsItsData(Layout layout) {
        // A killed process loses nothing that is in the kernel's hands, and no call waits for a busy disk.
        try (RedisServer server = RedisServer.start("--appendonly", "yes", "--appendfsync", "no");
                RedissonLockProvider provider = RedissonProviders.on(server, "timeout=1s&layout=" + layout)) {
            assertLockSurvivesACrash(server, provider, holder -> {
                assertFails(holder::held, "Redisson at 127.0.0.1:" + server.port(), "renewal of lock 'a'");
                assertFails(TestClaim.once(provider, "a")::granted, "acquire of lock 'a'");
                assertThatThrownBy(holder::held).hasMessageNotContaining("redissons://");
            });
        }
    }

    @ParameterizedTest
    @EnumSource
    void lossOfDataIsReported(Layout layout) {
        try (RedisServer server = RedisServer.start();
                RedissonLockProvider provider = RedissonProviders.on(server, "timeout=1s&layout=" + layout)) {
            long token = loseData(server, provider);

            long next = TestClaim.once(provider, "a").token();
            if (layout == Layout.LOCK) {
                assertThat(next).isGreaterThan(token);
            } else {
                assertThat(next).as("volatile, as declared").isEqualTo(1);
            }
        }
    }

    /** A claim that has been refused, and whose channel is subscribed to. */
    private static TestClaim waiter(RedissonLockProvider provider) {
        TestClaim waiter = TestClaim.waiting(provider, "a");
        awaitHeard(waiter);
        return waiter;
    }

    /** Attempts until the channel is subscribed to: each attempt subscribes again if the subscription failed. */
    private static void awaitHeard(TestClaim waiter) {
        answered().until(() -> {
            assertThat(waiter.granted()).isFalse();
            return waiter.isHeard();
        });
    }

    @Proves("7.2")
    @Test
    void waiterIsWokenAfterARestartAndHearsOfReleasesAgain() {
        // A killed process loses nothing that is in the kernel's hands, and no call waits for a busy disk.
        try (RedisServer server = RedisServer.start("--appendonly", "yes", "--appendfsync", "no");
                RedissonLockProvider provider = RedissonProviders.on(server, "timeout=1s")) {
            TestClaim holder = TestClaim.once(provider, "a");
            assertThat(holder.granted()).isTrue();
            TestClaim waiter = waiter(provider);
            int heard = waiter.mayBeFree.get();

            server.restart();
            soon().until(() -> waiter.mayBeFree.get() > heard);
            awaitHeard(waiter);
            int before = waiter.mayBeFree.get();
            answered().until(holder::released);

            soon().until(() -> waiter.mayBeFree.get() > before);
            // Its connection may be one from before the restart.
            answered().until(waiter::granted);
        }
    }

    @Proves("7.2")
    @Test
    void killedSubscriptionIsOpenedAgainAndWakesWaiters() {
        try (RedisServer server = RedisServer.start();
                RedissonLockProvider provider = RedissonProviders.on(server, "timeout=20s")) {
            TestClaim holder = TestClaim.once(provider, "a");
            assertThat(holder.granted()).isTrue();
            TestClaim waiter = waiter(provider);
            int heard = waiter.mayBeFree.get();

            assertThat(server.command("CLIENT", "KILL", "TYPE", "pubsub")).isEqualTo(1L);

            soon().until(() -> waiter.mayBeFree.get() > heard);
            awaitHeard(waiter);
            int before = waiter.mayBeFree.get();
            assertThat(holder.released()).isTrue();
            soon().until(() -> waiter.mayBeFree.get() > before);
        }
    }

    @Test
    void refusedConnectionNamesTheAddressAndPassesOnceTheServerIsUp() {
        try (RedisServer server = RedisServer.start();
                RedissonLockProvider provider = RedissonProviders.on(server, "timeout=1s&connectTimeout=1s")) {
            assertRefusedConnectionPasses(
                    server,
                    provider,
                    "Redisson at 127.0.0.1:" + server.port(),
                    "acquire of lock 'a'",
                    "cannot connect");
        }
    }

    @ParameterizedTest
    @EnumSource
    void forgottenScriptsAreSentAgain(Layout layout) {
        try (RedisServer server = RedisServer.start();
                RedissonLockProvider provider = RedissonProviders.on(server, "layout=" + layout)) {
            assertForgottenScriptsAreSentAgain(server, provider);
        }
    }

    @Test
    void wrongPasswordIsReportedAndNotShown() {
        try (RedisServer server = RedisServer.start("--requirepass", "right-one");
                RedissonLockProvider provider =
                        RedissonProviders.at("redisson://:wrong-secret@127.0.0.1:" + server.port() + "?timeout=1s");
                RedissonLockProvider without = RedissonProviders.on(server, "timeout=1s");
                RedissonLockProvider right = RedissonProviders.at("redisson://:right-one@127.0.0.1:" + server.port())) {
            assertThatFailureHides(provider, "WRONGPASS");
            assertThatFailureHides(without, "NOAUTH");
            assertWorks(right);
        }
    }

    private static void assertThatFailureHides(RedissonLockProvider provider, String kind) {
        // A busy machine may time out first.
        soon().untilAsserted(() -> {
            Throwable failure = catchThrowable(() -> provider.holder("a"));
            for (Throwable each = failure; each != null; each = each.getCause()) {
                assertThat(each.toString()).doesNotContain("wrong-secret").doesNotContain("right-one");
            }
            assertThat(failure).hasMessageContaining(kind);
        });
    }
}
