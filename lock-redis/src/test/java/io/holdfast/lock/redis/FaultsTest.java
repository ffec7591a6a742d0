package io.holdfast.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.redis.RedisLockProvider.Layout;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.servers.RedisServer;
import io.holdfast.servers.TcpProxy;
import io.holdfast.servers.TcpProxy.Direction;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.RedisClient;

/** A real server, and what goes wrong with it: a clear failure or a reported loss, and all is well again afterwards. */
class FaultsTest {

    private static final Duration BOUND = Duration.ofSeconds(30);

    private static ConditionFactory soon() {
        return await().atMost(BOUND).pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(5));
    }

    /** Tries until it gets an answer at all: a connection that was open before the fault may fail once. */
    private static ConditionFactory answered() {
        return soon().ignoreExceptionsInstanceOf(LockStoreException.class);
    }

    private static void assertFails(ThrowingCallable call, String... parts) {
        assertThatThrownBy(call).isInstanceOf(LockStoreException.class).hasMessageContainingAll(parts);
    }

    private static void assertWorks(RedisLockProvider provider) {
        Bidder bidder = Bidder.once(provider, "works again");
        assertThat(bidder.granted()).isTrue();
        assertThat(bidder.held()).isTrue();
        assertThat(bidder.released()).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void aServerThatKeepsItsDataKeepsItsLocksOverACrash(Layout layout) {
        try (RedisServer server = RedisServer.start("--appendonly", "yes", "--appendfsync", "always");
                RedisLockProvider provider = Providers.on(server, layout)) {
            Bidder holder = Bidder.once(provider, "a");
            long token = holder.token();
            server.kill();
            assertFails(holder::held, "renewal of lock 'a'", "127.0.0.1:" + server.port());
            assertFails(() -> Bidder.once(provider, "a").granted(), "acquire of lock 'a'", "connect");

            server.restart();

            answered().until(holder::held);
            assertThat(Bidder.once(provider, "a").granted()).isFalse();
            assertThat(provider.holder("a")
                            .orElseThrow()
                            .fencingToken()
                            .orElseThrow()
                            .value())
                    .isEqualTo(token);
            assertThat(holder.released()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aServerThatLosesItsDataReportsTheLossAndItsTokensGrowOn(Layout layout) {
        try (RedisServer server = RedisServer.start();
                RedisLockProvider provider = Providers.on(server, layout)) {
            Bidder holder = Bidder.once(provider, "a");
            long token = holder.token();

            server.restartWithoutData();

            answered().until(() -> !holder.held());
            assertThat(holder.released()).isFalse();
            assertThat(Bidder.once(provider, "a").token()).isGreaterThan(token);
        }
    }

    @LockRule("5.6")
    @ParameterizedTest
    @EnumSource
    void aGrantWhoseReplyWasLostIsUndoneByTheReleaseOfThatClaim(Layout layout) {
        try (RedisServer server = RedisServer.start();
                TcpProxy proxy = TcpProxy.to(server.host(), server.port());
                RedisLockProvider provider = Providers.at("redis://127.0.0.1:" + proxy.port() + "?layout=" + layout)) {
            assertWorks(provider);
            Bidder bidder = Bidder.once(provider, "a");
            proxy.dropNextReply();

            assertFails(bidder::granted, "acquire of lock 'a'", "the connection was lost");

            assertThat(server.command("EXISTS", "holdfast:a")).isEqualTo(1L);
            assertThat(Bidder.once(provider, "a").granted()).isFalse();
            assertThat(bidder.released()).isTrue();
            assertThat(Bidder.once(provider, "a").granted()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aReleaseWhoseReplyWasLostFindsNothingMoreToDo(Layout layout) {
        try (RedisServer server = RedisServer.start();
                TcpProxy proxy = TcpProxy.to(server.host(), server.port());
                RedisLockProvider provider = Providers.at("redis://127.0.0.1:" + proxy.port() + "?layout=" + layout)) {
            Bidder bidder = Bidder.once(provider, "a");
            bidder.granted();
            proxy.dropNextReply();

            assertFails(bidder::released, "release of lock 'a'");

            Bidder next = Bidder.once(provider, "a");
            assertThat(next.granted()).isTrue();
            assertThat(bidder.released()).isFalse();
            assertThat(next.held()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aBidThatWasRefusedAfterOneOfUnknownOutcomeIsStillWithdrawnAtTheServer(Layout layout) {
        try (RedisServer server = RedisServer.start();
                TcpProxy proxy = TcpProxy.to(server.host(), server.port());
                RedisLockProvider provider = Providers.at("redis://127.0.0.1:" + proxy.port() + "?layout=" + layout)) {
            Bidder.once(provider, "a").granted();
            Bidder bidder = Bidder.once(provider, "a");
            proxy.dropNextReply();
            assertFails(bidder::granted, "acquire");
            assertThat(bidder.granted()).isFalse();
            long before = server.calls("evalsha") + server.calls("eval");

            assertThat(bidder.released()).isFalse();

            assertThat(server.calls("evalsha") + server.calls("eval")).isEqualTo(before + 1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void scriptsThatTheServerForgotAreSentAgain(Layout layout) {
        try (RedisServer server = RedisServer.start();
                RedisLockProvider provider = Providers.on(server, layout)) {
            List<Bidder> bidders = List.of(Bidder.once(provider, "a"), Bidder.once(provider, "b"));
            List<Claim> claims = bidders.stream().map(bidder -> bidder.claim).toList();
            assertWorks(provider);
            server.command("SCRIPT", "FLUSH");
            assertThat(bidders).allMatch(Bidder::granted);
            assertThat(provider.renewAll(claims)).hasSize(2).allMatch(Renewal.Held.class::isInstance);
            server.command("SCRIPT", "FLUSH");
            assertThat(provider.renewAll(claims)).hasSize(2).allMatch(Renewal.Held.class::isInstance);
            server.command("SCRIPT", "FLUSH");
            assertThat(bidders).allMatch(Bidder::released);
        }
    }

    @LockRule("9.5")
    @ParameterizedTest
    @EnumSource
    void aServerThatWasPausedPastTheLeaseHasLostTheLockAndIsUsableAgain(Layout layout) {
        try (RedisServer server = RedisServer.start();
                RedisLockProvider provider = Providers.on(server, "timeout=150ms&layout=" + layout)) {
            Bidder holder = Bidder.once(provider, "a", Duration.ofMillis(400));
            long token = holder.token();
            server.pause();
            assertFails(holder::held, "renewal of lock 'a'", "timed out");
            assertFails(() -> provider.renewAll(List.of(holder.claim)), "renewal of 1 locks", "timed out");
            await().pollDelay(Duration.ofMillis(500)).until(() -> true);
            server.resume();

            answered().until(() -> !holder.held());
            Bidder next = Bidder.once(provider, "a");
            assertThat(next.token()).isGreaterThan(token);
            assertThat(holder.released()).isFalse();
            assertThat(next.held()).isTrue();
        }
    }

    @Test
    void aBidToAPausedServerIsUndoneOnceItAnswersAgain() {
        try (RedisServer server = RedisServer.start();
                RedisLockProvider provider = Providers.on(server, "timeout=150ms")) {
            assertWorks(provider);
            Bidder bidder = Bidder.once(provider, "a");
            server.pause();
            assertFails(bidder::granted, "acquire of lock 'a'", "timed out");
            assertFails(bidder::released, "release of lock 'a'", "timed out");
            server.resume();

            answered().until(() -> {
                bidder.released();
                return true;
            });
            assertThat(Bidder.once(provider, "a").granted()).isTrue();
        }
    }

    @Test
    void aWrongPasswordShowsAtTheFirstUseAndIsNotRepeated() {
        try (RedisServer server = RedisServer.start("--requirepass", "right");
                RedisLockProvider provider = Providers.at("redis://:topsecret@127.0.0.1:" + server.port());
                RedisLockProvider nameless = Providers.at("redis://127.0.0.1:" + server.port());
                RedisLockProvider welcome = Providers.at("redis://:right@127.0.0.1:" + server.port())) {
            Bidder bidder = Bidder.once(provider, "a");
            assertThatThrownBy(bidder::granted).satisfies(failure -> {
                assertThat(failure).isInstanceOf(LockStoreException.class).hasMessageContaining("WRONGPASS");
                for (Throwable each = failure; each != null; each = each.getCause()) {
                    assertThat(each.toString()).doesNotContain("topsecret");
                }
            });
            assertFails(Bidder.once(nameless, "a")::granted, "NOAUTH");
            assertWorks(welcome);
            try (RedisClient jedis = RedisClient.builder()
                            .hostAndPort(server.host(), server.port())
                            .clientConfig(DefaultJedisClientConfig.builder()
                                    .serverDefaultProtocol()
                                    .autoNegotiateProtocol(false)
                                    .build())
                            .build();
                    RedisLockProvider given = RedisLockProvider.over(jedis).build()) {
                assertFails(Bidder.once(given, "a")::granted, "NOAUTH");
            }

            server.command("ACL", "SETUSER", "default", ">topsecret");
            assertThat(bidder.granted()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aReplicaRefusesToWrite(Layout layout) {
        try (RedisServer server = RedisServer.start();
                RedisLockProvider provider = Providers.on(server, layout)) {
            Bidder holder = Bidder.once(provider, "a");
            holder.granted();
            server.command("REPLICAOF", "127.0.0.1", "1");

            assertFails(Bidder.once(provider, "b")::granted, "READONLY");
            assertFails(holder::released, "READONLY");

            server.command("REPLICAOF", "NO", "ONE");
            assertThat(holder.released()).isTrue();
            assertWorks(provider);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aFullServerGrantsNothingButRenewsAndReleases(Layout layout) {
        try (RedisServer server = RedisServer.start();
                RedisLockProvider provider = Providers.on(server, layout)) {
            Bidder holder = Bidder.once(provider, "a");
            holder.granted();
            server.command("CONFIG", "SET", "maxmemory", "1");

            assertFails(Bidder.once(provider, "b")::granted, "OOM");
            assertThat(Bidder.once(provider, "a").granted()).isFalse();
            assertThat(holder.held()).isTrue();
            assertThat(holder.released()).isTrue();

            server.command("CONFIG", "SET", "maxmemory", "0");
            assertWorks(provider);
        }
    }

    @Test
    void aServerThatIsLoadingItsDataSaysSo() {
        try (RedisServer server = RedisServer.start(
                        "--enable-debug-command", "yes", "--loading-process-events-interval-bytes", "1024");
                RedisLockProvider provider = Providers.on(server, "")) {
            Bidder holder = Bidder.once(provider, "a");
            holder.granted();
            server.command("DEBUG", "POPULATE", "20000");
            server.command("SAVE");
            try (RedisServer slow = RedisServer.start(
                            "--key-load-delay", "100", "--loading-process-events-interval-bytes", "1024");
                    RedisLockProvider there = Providers.on(slow, "")) {
                copy(server.directory().resolve("dump.rdb"), slow.directory().resolve("dump.rdb"));
                CompletableFuture<Void> loaded = CompletableFuture.runAsync(slow::restart);

                soon().ignoreExceptionsInstanceOf(LockStoreException.class)
                        .untilAsserted(() -> assertFails(Bidder.once(there, "b")::granted, "LOADING"));

                loaded.join();
                assertThat(Bidder.once(there, "a").granted()).isFalse();
                assertWorks(there);
            }
        }
    }

    private static void copy(Path from, Path to) {
        try {
            Files.copy(from, to);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Test
    void aServerThatCannotSaveAndThereforeRefusesToWriteSaysSo() throws IOException {
        try (RedisServer server = RedisServer.start("--save", "3600 1", "--enable-protected-configs", "yes");
                RedisLockProvider provider = Providers.on(server, "")) {
            Bidder holder = Bidder.once(provider, "a");
            holder.granted();
            Path gone = Files.createDirectory(server.directory().resolve("gone"));
            server.command("CONFIG", "SET", "dir", gone.toString());
            Files.delete(gone);
            server.command("BGSAVE");
            soon().until(() -> server.command("INFO", "persistence").toString().contains("rdb_last_bgsave_status:err"));

            assertFails(Bidder.once(provider, "b")::granted, "MISCONF");
            assertFails(holder::held, "MISCONF");

            server.command("CONFIG", "SET", "stop-writes-on-bgsave-error", "no");
            assertThat(holder.held()).isTrue();
            assertWorks(provider);
        }
    }

    @Test
    void nobodyListeningIsAFailureThatNamesTheAddress() {
        int port = RedisServer.freePort();
        try (RedisLockProvider provider = Providers.at("redis://127.0.0.1:" + port)) {
            assertFails(Bidder.once(provider, "a")::granted, "Redis at 127.0.0.1:" + port, "acquire of lock 'a'");
            assertFails(() -> provider.holder("a"), "holder of lock 'a'");
        }
    }

    @Test
    void oneFailedCallIsEnoughToReplaceAllConnectionsOfARestartedServer() {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try (RedisServer server = RedisServer.start();
                TcpProxy proxy = TcpProxy.to(server.host(), server.port());
                RedisLockProvider provider = Providers.at("redis://127.0.0.1:" + proxy.port())) {
            // So slow that the calls overlap, and each needs a connection of its own.
            proxy.delay(Direction.REPLIES, Duration.ofMillis(100));
            IntStream.range(0, 4)
                    .mapToObj(i -> CompletableFuture.runAsync(() -> provider.holder("a"), threads))
                    .toList()
                    .forEach(CompletableFuture::join);
            proxy.pass(Direction.REPLIES);
            assertThat(proxy.open()).isEqualTo(4);
            server.restart();
            soon().until(() -> proxy.open() == 0);

            assertFails(() -> provider.holder("a"), "the connection was lost");
            assertWorks(provider);
        } finally {
            threads.shutdownNow();
        }
    }
}
