package io.holdfast.lock.zookeeper;

import io.holdfast.lock.spi.ConnectionParameters;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.LockProviderFactory;
import java.net.URI;
import java.util.Set;

/**
 * Makes the providers of {@code zookeeper:} URIs. The form of the URI is
 * {@code zookeeper://host[:port][,host[:port]...][/base/path]}; the page on the ZooKeeper backend has the parameters.
 */
public final class ZooKeeperLockProviderFactory implements LockProviderFactory {

    /** For {@link java.util.ServiceLoader}. */
    public ZooKeeperLockProviderFactory() {}

    @Override
    public Set<String> schemes() {
        return Set.of("zookeeper");
    }

    /** Begins to connect, and does not wait for it: an ensemble that cannot be reached shows at the first use. */
    @Override
    public LockProvider create(URI uri, ConnectionParameters parameters) {
        return ZooKeeperSettings.of(uri, parameters).open();
    }
}
