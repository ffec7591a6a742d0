package io.holdfast.lock.zookeeper;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.spi.ConnectionParameters;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.data.ACL;

/** The settings of a URI and its parameters, in the form that Curator takes. */
final class ZooKeeperSettings {

    private static final Duration LEAST_SESSION = Duration.ofMillis(100);
    private static final Duration DEFAULT_SESSION = Duration.ofSeconds(30);
    private static final Duration LONGEST_SESSION = Duration.ofHours(1);
    private static final Duration MILLISECOND = Duration.ofMillis(1);
    private static final Duration DEFAULT_CONNECT = Duration.ofSeconds(5);
    private static final Duration TEN_MINUTES = Duration.ofMinutes(10);
    private static final int RETRY_PAUSE_MILLIS = 100;
    private static final int CLOSE_MILLIS = 2_000;

    private final EnsembleAddress address;
    private final Duration sessionTimeout;
    private final Duration connectTimeout;
    private final Optional<String> digest;

    private ZooKeeperSettings(EnsembleAddress address, ConnectionParameters parameters) {
        this.address = address;
        this.sessionTimeout = parameters.duration("sessionTimeout", DEFAULT_SESSION, LEAST_SESSION, LONGEST_SESSION);
        this.connectTimeout = parameters.duration("connectTimeout", DEFAULT_CONNECT, MILLISECOND, TEN_MINUTES);
        this.digest = digest(parameters);
        parameters.rejectLease("sessionTimeout");
        parameters.rejectUnknown();
    }

    static ZooKeeperSettings of(URI uri, ConnectionParameters parameters) {
        Objects.requireNonNull(uri, "uri");
        Objects.requireNonNull(parameters, "parameters");
        return new ZooKeeperSettings(EnsembleAddress.of(uri), parameters);
    }

    private static Optional<String> digest(ConnectionParameters parameters) {
        Optional<String> user = parameters.text("user");
        Optional<String> password = parameters.text("password");
        if (user.isPresent() != password.isPresent()) {
            throw new LockConfigurationException(
                    "Of the parameters 'user' and 'password' there is only one; allowed are both," + " or neither");
        }
        if (user.isPresent() && (user.get().isEmpty() || user.get().indexOf(':') >= 0)) {
            // Not shown: what follows a colon may be a password.
            throw new LockConfigurationException("The parameter 'user' is empty or has a colon;"
                    + " allowed is any text without a colon, of at least one character");
        }
        return user.map(name -> name + ":" + password.orElseThrow());
    }

    ZooKeeperLockProvider open() {
        LibraryVersion.requireSupported();
        ZKClientConfig config = closing();
        CuratorFrameworkFactory.Builder builder = CuratorFrameworkFactory.builder()
                .connectString(address.connectionString())
                .sessionTimeoutMs(Math.toIntExact(sessionTimeout.toMillis()))
                .connectionTimeoutMs(Math.toIntExact(connectTimeout.toMillis()))
                // For what Curator does by itself; the provider's requests are sent once.
                .retryPolicy(new RetryOneTime(RETRY_PAUSE_MILLIS))
                // The URI names the servers. The addresses in their own configuration may be
                // unreachable for this client.
                .ensembleTracker(false)
                .waitForShutdownTimeoutMs(CLOSE_MILLIS)
                // Curator takes a configuration only since 5.2.
                .zookeeperFactory((servers, timeOut, watcher, canBeReadOnly) ->
                        new ZooKeeper(servers, timeOut, watcher, canBeReadOnly, config));
        digest.ifPresent(secret -> builder.authorization("digest", secret.getBytes(StandardCharsets.UTF_8)));
        List<ACL> acl = digest.isPresent() ? Acls.CREATOR : Acls.OPEN;
        CuratorFramework curator = builder.build();
        curator.start();
        return new ZooKeeperLockProvider(new Sessions(curator, true), address.basePath(), acl);
    }

    /**
     * Bounds the close of the client, which otherwise waits for a silent server until the session's time-out. The bound is also
     * waited for if no session has begun. {@code ClientCnxn.disconnect()} would avoid that, but never ends if the answer to the
     * connect arrives meanwhile.
     */
    private ZKClientConfig closing() {
        ZKClientConfig config = new ZKClientConfig();
        config.setProperty(ZKClientConfig.ZOOKEEPER_REQUEST_TIMEOUT, Long.toString(connectTimeout.toMillis()));
        return config;
    }
}
