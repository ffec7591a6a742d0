package io.holdfast.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.engine.ClientSettings;
import io.holdfast.lock.engine.LockEngine;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.ConnectionParameters;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.LockProviderFactory;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ServiceLookupTest {

    @TempDir
    private Path services;

    @Test
    void withoutAnEngineTheArtifactIsNamed() {
        assertThatThrownBy(() -> with(List.of(), List.of(RedisFactory.class), () -> LockClient.connect("redis://h")))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("io.holdfast:lock-core");
    }

    /** As in a plug-in container whose loader has another copy of this library: its services are not this copy's. */
    @Test
    void servicesOfAnotherCopyOfTheLibraryAreLeftAlone() {
        assertThatThrownBy(() -> with(List.of(), List.of(), () -> {
                    offer(LockEngine.class, List.of(String.class));
                    return LockClient.connect("redis://h");
                }))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("io.holdfast:lock-core");
    }

    @Test
    void aProviderWhoseClientCannotBeOpenedIsClosed() {
        assertThatThrownBy(() -> with(
                        List.of(BrokenEngine.class),
                        List.of(RedisFactory.class),
                        () -> LockClient.connect("redis://h")))
                .isInstanceOf(LinkageError.class);

        assertThat(RedisFactory.lastMade.closed).isTrue();
    }

    @Test
    void withoutABackendTheArtifactAndTheKnownSchemesAreNamed() {
        assertThatThrownBy(() -> with(
                        List.of(Engine.class), List.of(RedisFactory.class), () -> LockClient.connect("Rediss://h")))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("'rediss'")
                .hasMessageContaining("add the artifact io.holdfast:lock-redis;")
                .hasMessageContaining("the schemes on the class path are redis");
    }

    @Test
    void everyArtifactThatIsNamedExists() throws IOException {
        String modules = Files.readString(Path.of("..", "pom.xml"));

        assertThat(ServiceLookup.ARTIFACTS)
                .isNotEmpty()
                .allSatisfy((scheme, artifact) -> assertThat(modules).contains("<module>" + artifact + "</module>"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "redsi://user:s3cr3t@h",
                "redsi:user:s3cr3t@h",
                "redsi:s3cr3t@h",
                "user:s3cr3t@h",
                "user:s3cr3t@h:6379/0",
                "user:s3cr3t",
                "s3cr3t@h",
                ":s3cr3t@h",
                "//user:s3cr3t@h",
                " redsi://user:s3cr3t@h",
                "redsi//user:s3cr3t@h",
                "redsi:/user:s3cr3t@h",
                "redsi:///user:s3cr3t@h",
                "REDSI://USER:s3cr3t@H",
                "redsi://user:s3cr3t",
                "redsi://user:s3cr3t:6379",
                "redsi://user:s3cr3t^",
                "redsi://s3cr3t@h",
                "redsi://:s3cr3t@h",
                "redsi://user:s3cr3t@",
                "redsi://user:x?s3cr3t@h",
                "redsi://user:x?s3cr3t=@h",
                "redsi://user:x?s3cr3t==@h",
                "redsi://user:x?a=s3cr3t@h",
                "redsi://user:x?lease=s3cr3t@h",
                "redsi://user:x#s3cr3t@h",
                "redsi://user:x#s3cr3t?lease=5s",
                "redsi://user:x/s3cr3t@h",
                "redsi://user:x//s3cr3t@h",
                "redsi://user:x@s3cr3t@h",
                "redsi://user:x:s3cr3t@h",
                "redsi://user:x s3cr3t@h",
                "redsi://user:s3cr3t%zz@h",
                "redsi://user:s3cr3t%ff@h",
                "redsi://user:s3cr3t%@h",
                "redsi://user:x\ns3cr3t@h",
                "redsi://h?password=s3cr3t",
                "redsi://h?user=a&password=s3cr3t",
                "redsi://h?%70assword=s3cr3t&x=^",
                "redsi://h?key=s3cr3t&x=a b",
                "redsi://h?password=a@s3cr3t",
                "redsi://h?password=s3cr3t&password=s3cr3t",
                "redsi://h?password=s3cr3t%zz",
                "redsi://h?password=s3cr3t%ff",
                "redsi://h?password=x&s3cr3t",
                "redsi://h?lease=5s&lease=s3cr3t%",
                "jdbc:postgresql://u:s3cr3t@h/db?password=s3cr3t",
                "jdbc:postgresql://h/db?user=u&password=s3cr3t&x=^",
                "jdbc:oracle:thin:scott/s3cr3t@h:1521/x",
                "jdbc:sqlserver://h;user=u;password=s3cr3t",
                "jdbc:sqlserver://h;password={s3cr3t}",
                "jdbc:h2:mem:x;PASSWORD=s3cr3t;y=^",
            })
    void noFormOfAUriShowsItsPassword(String uri) {
        assertThatThrownBy(() -> with(List.of(Engine.class), List.of(), () -> LockClient.connect(uri)))
                .isInstanceOf(LockConfigurationException.class)
                .satisfies(failure -> assertThat(allTexts(failure)).doesNotContain("s3cr3t"));
    }

    /** What a log would show: the failure, its causes, and what was suppressed. */
    private static String allTexts(Throwable failure) {
        StringWriter texts = new StringWriter();
        failure.printStackTrace(new PrintWriter(texts, true));
        return texts.toString();
    }

    @Test
    void aBuilderAndItsUriShowNoPassword() {
        assertThat(LockClient.builder("redis://user:s3cr3t@h").property("password", "s3cr3t"))
                .asString()
                .doesNotContain("s3cr3t");
        assertThat(ConnectionUri.parse("redis://user:s3cr3t@h?password=s3cr3t")).hasToString("redis://***@h?***");
        assertThat(ConnectionUri.parse("redis://h?password=s3cr3t").parameters(Map.of("user", "s3cr3t")))
                .asString()
                .doesNotContain("s3cr3t");
    }

    @Test
    void aSchemeThatNobodyKnowsIsNamed() {
        assertThatThrownBy(() -> with(List.of(Engine.class), List.of(), () -> LockClient.connect("redsi://h")))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("'redsi'")
                .hasMessageContaining(
                        "the schemes on the class path are none; io.holdfast:lock-core has memory, migrate;"
                                + " io.holdfast:lock-jdbc has jdbc, jpa;")
                .hasMessageEndingWith("; io.holdfast:lock-zookeeper has zookeeper")
                .hasMessageNotContaining("add the artifact");
    }

    @Test
    void eachSchemeIsNamedOnce() {
        assertThatThrownBy(() ->
                        with(List.of(Engine.class), List.of(RedisFactory.class), () -> LockClient.connect("redsi://h")))
                .hasMessageContaining("the schemes on the class path are redis; ")
                .hasMessageContaining("; io.holdfast:lock-redis has redis-cluster, redis-sentinel, rediss,");
    }

    @Test
    void twoBackendsForOneSchemeAreNamed() {
        assertThatThrownBy(() -> with(
                        List.of(Engine.class),
                        List.of(RedisFactory.class, SecondRedisFactory.class),
                        () -> LockClient.connect("redis://h")))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("several backends for the scheme 'redis'")
                .hasMessageContaining(RedisFactory.class.getName())
                .hasMessageContaining(SecondRedisFactory.class.getName());
    }

    @Test
    void twoEnginesAreNamed() {
        assertThatThrownBy(() -> with(
                        List.of(Engine.class, SecondEngine.class),
                        List.of(RedisFactory.class),
                        () -> LockClient.connect("redis://h")))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining(Engine.class.getName())
                .hasMessageContaining(SecondEngine.class.getName());
    }

    @Test
    void theSchemeIsNotCaseSensitiveAndTheBackendGetsItsUriAndParameters() throws Exception {
        with(
                List.of(Engine.class),
                List.of(RedisFactory.class),
                () -> LockClient.builder("REDIS://h/1?lease=7s&a=b")
                        .property("password", "p")
                        .build());

        assertThat(RedisFactory.lastUri).isEqualTo(URI.create("REDIS://h/1?a=b"));
        assertThat(RedisFactory.lastPassword).contains("p");
        assertThat(Engine.lastSettings.defaults().leaseTime()).hasSeconds(7);
    }

    @Test
    void theLeaseOfAPropertyWinsOverThatOfTheUri() throws Exception {
        assertThat(defaults(LockClient.builder("redis://h?lease=7s").property("lease", "5s"))
                        .leaseTime())
                .hasSeconds(5);
        assertThat(defaults(LockClient.builder("redis://h").property("lease", "5s"))
                        .leaseTime())
                .hasSeconds(5);
        assertThat(RedisFactory.lastLease).contains("5s");
    }

    @Test
    void theHandOverOfAPropertyWinsOverThatOfTheUriAndChangesNothingElse() throws Exception {
        assertThat(defaults(LockClient.builder("redis://h?handOver=7&lease=9s").property("handOver", "0")))
                .isEqualTo(LockOptions.DEFAULTS
                        .withLeaseTime(Duration.ofSeconds(9))
                        .withHandOver(0));
        assertThat(defaults(LockClient.builder("redis://h?handOver=1000")).handOver())
                .isEqualTo(1_000);
    }

    @Test
    void optionsThatAreSetWinOverEveryLeaseWheneverTheyAreSet() throws Exception {
        LockOptions options = LockOptions.DEFAULTS.withLeaseTime(Duration.ofSeconds(9));

        assertThat(defaults(LockClient.builder("redis://h?lease=7s")
                        .defaults(options)
                        .property("lease", "5s")))
                .isEqualTo(options);
        assertThat(defaults(LockClient.builder("redis://h?lease=7s")
                        .property("lease", "5s")
                        .defaults(options)))
                .isEqualTo(options);
        assertThat(defaults(LockClient.builder("redis://h"))).isEqualTo(LockOptions.DEFAULTS);
    }

    private LockOptions defaults(LockClient.Builder builder) throws Exception {
        with(List.of(Engine.class), List.of(RedisFactory.class), builder::build);
        return Engine.lastSettings.defaults();
    }

    @Test
    void aPropertyWithoutAUriIsRefused() {
        assertThatThrownBy(() -> LockClient.builder(new NoStore()).property("password", "s3cret"))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("'password'")
                .hasMessageNotContaining("s3cret");
    }

    /** Runs something on a class path that offers these services and no others. */
    private <T> T with(
            List<Class<? extends LockEngine>> engines,
            List<Class<? extends LockProviderFactory>> factories,
            Callable<T> action)
            throws Exception {
        offer(LockEngine.class, engines);
        offer(LockProviderFactory.class, factories);
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {services.toUri().toURL()}, before)) {
            thread.setContextClassLoader(loader);
            return action.call();
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private void offer(Class<?> service, List<? extends Class<?>> classes) throws IOException {
        Path directory = Files.createDirectories(services.resolve("META-INF/services"));
        Files.write(
                directory.resolve(service.getName()),
                classes.stream().map(Class::getName).toList());
    }

    /** An engine that remembers what it was opened with. */
    public static class Engine implements LockEngine {
        private static ClientSettings lastSettings;

        @Override
        public LockClient open(LockProvider provider, ClientSettings settings) {
            lastSettings = settings;
            return null;
        }
    }

    /** Another engine. */
    public static final class SecondEngine extends Engine {}

    /** An engine that lacks a class. */
    public static final class BrokenEngine implements LockEngine {
        @Override
        public LockClient open(LockProvider provider, ClientSettings settings) {
            throw new LinkageError("planted");
        }
    }

    /** A backend that remembers what it was given. */
    public static class RedisFactory implements LockProviderFactory {
        private static URI lastUri;
        private static Optional<String> lastPassword;
        private static Optional<String> lastLease;
        private static NoStore lastMade;

        @Override
        public Set<String> schemes() {
            return Set.of("redis");
        }

        @Override
        public LockProvider create(URI uri, ConnectionParameters parameters) {
            lastUri = uri;
            lastPassword = parameters.text("password");
            lastLease = parameters.text("lease");
            lastMade = new NoStore();
            return lastMade;
        }
    }

    /** Another backend for the same scheme. */
    public static final class SecondRedisFactory extends RedisFactory {}

    static final class NoStore implements LockProvider {
        private boolean closed;

        @Override
        public LockCapabilities capabilities() {
            return LockCapabilities.BASIC;
        }

        @Override
        public Claim newClaim(ClaimRequest request, ClaimSignals signals) {
            throw new LockStoreException("There is no store");
        }

        @Override
        public Optional<LockHolder> holder(String name) {
            return Optional.empty();
        }

        @Override
        public void close() {
            closed = true;
        }
    }
}
