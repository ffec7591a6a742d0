package io.holdfast.lock.redisson;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.redisson.RedissonLockProvider.Layout;
import io.holdfast.lock.redisson.ScriptExecutor.Limits;
import io.holdfast.lock.spi.ConnectionParameters;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.redisson.config.Config;
import org.redisson.config.ConstantDelay;
import org.redisson.config.EqualJitterDelay;
import org.redisson.config.SslVerificationMode;

/** The settings of a URI and its parameters, in the form that Redisson takes. Reads key stores at once; connects at the first use. */
final class RedissonSettings {

    private static final Duration SOONEST_RECONNECT = Duration.ofMillis(50);
    private static final Duration LATEST_RECONNECT = Duration.ofSeconds(2);
    private static final int DEFAULT_POOL_SIZE = 8;
    private static final int MOST_CONNECTIONS = 10_000;
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
        return new RedissonSettings(RedissonAddress.of(uri), parameters);
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
        Optional<String> user = parameters.text("user").or(address.server()::user);
        Optional<String> password = parameters.text("password").or(address.server()::password);
        if (user.isPresent() && password.isEmpty()) {
            // Not shown: a password without its colon looks like a user.
            throw new LockConfigurationException("The Redis user has no password; allowed are"
                    + " redisson://user:password@host, redisson://:password@host without a user, or the property"
                    + " 'password'");
        }
        Config config = new Config();
        // Otherwise making the client connects.
        config.setLazyInitialization(true);
        int poolSize = parameters.integer("poolSize", DEFAULT_POOL_SIZE, 1, MOST_CONNECTIONS);
        config.useSingleServer()
                .setAddress(address.forRedisson())
                .setDatabase(address.database())
                .setClientName(clientName(parameters))
                .setConnectTimeout(millis(connectTimeout))
                .setTimeout(millis(timeout))
                .setSubscriptionTimeout(millis(timeout))
                .setRetryAttempts(0)
                .setConnectionPoolSize(poolSize)
                .setConnectionMinimumIdleSize(1)
                .setSubscriptionConnectionMinimumIdleSize(0)
                .setSubscriptionsPerConnection(SUBSCRIPTIONS);
        addDelays(config);
        user.ifPresent(name -> RedissonVersion.set(config, "setUsername", name));
        password.ifPresent(word -> RedissonVersion.set(config, "setPassword", word));
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

    private static String clientName(ConnectionParameters parameters) {
        String name = parameters.text("clientName").orElse("holdfast");
        if (name.isEmpty() || !name.chars().allMatch(c -> c > ' ' && c <= '~')) {
            throw new LockConfigurationException("The parameter 'clientName' is '" + name
                    + "'; allowed are printable ASCII characters without spaces, at least one");
        }
        return name;
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
        parameters.text(name).ifPresent(path -> {
            RedissonVersion.set(config, setter, file(name, path, password));
            RedissonVersion.set(config, setter + "Password", password);
        });
    }

    /** What is verified of the server's certificate. */
    private enum Verify {
        FULL,
        CA,
        NONE
    }

    /** Opens the store once: Netty would only log a wrong password and close the connection. */
    private static URL file(String parameter, String path, String password) {
        File file = new File(path);
        try {
            KeyStore.getInstance(file, password.toCharArray());
            return file.toURI().toURL();
        } catch (IOException | GeneralSecurityException | IllegalArgumentException unreadable) {
            throw new LockConfigurationException(
                    "The parameter '" + parameter + "' is '" + path
                            + "'; allowed is a key store file that can be read with" + " the parameter '" + parameter
                            + "Password' (" + unreadable.getMessage() + ")",
                    unreadable);
        }
    }

    private static int millis(Duration duration) {
        return Math.toIntExact(duration.toMillis());
    }
}
