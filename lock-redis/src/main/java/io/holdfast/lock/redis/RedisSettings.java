package io.holdfast.lock.redis;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.redis.RedisAddress.Topology;
import io.holdfast.lock.redis.RedisLockProvider.Layout;
import io.holdfast.lock.spi.ConnectionParameters;
import java.io.File;
import java.net.URI;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;
import redis.clients.jedis.ClientSetInfoConfig;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionPool;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.RedisProtocol;
import redis.clients.jedis.SslOptions;
import redis.clients.jedis.SslVerifyMode;

/** The settings of a URI and its parameters, in the form that Jedis takes. Connects at the first use. */
final class RedisSettings {

    private static final Duration MILLISECOND = Duration.ofMillis(1);
    private static final Duration TEN_MINUTES = Duration.ofMinutes(10);
    private static final Duration TWO_SECONDS = Duration.ofSeconds(2);
    private static final Duration UNUSED_CONNECTION_KEPT = Duration.ofMinutes(1);
    private static final Duration UNUSED_CONNECTIONS_CHECKED = Duration.ofSeconds(30);
    private static final int DEFAULT_POOL_SIZE = 8;
    private static final int MOST_CONNECTIONS = 10_000;
    private static final Pattern PRINTABLE = Pattern.compile("[!-~]+");

    private final RedisAddress address;
    private final Layout layout;
    private final KeySpace keys;
    private final JedisClientConfig client;
    private final GenericObjectPoolConfig<Connection> pool;
    private final Duration failover;

    private RedisSettings(RedisAddress address, ConnectionParameters parameters) {
        this.address = address;
        this.layout = parameters.choice("layout", Layout.HASH);
        this.keys = new KeySpace(parameters.text("prefix").orElse(KeySpace.DEFAULT_PREFIX));
        this.client = client(address, parameters);
        this.pool = pool(parameters);
        this.failover = address.topology() == Topology.SINGLE ? Duration.ZERO : failover(parameters);
        parameters.rejectUnknown();
    }

    static RedisSettings of(URI uri, ConnectionParameters parameters) {
        Objects.requireNonNull(uri, "uri");
        Objects.requireNonNull(parameters, "parameters");
        return new RedisSettings(RedisAddress.of(uri, parameters), parameters);
    }

    RedisLockProvider open(Duration silence) {
        return new RedisLockProvider(runner(), layout, keys, silence);
    }

    private ScriptRunner runner() {
        return switch (address.topology()) {
            case SINGLE -> single();
            case CLUSTER -> cluster();
            case SENTINEL ->
                throw new LockConfigurationException(
                        "The scheme '" + address.topology().scheme() + "' is not served yet; allowed is redis");
        };
    }

    private ScriptRunner single() {
        HostAndPort node =
                new HostAndPort(address.server().host(), address.server().port());
        return PooledScriptRunner.owning(
                new ConnectionPool(node, client, pool), () -> new Connection(node, client), address);
    }

    private ScriptRunner cluster() {
        return ClusterScriptRunner.at(address, client, pool, new FailOverPatience(failover));
    }

    private static JedisClientConfig client(RedisAddress address, ConnectionParameters parameters) {
        DefaultJedisClientConfig.Builder config = DefaultJedisClientConfig.builder()
                // Named, as this sends a HELLO, at which a server that wants a password says so at once.
                .protocol(RedisProtocol.RESP2)
                // Saves a round trip per connection.
                .clientSetInfoConfig(ClientSetInfoConfig.DISABLED)
                .clientName(parameters.text(
                        "clientName", "holdfast", PRINTABLE, "printable ASCII characters without spaces, at least one"))
                .database(address.database())
                .connectionTimeoutMillis(
                        millis(parameters.duration("connectTimeout", TWO_SECONDS, MILLISECOND, TEN_MINUTES)))
                .socketTimeoutMillis(millis(parameters.duration("timeout", TWO_SECONDS, MILLISECOND, TEN_MINUTES)));
        address.server().user().ifPresent(config::user);
        address.server().password().ifPresent(config::password);
        if (address.tls()) {
            config.sslOptions(tls(parameters));
        }
        return config.build();
    }

    private static Duration failover(ConnectionParameters parameters) {
        return parameters.duration("failover", FailOverPatience.DEFAULT, Duration.ZERO, TEN_MINUTES);
    }

    private static SslOptions tls(ConnectionParameters parameters) {
        SslOptions.Builder options = SslOptions.builder()
                .sslVerifyMode(verification(parameters))
                // Jedis 6 has no default.
                .trustStoreType(KeyStore.getDefaultType())
                .keyStoreType(KeyStore.getDefaultType());
        keyStore("trustStore", parameters, options::truststore);
        keyStore("keyStore", parameters, options::keystore);
        return options.build();
    }

    private static void keyStore(String name, ConnectionParameters parameters, BiConsumer<File, char[]> use) {
        String password = parameters.text(name + "Password").orElse("");
        parameters.keyStore(name).ifPresent(file -> use.accept(file, password.toCharArray()));
    }

    private static SslVerifyMode verification(ConnectionParameters parameters) {
        return switch (parameters.choice("verify", Verify.FULL)) {
            case FULL -> SslVerifyMode.FULL;
            case CA -> SslVerifyMode.CA;
            case NONE -> SslVerifyMode.INSECURE;
        };
    }

    /** What is verified of the server's certificate. */
    private enum Verify {
        FULL,
        CA,
        NONE
    }

    private static GenericObjectPoolConfig<Connection> pool(ConnectionParameters parameters) {
        int size = parameters.integer("poolSize", DEFAULT_POOL_SIZE, 1, MOST_CONNECTIONS);
        GenericObjectPoolConfig<Connection> config = new GenericObjectPoolConfig<>();
        config.setMaxTotal(size);
        config.setMaxIdle(size);
        config.setMaxWait(parameters.duration("poolWait", TWO_SECONDS, MILLISECOND, TEN_MINUTES));
        // Unused connections are closed before a firewall or the server's own time-out can break them unnoticed.
        config.setMinEvictableIdleDuration(UNUSED_CONNECTION_KEPT);
        config.setTimeBetweenEvictionRuns(UNUSED_CONNECTIONS_CHECKED);
        config.setNumTestsPerEvictionRun(-1);
        config.setJmxEnabled(false);
        return config;
    }

    private static int millis(Duration duration) {
        return Math.toIntExact(duration.toMillis());
    }
}
