package io.holdfast.lock.redis;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.redis.RedisAddress.Topology;
import io.holdfast.lock.redis.RedisLockProvider.Layout;
import io.holdfast.lock.spi.ConnectionParameters;
import io.holdfast.lock.spi.ServerAddress;
import java.io.File;
import java.net.URI;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
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
    private static final int MOST_BY_DEFAULT = 8;
    private static final int MOST_CONNECTIONS = 10_000;
    private static final Pattern PRINTABLE = Pattern.compile("[!-~]+");

    private final RedisAddress address;
    private final Layout layout;
    private final KeySpace keys;
    private final Confirmation confirmation;
    private final JedisClientConfig client;
    private final Optional<JedisClientConfig> sentinel;
    private final Duration failover;
    private final GenericObjectPoolConfig<Connection> pool;

    private RedisSettings(RedisAddress address, ConnectionParameters parameters) {
        this.address = address;
        this.layout = parameters.choice("layout", Layout.HASH);
        this.keys = new KeySpace(parameters.text("prefix").orElse(KeySpace.DEFAULT_PREFIX));
        this.client = client(address.server(), address, address.database(), parameters, TWO_SECONDS);
        this.sentinel = sentinel(address, parameters);
        this.failover = address.topology() == Topology.SINGLE ? Duration.ZERO : failover(parameters);
        this.confirmation = new Confirmation(
                parameters.integer("replicas", 0, 0, Confirmation.MOST_REPLICAS),
                parameters.duration(
                        "replicaTimeout", Confirmation.NONE.within(), Confirmation.LEAST_WAIT, Confirmation.MOST_WAIT));
        this.pool = pool(parameters, usualPoolSize(confirmation));
        parameters.rejectUnknown();
    }

    static RedisSettings of(URI uri, ConnectionParameters parameters) {
        Objects.requireNonNull(uri, "uri");
        Objects.requireNonNull(parameters, "parameters");
        return new RedisSettings(RedisAddress.of(uri, parameters), parameters);
    }

    RedisLockProvider open(Duration quietLimit) {
        return new RedisLockProvider(runner(), layout, keys, confirmation, quietLimit);
    }

    private ScriptRunner runner() {
        return switch (address.topology()) {
            case SINGLE -> single();
            case SENTINEL -> sentinels();
            case CLUSTER -> cluster();
            case REDLOCK -> throw new IllegalArgumentException("Redlock has another factory");
        };
    }

    private ScriptRunner single() {
        HostAndPort node = address.nodes().get(0);
        return PooledScriptRunner.owning(
                new ConnectionPool(node, client, pool),
                ConnectionSharing.in(pool),
                () -> new Connection(node, client),
                address);
    }

    private ScriptRunner sentinels() {
        return new PooledScriptRunner(
                new Sentinels(address, sentinel.orElseThrow(), client, pool).connections(),
                RedisFailures.of(address, pool.getMaxTotal(), pool.getMaxWaitDuration()),
                ScriptPipeline.Answering.MASTER,
                new FailOverPatience(failover));
    }

    private ScriptRunner cluster() {
        return ClusterScriptRunner.at(address, client, pool, new FailOverPatience(failover));
    }

    /** How to connect to a sentinel: its user and password are not those of the Redis servers. */
    private static Optional<JedisClientConfig> sentinel(RedisAddress address, ConnectionParameters parameters) {
        if (address.topology() != Topology.SENTINEL) {
            return Optional.empty();
        }
        Optional<String> user = parameters.text("sentinelUser");
        Optional<String> password = parameters.text("sentinelPassword");
        if (user.isPresent() && password.isEmpty()) {
            throw new LockConfigurationException(
                    "The parameter 'sentinelUser' stands without 'sentinelPassword'; allowed are both, the password alone, or none");
        }
        ServerAddress any = address.server();
        return Optional.of(
                client(new ServerAddress(user, password, any.host(), any.port()), address, 0, parameters, TWO_SECONDS));
    }

    /**
     * How to connect.
     *
     * @param timeout the default of both time-outs
     */
    static JedisClientConfig client(
            ServerAddress login,
            RedisAddress address,
            int database,
            ConnectionParameters parameters,
            Duration timeout) {
        DefaultJedisClientConfig.Builder config = DefaultJedisClientConfig.builder()
                // Named, as this sends a HELLO, at which a server that wants a password says so at once.
                .protocol(RedisProtocol.RESP2)
                // Saves a round trip per connection.
                .clientSetInfoConfig(ClientSetInfoConfig.DISABLED)
                .clientName(parameters.text(
                        "clientName", "holdfast", PRINTABLE, "printable ASCII characters without spaces, at least one"))
                .database(database)
                .connectionTimeoutMillis(
                        millis(parameters.duration("connectTimeout", timeout, MILLISECOND, TEN_MINUTES)))
                .socketTimeoutMillis(millis(parameters.duration("timeout", timeout, MILLISECOND, TEN_MINUTES)));
        login.user().ifPresent(config::user);
        login.password().ifPresent(config::password);
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

    /**
     * A connection for each processor, and the one that is left to renewals: with more of them the same threads send fewer calls
     * together, each of which costs client and server more. A grant that waits for replicas keeps its connection, so there it
     * takes more.
     */
    private static int usualPoolSize(Confirmation confirmation) {
        return confirmation.isNeeded()
                ? MOST_BY_DEFAULT
                : Math.min(MOST_BY_DEFAULT, 1 + Runtime.getRuntime().availableProcessors());
    }

    private static GenericObjectPoolConfig<Connection> pool(ConnectionParameters parameters, int usualSize) {
        int size = parameters.integer("poolSize", usualSize, 1, MOST_CONNECTIONS);
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
