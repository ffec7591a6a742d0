package io.holdfast.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.ClientSettings;
import io.holdfast.lock.spi.ConnectionParameters;
import io.holdfast.lock.spi.LockEngine;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.LockProviderFactory;
import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServiceLookupTest {

    @TempDir
    private Path services;

    @Test
    void withoutAnEngineTheArtifactIsNamed() {
        assertThatThrownBy(() -> with(List.of(), List.of(RedisFactory.class), () -> LockClient.connect("redis://h")))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("io.holdfast:lock-core");
    }

    @Test
    void withoutABackendTheArtifactAndTheKnownSchemesAreNamed() {
        assertThatThrownBy(() -> with(
                        List.of(Engine.class),
                        List.of(RedisFactory.class),
                        () -> LockClient.connect("zookeeper://user:s3cret@h")))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("'zookeeper'")
                .hasMessageContaining("add the artifact io.holdfast:lock-zookeeper")
                .hasMessageContaining("the schemes on the class path are redis")
                .hasMessageNotContaining("s3cret");
    }

    @Test
    void aSchemeThatNobodyKnowsIsNamed() {
        assertThatThrownBy(() -> with(List.of(Engine.class), List.of(), () -> LockClient.connect("redsi://h")))
                .isInstanceOf(LockConfigurationException.class)
                .hasMessageContaining("'redsi'")
                .hasMessageContaining("check its spelling")
                .hasMessageContaining("the schemes on the class path are none");
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

    /** A backend that remembers what it was given. */
    public static class RedisFactory implements LockProviderFactory {
        private static URI lastUri;
        private static Optional<String> lastPassword;

        @Override
        public Set<String> schemes() {
            return Set.of("redis");
        }

        @Override
        public LockProvider create(URI uri, ConnectionParameters parameters) {
            lastUri = uri;
            lastPassword = parameters.text("password");
            return new NoStore();
        }
    }

    /** Another backend for the same scheme. */
    public static final class SecondRedisFactory extends RedisFactory {}

    private static final class NoStore implements LockProvider {
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
        public void close() {}
    }
}
