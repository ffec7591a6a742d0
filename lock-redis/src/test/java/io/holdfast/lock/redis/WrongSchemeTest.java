package io.holdfast.lock.redis;

import static io.holdfast.parts.StoreAssertions.assertFails;
import static io.holdfast.parts.StoreAssertions.assertWorks;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockStoreException;
import io.holdfast.parts.TestClaim;
import io.holdfast.servers.RedisServer;
import io.holdfast.servers.SelfSignedCertificate;
import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A URI that does not match the port, or whose key stores do not open: the failure says what to change. */
@Tag("server")
class WrongSchemeTest {

    private static final String USE_TLS = "if the server speaks TLS on this port, use rediss://";
    private static final String USE_NO_TLS = "if the server speaks no TLS on this port, use redis://";

    @TempDir
    private Path directory;

    @Test
    void tlsToAPlainPortSuggestsTheOtherScheme() {
        try (RedisServer server = RedisServer.start();
                RedisLockProvider tls = RedisProviders.at("rediss://127.0.0.1:" + server.port() + "?timeout=500ms")) {
            assertFails(TestClaim.once(tls, "a")::granted, "acquire of lock 'a' failed: timed out", USE_NO_TLS);
        }
    }

    @Test
    void plainTextToATlsPortSuggestsTheOtherScheme() throws Exception {
        SelfSignedCertificate certificate = SelfSignedCertificate.create(directory, "ip:127.0.0.1");
        try (RedisServer server = RedisServer.startWithTls(certificate, "no");
                RedisLockProvider plain = RedisProviders.at("redis://127.0.0.1:" + server.port("--tls-port"))) {
            assertFails(TestClaim.once(plain, "a")::granted, "acquire of lock 'a' failed", USE_TLS);
        }
    }

    @Test
    void serverThatAnsweredOnceGetsNoSuggestion() {
        try (RedisServer server = RedisServer.start();
                RedisLockProvider provider = RedisProviders.on(server, "")) {
            assertWorks(provider);
            server.kill();
            assertThatThrownBy(TestClaim.once(provider, "a")::granted)
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageNotContaining(USE_TLS);
        }
    }

    @Test
    void otherProtocolIsReported() throws Exception {
        try (ServerSocket web = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                RedisLockProvider provider = RedisProviders.at("redis://127.0.0.1:" + web.getLocalPort())) {
            CompletableFuture<Void> answering = CompletableFuture.runAsync(() -> answerOnce(web));
            assertFails(
                    TestClaim.once(provider, "a")::granted,
                    "what answered does not speak the protocol of Redis",
                    USE_TLS);
            answering.join();
        }
    }

    private static void answerOnce(ServerSocket web) {
        try (Socket client = web.accept()) {
            client.getOutputStream().write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            client.shutdownOutput();
            client.getInputStream().readAllBytes();
        } catch (IOException closedByTheOther) {
            return;
        }
    }

    @Test
    void refusedConnectionAndUnknownHostAreReported() {
        try (RedisLockProvider refused = RedisProviders.at("redis://127.0.0.1:" + RedisServer.freePort());
                RedisLockProvider unknown = RedisProviders.at("redis://no.such.host.invalid")) {
            assertFails(TestClaim.once(refused, "a")::granted, "cannot connect (Connection refused)");
            assertFails(TestClaim.once(unknown, "a")::granted, "the host is unknown (no.such.host.invalid");
        }
    }

    @Test
    void unreadableKeyStoreIsNamedWithoutItsPassword() throws Exception {
        SelfSignedCertificate certificate = SelfSignedCertificate.create(directory, "ip:127.0.0.1");
        refuses("trustStore=" + certificate.store() + "&trustStorePassword=topsecret", "trustStore");
        refuses("keyStore=" + certificate.store() + "&keyStorePassword=topsecret", "keyStore");
        refuses("trustStore=" + certificate.certificate(), "trustStore");
    }

    @Test
    void changedKeyStoreIsReportedAsATlsFailure() throws Exception {
        SelfSignedCertificate certificate = SelfSignedCertificate.create(directory, "ip:127.0.0.1");
        try (RedisServer server = RedisServer.start();
                RedisLockProvider provider = RedisProviders.at("rediss://127.0.0.1:" + server.port() + "?trustStore="
                        + certificate.store() + "&trustStorePassword=" + SelfSignedCertificate.PASSWORD)) {
            File file = certificate.store().toFile();
            KeyStore store = KeyStore.getInstance(file, SelfSignedCertificate.PASSWORD.toCharArray());
            try (OutputStream changed = new FileOutputStream(file)) {
                store.store(changed, "another".toCharArray());
            }
            assertFails(TestClaim.once(provider, "a")::granted, "acquire of lock 'a' failed: TLS failed (");
        }
    }

    private static void refuses(String query, String parameter) {
        assertThatThrownBy(() -> RedisProviders.at("rediss://127.0.0.1:1?" + query))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContainingAll(
                        "The parameter '" + parameter + "' is '",
                        "a key store file that can be read with the parameter '" + parameter + "Password' (")
                .hasMessageNotContaining("topsecret");
    }
}
