package io.holdfast.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.lock.LockStoreException;
import io.holdfast.parts.Bidder;
import io.holdfast.servers.RedisServer;
import io.holdfast.servers.SelfSignedCertificate;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TlsTest {

    private static final Duration BOUND = Duration.ofSeconds(20);

    @TempDir
    private static Path directory;

    private static SelfSignedCertificate certificate;
    private static RedisServer server;
    private static int tlsPort;

    @BeforeAll
    static void start() throws Exception {
        certificate = SelfSignedCertificate.create(directory, "ip:127.0.0.1");
        tlsPort = RedisServer.freePort();
        server = serverWith(certificate, tlsPort, "no");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static RedisServer serverWith(SelfSignedCertificate certificate, int port, String authenticateClients) {
        RedisServer started = RedisServer.start(
                "--tls-port",
                Integer.toString(port),
                "--tls-cert-file",
                certificate.certificate().toString(),
                "--tls-key-file",
                certificate.key().toString(),
                "--tls-ca-cert-file",
                certificate.certificate().toString(),
                "--tls-auth-clients",
                authenticateClients);
        started.command("ACL", "SETUSER", "ann", "on", ">s@c/ret", "~*", "&*", "+@all");
        return started;
    }

    private static String encoded(Path path) {
        return URLEncoder.encode(path.toString(), StandardCharsets.UTF_8);
    }

    private static String trusting() {
        return "trustStore=" + encoded(certificate.store()) + "&trustStorePassword=" + SelfSignedCertificate.PASSWORD;
    }

    private static void assertWorks(RedisLockProvider provider) {
        Bidder holder = Bidder.once(provider, "a");
        assertThat(holder.granted()).isTrue();
        Bidder waiter = Bidder.waiting(provider, "a");
        assertThat(waiter.granted()).isFalse();
        await().atMost(BOUND).until(() -> waiter.mayBeFree.get() == 1);
        assertThat(holder.released()).isTrue();
        await().atMost(BOUND).until(() -> waiter.mayBeFree.get() == 2);
        assertThat(waiter.granted()).isTrue();
        assertThat(waiter.released()).isTrue();
    }

    @Test
    void locksAndWakesOverTlsWithAUserAndAPassword() {
        try (RedisLockProvider provider =
                Providers.at("rediss://ann:s%40c%2Fret@127.0.0.1:" + tlsPort + "?" + trusting())) {
            assertWorks(provider);
        }
    }

    @Test
    void aSecretMayComeAsAProperty() {
        try (RedisLockProvider provider = Providers.at(
                "rediss://127.0.0.1:" + tlsPort + "?trustStore=" + encoded(certificate.store()),
                Map.of("user", "ann", "password", "s@c/ret", "trustStorePassword", SelfSignedCertificate.PASSWORD))) {
            assertWorks(provider);
        }
    }

    @Test
    void refusesACertificateThatIsNotTrusted() {
        try (RedisLockProvider provider = Providers.at("rediss://127.0.0.1:" + tlsPort)) {
            assertThatThrownBy(Bidder.once(provider, "a")::granted)
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContaining("TLS failed");
        }
    }

    @Test
    void refusesACertificateForAnotherHostUnlessOnlyItsIssuerIsToBeVerified() throws Exception {
        int port = RedisServer.freePort();
        SelfSignedCertificate other = SelfSignedCertificate.create(
                Files.createDirectory(directory.resolve("other")), "dns:elsewhere.example");
        String uri = "rediss://127.0.0.1:" + port + "?trustStore=" + encoded(other.store()) + "&trustStorePassword="
                + SelfSignedCertificate.PASSWORD;
        try (RedisServer impostor = serverWith(other, port, "no");
                RedisLockProvider full = Providers.at(uri);
                RedisLockProvider issuer = Providers.at(uri + "&verify=ca");
                RedisLockProvider none = Providers.at("rediss://127.0.0.1:" + port + "?verify=none")) {
            assertThat(impostor.command("PING")).isEqualTo("PONG");
            assertThatThrownBy(Bidder.once(full, "a")::granted).hasMessageContaining("TLS failed");
            assertWorks(issuer);
            assertWorks(none);
        }
    }

    @Test
    void showsItsOwnCertificateToAServerThatAsksForOne() {
        int port = RedisServer.freePort();
        try (RedisServer strict = serverWith(certificate, port, "yes");
                RedisLockProvider nameless = Providers.at("rediss://127.0.0.1:" + port + "?" + trusting());
                RedisLockProvider known = Providers.at("rediss://127.0.0.1:" + port + "?" + trusting() + "&keyStore="
                        + encoded(certificate.store()) + "&keyStorePassword=" + SelfSignedCertificate.PASSWORD)) {
            assertThat(strict.command("PING")).isEqualTo("PONG");
            assertThatThrownBy(Bidder.once(nameless, "a")::granted).isInstanceOf(LockStoreException.class);
            assertWorks(known);
        }
    }

    @Test
    void aPlainClientAtATlsPortFailsClearly() {
        try (RedisLockProvider provider = Providers.at("redis://127.0.0.1:" + tlsPort + "?timeout=500ms")) {
            assertThatThrownBy(Bidder.once(provider, "a")::granted).isInstanceOf(LockStoreException.class);
        }
    }

    @Test
    void closesPromptlyWhileTheServerIsPaused() {
        RedisLockProvider provider = Providers.at("rediss://127.0.0.1:" + tlsPort + "?" + trusting());
        try {
            Bidder.once(provider, "paused").granted();
            Bidder waiter = Bidder.waiting(provider, "paused");
            waiter.granted();
            await().atMost(BOUND).until(() -> waiter.mayBeFree.get() == 1);
            server.pause();

            // TLS says good-bye, for which it takes the time-out of 2 s at most.
            long before = System.nanoTime();
            provider.close();

            assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(5));
        } finally {
            server.resume();
        }
    }
}
