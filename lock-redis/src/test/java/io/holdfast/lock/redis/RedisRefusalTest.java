package io.holdfast.lock.redis;

import static io.holdfast.parts.StoreAssertions.assertFails;
import static io.holdfast.parts.StoreAssertions.assertWorks;
import static io.holdfast.parts.Waits.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.redis.RedisLockProvider.Layout;
import io.holdfast.parts.TestClaim;
import io.holdfast.servers.RedisServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.RedisClient;

/** A server that refuses: the failure has its words, and later calls succeed again. */
@Execution(ExecutionMode.CONCURRENT)
@Tag("server")
class RedisRefusalTest {

    @Test
    void wrongPasswordIsReportedAtTheFirstUseAndNotShown() {
        try (RedisServer server = RedisServer.start("--requirepass", "right");
                RedisLockProvider provider = RedisProviders.at("redis://:topsecret@127.0.0.1:" + server.port());
                RedisLockProvider nameless = RedisProviders.at("redis://127.0.0.1:" + server.port());
                RedisLockProvider welcome = RedisProviders.at("redis://:right@127.0.0.1:" + server.port())) {
            TestClaim claim = TestClaim.once(provider, "a");
            assertThatThrownBy(claim::granted).satisfies(failure -> {
                assertThat(failure).isInstanceOf(LockStoreException.class).hasMessageContaining("WRONGPASS");
                for (Throwable each = failure; each != null; each = each.getCause()) {
                    assertThat(each.toString()).doesNotContain("topsecret");
                }
            });
            assertFails(TestClaim.once(nameless, "a")::granted, "NOAUTH", "set the parameter 'password'");
            assertWorks(welcome);
            try (RedisClient jedis = RedisClient.builder()
                            .hostAndPort(server.host(), server.port())
                            .clientConfig(DefaultJedisClientConfig.builder()
                                    .serverDefaultProtocol()
                                    .autoNegotiateProtocol(false)
                                    .build())
                            .build();
                    RedisLockProvider given = RedisLockProvider.over(jedis).build()) {
                assertFails(TestClaim.once(given, "a")::granted, "NOAUTH", "or that of the given client");
            }

            server.command("ACL", "SETUSER", "default", ">topsecret");
            assertThat(claim.granted()).isTrue();
        }
    }

    @Test
    void missingDatabaseIsNamed() {
        try (RedisServer server = RedisServer.start();
                RedisLockProvider provider = RedisProviders.at("redis://127.0.0.1:" + server.port() + "/99")) {
            assertFails(
                    TestClaim.once(provider, "a")::granted,
                    "Redis at 127.0.0.1:" + server.port() + "/99: acquire of lock 'a' failed",
                    "DB index is out of range");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aReplicaRefusesToWrite(Layout layout) {
        try (RedisServer server = RedisServer.start();
                RedisLockProvider provider = RedisProviders.on(server, layout)) {
            TestClaim holder = TestClaim.once(provider, "a");
            holder.granted();
            server.command("REPLICAOF", "127.0.0.1", "1");

            assertFails(TestClaim.once(provider, "b")::granted, "READONLY");
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
                RedisLockProvider provider = RedisProviders.on(server, layout)) {
            TestClaim holder = TestClaim.once(provider, "a");
            holder.granted();
            server.command("CONFIG", "SET", "maxmemory", "1");

            assertFails(TestClaim.once(provider, "b")::granted, "OOM");
            assertThat(TestClaim.once(provider, "a").granted()).isFalse();
            assertThat(holder.held()).isTrue();
            assertThat(holder.released()).isTrue();

            server.command("CONFIG", "SET", "maxmemory", "0");
            assertWorks(provider);
        }
    }

    @Test
    void loadingServerIsReported() {
        try (RedisServer server = RedisServer.start(
                        "--enable-debug-command", "yes", "--loading-process-events-interval-bytes", "1024");
                RedisLockProvider provider = RedisProviders.on(server, "")) {
            TestClaim holder = TestClaim.once(provider, "a", Duration.ofMinutes(5));
            holder.granted();
            server.command("DEBUG", "POPULATE", "4000");
            server.command("SAVE");
            // Loads for four seconds, which a slow machine does not miss.
            try (RedisServer slow = RedisServer.start(
                            "--key-load-delay", "1000", "--loading-process-events-interval-bytes", "1024");
                    RedisLockProvider there = RedisProviders.on(slow, "")) {
                copy(server.directory().resolve("dump.rdb"), slow.directory().resolve("dump.rdb"));
                CompletableFuture<Void> loaded = CompletableFuture.runAsync(slow::restart);

                soon().ignoreExceptionsInstanceOf(LockStoreException.class)
                        .untilAsserted(() -> assertFails(TestClaim.once(there, "b")::granted, "LOADING"));

                loaded.join();
                assertThat(TestClaim.once(there, "a").granted()).isFalse();
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
    void serverThatCannotSaveIsReported() throws IOException {
        try (RedisServer server = RedisServer.start("--save", "3600 1", "--enable-protected-configs", "yes");
                RedisLockProvider provider = RedisProviders.on(server, "")) {
            TestClaim holder = TestClaim.once(provider, "a");
            holder.granted();
            Path gone = Files.createDirectory(server.directory().resolve("gone"));
            server.command("CONFIG", "SET", "dir", gone.toString());
            Files.delete(gone);
            server.command("BGSAVE");
            soon().until(() -> server.command("INFO", "persistence").toString().contains("rdb_last_bgsave_status:err"));

            assertFails(TestClaim.once(provider, "b")::granted, "MISCONF");
            assertFails(holder::held, "MISCONF");

            server.command("CONFIG", "SET", "stop-writes-on-bgsave-error", "no");
            assertThat(holder.held()).isTrue();
            assertWorks(provider);
        }
    }
}
