package io.holdfast.lock.redis;

import static io.holdfast.parts.RedisFaults.assertForgottenScriptsAreSentAgain;
import static io.holdfast.parts.RedisFaults.assertLockSurvivesACrash;
import static io.holdfast.parts.RedisFaults.assertRefusedConnectionPasses;
import static io.holdfast.parts.RedisFaults.loseData;
import static io.holdfast.parts.StoreAssertions.assertFails;
import static io.holdfast.parts.StoreAssertions.assertWorks;
import static io.holdfast.parts.Waits.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.redis.RedisLockProvider.Layout;
import io.holdfast.lock.tck.faults.TcpProxy;
import io.holdfast.parts.TestClaim;
import io.holdfast.servers.RedisServer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A server that goes away and comes back, with and without its data. */
@Tag("server")
class RedisRestartTest {

    @ParameterizedTest
    @EnumSource
    void locksSurviveACrashOfAServerThatKeepsItsData(Layout layout) {
        // A killed process loses nothing that is in the kernel's hands, and no call waits for a busy disk.
        try (RedisServer server = RedisServer.start("--appendonly", "yes", "--appendfsync", "no");
                RedisLockProvider provider = RedisProviders.on(server, layout)) {
            assertLockSurvivesACrash(
                    server,
                    provider,
                    holder -> assertFails(TestClaim.once(provider, "a")::granted, "acquire of lock 'a'", "connect"));
        }
    }

    @ParameterizedTest
    @EnumSource
    void lossOfDataIsReportedAndTokensGrow(Layout layout) {
        try (RedisServer server = RedisServer.start();
                RedisLockProvider provider = RedisProviders.on(server, layout)) {
            long token = loseData(server, provider);

            assertThat(TestClaim.once(provider, "a").token()).isGreaterThan(token);
        }
    }

    @Test
    void callsAfterARestartFindNewConnections() {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try (RedisServer server = RedisServer.start();
                TcpProxy proxy = TcpProxy.to(server.host(), server.port());
                RedisLockProvider provider =
                        RedisProviders.at("redis://127.0.0.1:" + proxy.port() + "?poolSize=5&timeout=1m")) {
            // So that the calls overlap, and each needs its own connection.
            server.pause();
            List<CompletableFuture<Void>> calls = IntStream.range(0, 4)
                    .mapToObj(i -> CompletableFuture.runAsync(() -> provider.holder("a"), threads))
                    .toList();
            soon().until(() -> proxy.open() == 4);
            server.resume();
            calls.forEach(CompletableFuture::join);
            assertThat(proxy.open()).isEqualTo(4);
            server.restart();
            soon().until(() -> proxy.open() == 0);

            assertThat(provider.holder("a")).isEmpty();
            assertWorks(provider);
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void refusedConnectionNamesTheAddressAndPassesOnceTheServerIsUp() {
        try (RedisServer server = RedisServer.start();
                RedisLockProvider provider = RedisProviders.at("redis://127.0.0.1:" + server.port())) {
            assertRefusedConnectionPasses(
                    server, provider, "Redis at 127.0.0.1:" + server.port(), "acquire of lock 'a'");
        }
    }

    @ParameterizedTest
    @EnumSource
    void forgottenScriptsAreSentAgain(Layout layout) {
        try (RedisServer server = RedisServer.start();
                RedisLockProvider provider = RedisProviders.on(server, layout)) {
            assertForgottenScriptsAreSentAgain(server, provider);
        }
    }
}
