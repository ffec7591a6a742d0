package io.holdfast.lock.engine;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.spi.LockProvider;

/**
 * Makes clients out of providers. Found by {@link java.util.ServiceLoader}; the one implementation is in
 * {@code io.holdfast:lock-core}, which every backend brings at run time.
 */
public interface LockEngine {

    /**
     * Opens a client.
     *
     * @param provider the store; the client closes it when it is closed
     * @param settings the client's settings
     * @return the client
     */
    LockClient open(LockProvider provider, ClientSettings settings);
}
