package io.holdfast.parts;

import static io.holdfast.parts.StoreAssertions.assertFails;
import static io.holdfast.parts.Waits.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lock.spi.LockProvider;
import io.holdfast.servers.RedisServer;
import io.holdfast.servers.SelfSignedCertificate;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The TLS tests of all backends that connect to a Redis server by a URI. */
@Tag("server")
public abstract class RedisTlsScene {

    /** Time-outs longer than a handshake takes on a busy machine: a failed subscription would wake nobody. */
    private static final String PATIENT = "?timeout=20s&connectTimeout=20s";

    /** For a handshake that fails: a client may notice only by its time-out. */
    private static final String LESS_PATIENT = "?timeout=5s&connectTimeout=5s";

    @TempDir
    private static Path directory;

    private static SelfSignedCertificate certificate;
    private static RedisServer server;

    /** For the tests of a backend. */
    protected RedisTlsScene() {}

    @BeforeAll
    static void start() throws Exception {
        certificate = SelfSignedCertificate.create(directory, "ip:127.0.0.1");
        server = serverWith(certificate, "no");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    /**
     * The scheme of URIs without TLS; with it, an {@code s} is appended.
     *
     * @return the scheme
     */
    protected abstract String scheme();

    /**
     * Makes a provider as the backend's factory does.
     *
     * @param uri the URI
     * @param properties further parameters
     * @return the provider
     */
    protected abstract LockProvider open(String uri, Map<String, String> properties);

    private LockProvider open(String uri) {
        return open(uri, Map.of());
    }

    private String at(RedisServer place) {
        return at("", place);
    }

    private String at(String user, RedisServer place) {
        return scheme() + "s://" + user + "127.0.0.1:" + place.port("--tls-port") + PATIENT;
    }

    private static RedisServer serverWith(SelfSignedCertificate certificate, String authenticateClients) {
        RedisServer started = RedisServer.startWithTls(certificate, authenticateClients);
        started.command("ACL", "SETUSER", "ann", "on", ">s@c/ret", "~*", "&*", "+@all");
        return started;
    }

    private static String encoded(Path path) {
        return URLEncoder.encode(path.toString(), StandardCharsets.UTF_8);
    }

    private static String trusting(SelfSignedCertificate trusted) {
        return "trustStore=" + encoded(trusted.store()) + "&trustStorePassword=" + SelfSignedCertificate.PASSWORD;
    }

    private static void assertLocksAndWakes(LockProvider provider) {
        // Tests in parallel share the server.
        String name = "lock-" + UUID.randomUUID();
        TestClaim holder = TestClaim.once(provider, name);
        assertThat(holder.granted()).isTrue();
        StoreAssertions.assertReleaseWakes(provider, holder, name);
    }

    @Test
    void locksAndWakesOverTlsWithAUserAndAPassword() {
        try (LockProvider provider = open(at("ann:s%40c%2Fret@", server) + "&" + trusting(certificate))) {
            assertLocksAndWakes(provider);
        }
    }

    @Test
    void acceptsSecretsAsProperties() {
        try (LockProvider provider = open(
                at(server) + "&trustStore=" + encoded(certificate.store()),
                Map.of("user", "ann", "password", "s@c/ret", "trustStorePassword", SelfSignedCertificate.PASSWORD))) {
            assertLocksAndWakes(provider);
        }
    }

    @Test
    void refusesACertificateThatIsNotTrusted() {
        try (LockProvider provider = open(at(server))) {
            assertFails(TestClaim.once(provider, "a")::granted, "TLS failed");
        }
    }

    @Test
    void refusesACertificateForAnotherHost(@TempDir Path elsewhere) throws Exception {
        SelfSignedCertificate other = SelfSignedCertificate.create(elsewhere, "dns:elsewhere.example");
        try (RedisServer impostor = serverWith(other, "no");
                LockProvider full = open(at(impostor).replace(PATIENT, LESS_PATIENT) + "&" + trusting(other))) {
            assertFails(TestClaim.once(full, "a")::granted, "TLS failed");
        }
    }

    /**
     * Overridden where a version of the library cannot verify less.
     *
     * @param elsewhere for a certificate
     * @throws Exception if the certificate cannot be made
     */
    @Test
    protected void verifiesOnlyWhatTheUriDemands(@TempDir Path elsewhere) throws Exception {
        SelfSignedCertificate other = SelfSignedCertificate.create(elsewhere, "dns:elsewhere.example");
        try (RedisServer impostor = serverWith(other, "no");
                LockProvider issuer = open(at(impostor) + "&verify=ca&" + trusting(other));
                LockProvider none = open(at(impostor) + "&verify=none")) {
            assertLocksAndWakes(issuer);
            assertLocksAndWakes(none);
        }
    }

    @Test
    void showsItsOwnCertificateToAServerThatAsksForOne() {
        try (RedisServer strict = serverWith(certificate, "yes");
                LockProvider nameless = open(at(strict).replace(PATIENT, LESS_PATIENT) + "&" + trusting(certificate));
                LockProvider known = open(at(strict) + "&" + trusting(certificate) + "&keyStore="
                        + encoded(certificate.store()) + "&keyStorePassword=" + SelfSignedCertificate.PASSWORD)) {
            assertFails(TestClaim.once(nameless, "a")::granted, "acquire of lock 'a'");
            assertLocksAndWakes(known);
        }
    }

    @Test
    void failsClearlyWithoutTlsAtATlsPort() {
        String plain = scheme() + "://127.0.0.1:" + server.port("--tls-port") + "?timeout=500ms";
        try (LockProvider provider = open(plain)) {
            assertFails(TestClaim.once(provider, "a")::granted, "acquire of lock 'a'");
        }
    }

    @Test
    void closesPromptlyWhileTheServerIsPaused() {
        LockProvider provider = open(at(server).replace("timeout=20s&", "timeout=5s&") + "&" + trusting(certificate));
        try {
            assertThat(TestClaim.once(provider, "paused").granted()).isTrue();
            TestClaim waiter = TestClaim.waiting(provider, "paused");
            assertThat(waiter.granted()).isFalse();
            soon().until(() -> waiter.mayBeFree.get() >= 1);
            server.pause();

            // TLS sends a close_notify, and the paused server does not answer.
            long before = System.nanoTime();
            provider.close();

            assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(15));
        } finally {
            server.resume();
        }
    }
}
