package io.holdfast.lock.spi;

import java.net.URI;
import java.util.Set;

/** Makes the provider of a URI. Found by {@link java.util.ServiceLoader}, so it has a public constructor without parameters. */
public interface LockProviderFactory {

    /**
     * The URI schemes that this backend serves.
     *
     * @return the schemes, in lower case
     */
    Set<String> schemes();

    /**
     * Makes a provider that owns its connections, and closes them when it is closed.
     *
     * @param uri the URI as the application gave it, without the engine's own parameters; it may contain a password, so no
     *     message may repeat it
     * @param parameters the parameters of the URI's query and the application's properties; what the backend does not know
     *     it rejects by {@link ConnectionParameters#rejectUnknown()}
     * @return the provider
     * @throws io.holdfast.lock.LockConfigurationException if the URI or a parameter is wrong
     * @throws io.holdfast.lock.LockStoreException if the store has to be reached at once and cannot be
     */
    LockProvider create(URI uri, ConnectionParameters parameters);
}
