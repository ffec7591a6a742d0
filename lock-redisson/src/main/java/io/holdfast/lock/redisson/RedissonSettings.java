package io.holdfast.lock.redisson;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.redisson.RedissonLockProvider.Layout;
import io.holdfast.lock.redisson.ScriptExecutor.Limits;
import io.holdfast.lock.spi.ConnectionParameters;
import java.io.File;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.time.Duration;
import java.util.Objects;
import java.util.regex.Pattern;
import org.redisson.config.Config;
import org.redisson.config.ConstantDelay;
import org.redisson.config.EqualJitterDelay;
import org.redisson.config.SslVerificationMode;

/**
 * The settings of a URI and its parameters, in the form that Redisson takes. Reads key stores at once; connects at the first use.
 */
final class RedissonSettings {

    private static final Duration SOONEST_RECONNECT = Duration.ofMillis(50);
    private static final Duration LATEST_RECONNECT = Duration.ofSeconds(2);
    private static final int DEFAULT_POOL_SIZE = 8;
    private static final int MOST_CONNECTIONS = 10_000;
    private static final Pattern PRINTABLE = Pattern.compile("[!-~]+");
    /** Subscriptions per connection. */
    private static final int SUBSCRIPTIONS = 1_000;

    private final RedissonAddress address;
    private final Layout layout;
    private final Duration timeout;
    private final Duration connectTimeout;
    private final Config config;

    private RedissonSettings(RedissonAddress address, ConnectionParameters parameters) {
        this.address = address;
        this.layout = parameters.choice("layout", Layout.LOCK);
        this.timeout =
                parameters.duration("timeout", Limits.DEFAULT_TIMEOUT, Limits.LEAST_TIMEOUT, Limits.MOST_TIMEOUT);
        this.connectTimeout = parameters.duration(
                "connectTimeout", Limits.DEFAULT_TIMEOUT, Limits.LEAST_TIMEOUT, Limits.MOST_TIMEOUT);
        this.config = config(parameters);
        parameters.rejectUnknown();
    }

    static RedissonSettings of(URI uri, ConnectionParameters parameters) {
        Objects.requireNonNull(uri, "uri");
        Objects.requireNonNull(parameters, "parameters");
        return new RedissonSettings(RedissonAddress.of(uri, parameters), parameters);
    }

    RedissonLockProvider open() {
        return RedissonLockProvider.owning(
                OwnClient.create(config),
                layout,
                new Limits(
                        connectTimeout,
                        timeout,
                        new RedissonFailures(
                                "Redisson at " + address,
                                address.tls()
                                        ? "; if the server speaks no TLS on this port, use redisson://"
                                        : "; if the server speaks TLS on this port, use redissons://")));
    }

    private Config config(ConnectionParameters parameters) {
        Config config = new Config();
        // Otherwise making the client connects.
        config.setLazyInitialization(true);
        int poolSize = parameters.integer("poolSize", DEFAULT_POOL_SIZE, 1, MOST_CONNECTIONS);
        config.useSingleServer()
                .setAddress(address.forRedisson())
                .setDatabase(address.database())
                .setClientName(parameters.text(
                        "clientName", "holdfast", PRINTABLE, "printable ASCII characters without spaces, at least one"))
                .setConnectTimeout(millis(connectTimeout))
                .setTimeout(millis(timeout))
                .setSubscriptionTimeout(millis(timeout))
                .setRetryAttempts(0)
                .setConnectionPoolSize(poolSize)
                .setConnectionMinimumIdleSize(1)
                .setSubscriptionConnectionMinimumIdleSize(0)
                .setSubscriptionsPerConnection(SUBSCRIPTIONS);
        addDelays(config);
        address.server().user().ifPresent(name -> RedissonVersion.set(config, "setUsername", name));
        address.server().password().ifPresent(word -> RedissonVersion.set(config, "setPassword", word));
        if (address.tls()) {
            addTls(config, parameters);
        }
        return config;
    }

    private void addDelays(Config config) {
        // No call is repeated, so this only bounds the connection of a subscription.
        Duration subscription = connectTimeout.plus(timeout);
        if (RedissonVersion.has("ConstantDelay")) {
            RedissonVersion.set(config, "setRetryDelay", new ConstantDelay(subscription));
            RedissonVersion.set(
                    config, "setReconnectionDelay", new EqualJitterDelay(SOONEST_RECONNECT, LATEST_RECONNECT));
        } else {
            RedissonVersion.set(config, "setRetryInterval", millis(subscription));
        }
    }

    private static void addTls(Config config, ConnectionParameters parameters) {
        Verify verify = parameters.choice("verify", Verify.FULL);
        if (verify != Verify.FULL && !RedissonVersion.has("SslVerificationMode")) {
            throw new LockConfigurationException("The parameter 'verify' is '"
                    + parameters.text("verify").orElse("") + "'; allowed is full with Redisson "
                    + RedissonVersion.found() + ", and more from 3.41 on");
        }
        if (verify != Verify.FULL) {
            SslVerificationMode mode = verify == Verify.CA ? SslVerificationMode.CA_ONLY : SslVerificationMode.NONE;
            RedissonVersion.set(config, "setSslVerificationMode", mode);
        }
        addStore(config, parameters, "trustStore", "setSslTruststore");
        addStore(config, parameters, "keyStore", "setSslKeystore");
    }

    private static void addStore(Config config, ConnectionParameters parameters, String name, String setter) {
        String password = parameters.text(name + "Password").orElse("");
        parameters.keyStore(name).ifPresent(file -> {
            RedissonVersion.set(config, setter, url(file));
            RedissonVersion.set(config, setter + "Password", password);
        });
    }

    private static URL url(File file) {
        try {
            return file.toURI().toURL();
        } catch (MalformedURLException impossible) {
            throw new IllegalStateException("Every Java platform knows file URLs", impossible);
        }
    }

    /** What is verified of the server's certificate. */
    private enum Verify {
        FULL,
        CA,
        NONE
    }

    private static int millis(Duration duration) {
        return Math.toIntExact(duration.toMillis());
    }
}
