package io.holdfast.lock.redisson;

import static io.holdfast.parts.StoreAssertions.assertFails;
import static io.holdfast.parts.StoreAssertions.assertWorksAgain;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.tck.faults.TcpProxy;
import io.holdfast.lock.tck.faults.TcpProxy.Direction;
import io.holdfast.parts.TestClaim;
import io.holdfast.servers.RedisServer;
import io.holdfast.servers.SelfSignedCertificate;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.redisson.client.RedisConnectionException;
import org.redisson.client.WriteRedisConnectionException;

/** The messages of failures, and whether the close of a client has something to release after them. */
@Tag("server")
class FailuresTest {

    private static RedisServer server;

    @BeforeAll
    static void start() {
        server = RedisServer.start("--requirepass", "right-one");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static final int MOST_TRIES = 5;

    /** A port on which nothing listens, as that takes root. */
    private static final String NOBODY = "127.0.0.1:1";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "redisson://:wrong@HOST              | the server answered WRONGPASS",
                "redisson://HOST                     | the server answered NOAUTH Authentication required.; set the parameter 'password'",
                "redisson://:right-one@HOST/99       | /99: acquire of lock 'a' failed: the server answered ERR DB index",
                "redisson://NOBODY?timeout=300ms     | cannot connect (Connection refused",
                "redissons://:right-one@HOST?timeout=300ms&connectTimeout=300ms | cannot connect (timed out); if the server speaks no TLS on this port, use redisson://",
            })
    void unsentAttemptNeedsNoRelease(String uri, String reason) {
        String host = server.host() + ":" + server.port();
        LockClient client = failedFor(reason, uri.replace("HOST", host).replace("NOBODY", NOBODY));

        long before = System.nanoTime();
        assertThatCode(client::close).doesNotThrowAnyException();

        assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(5));
    }

    /**
     * A client whose attempt failed for a reason. On a busy machine the attempt may time out first. As its request may have
     * arrived, the next attempt has a new client.
     */
    private static LockClient failedFor(String reason, String uri) {
        for (int tries = 1; ; tries++) {
            LockClient client = LockClient.connect(uri);
            Throwable failure = catchThrowable(() -> client.lock("a").tryAcquire());
            if (tries == MOST_TRIES || String.valueOf(failure).contains(reason)) {
                assertThat(failure)
                        .isInstanceOf(LockStoreException.class)
                        .hasMessageContainingAll("acquire of lock 'a'", reason);
                return client;
            }
            assertThat(failure).hasMessageContaining("timed out");
            // It may have a claim to release, and no server.
            Throwable unused = catchThrowable(client::close);
        }
    }

    @Test
    void attemptThatMayHaveArrivedIsReleased() {
        try (RedisServer open = RedisServer.start();
                TcpProxy proxy = TcpProxy.to(open.host(), open.port());
                RedissonLockProvider provider =
                        RedissonProviders.at("redisson://127.0.0.1:" + proxy.port() + "?timeout=300ms&poolSize=1")) {
            assertWorksAgain(provider, "first");
            TestClaim claim = TestClaim.once(provider, "a");
            proxy.swallow(Direction.REPLIES);

            assertFails(claim::granted, "acquire of lock 'a'", "timed out (no answer of the server)");

            assertFails(claim::released, "release of lock 'a'");
        }
    }

    @Test
    void failedWriteMayHaveArrivedAndFailedConnectHasNot() {
        assertThat(RedissonFailures.isUnsent(
                        failure(new WriteRedisConnectionException("written in part, says the test"))))
                .isFalse();
        assertThat(RedissonFailures.isUnsent(failure(new RedisConnectionException("not connected, says the test"))))
                .isTrue();
    }

    private static LockStoreException failure(RedisConnectionException cause) {
        return new LockStoreException("failed", cause);
    }

    @Test
    void aServerThatWentAwayHasNotAnsweredAnything() {
        try (RedisServer open = RedisServer.start();
                RedissonLockProvider provider = RedissonProviders.on(open, "timeout=300ms")) {
            assertWorksAgain(provider, "first");
            open.kill();
            for (int i = 0; i < 10; i++) {
                assertThatThrownBy(TestClaim.once(provider, "a")::granted)
                        .isInstanceOf(LockStoreException.class)
                        .hasMessageMatching(".*failed: (cannot connect|the connection failed|timed out) \\(.*")
                        .hasMessageNotContainingAny("Unexpected exception", "CompletableFuture", "java.");
            }
            open.restart();
            assertWorksAgain(provider, "last");
        }
    }

    @ParameterizedTest
    @CsvSource({"trustStore", "keyStore"})
    void wrongKeyStorePasswordIsReportedAtOnce(String store, @TempDir Path directory) throws Exception {
        Path file = SelfSignedCertificate.create(directory, "ip:127.0.0.1").store();

        assertThatThrownBy(() -> RedissonProviders.at(
                        "redissons://h?" + store + "=" + file + "&" + store + "Password=top-secret"))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContainingAll(store, file.toString(), "password")
                .hasMessageNotContaining("top-secret");
    }

    @Test
    void tlsPortIsNotReportedAsUnreachable(@TempDir Path directory) throws Exception {
        SelfSignedCertificate certificate = SelfSignedCertificate.create(directory, "ip:127.0.0.1");
        try (RedisServer secured = RedisServer.startWithTls(certificate, "no");
                RedissonLockProvider provider = RedissonProviders.at(
                        "redisson://127.0.0.1:" + secured.port("--tls-port") + "?timeout=5s&connectTimeout=5s")) {
            assertFails(
                    TestClaim.once(provider, "a")::granted,
                    "cannot connect (",
                    "if the server speaks TLS on this port, use redissons://");
        }
    }
}
