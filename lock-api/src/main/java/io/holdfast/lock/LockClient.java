package io.holdfast.lock;

import io.holdfast.lock.engine.ClientSettings;
import io.holdfast.lock.engine.LockEngine;
import io.holdfast.lock.spi.LockProvider;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The way to the locks of one store. Thread-safe; an application needs one. Not meant to be implemented by applications.
 *
 * <pre>{@code
 * try (LockClient client = LockClient.connect("redis://localhost:6379")) {
 *     client.lock("stock:42").run(() -> stock.sellOne());
 * }
 * }</pre>
 */
public interface LockClient extends AutoCloseable {

    /**
     * Opens a client on the store that a URI names. The URI's scheme chooses the backend among those on the class path or
     * module path.
     *
     * @param uri for example {@code redis://localhost:6379} or {@code memory:test}. The parameter {@code lease}, a number
     *     with {@code ms}, {@code s}, {@code m} or {@code h}, sets the default lease time, and {@code handOver}, 0 to 1,000, the
     *     default of {@link LockOptions#withHandOver}; the backend's page names its own parameters. A {@code jdbc:} URL is the
     *     driver's as a whole: there all parameters are set by {@link Builder#property}
     * @return the client
     * @throws LockConfigurationException if the URI or a parameter is wrong, or if there is no backend, or more than one,
     *     for its scheme
     * @throws LockStoreException if the backend cannot reach its store, where it tries to at once
     */
    static LockClient connect(String uri) {
        return builder(uri).build();
    }

    /**
     * Starts to build a client on the store that a URI names.
     *
     * @param uri as for {@link #connect}
     * @return a builder
     */
    static Builder builder(String uri) {
        return new Builder(uri);
    }

    /**
     * Starts to build a client on a provider that the application has made, usually over a store client that it has already.
     *
     * @param provider the provider; closing the client closes it, but not a store client that was given to it
     * @return a builder
     */
    static Builder builder(LockProvider provider) {
        return new Builder(provider);
    }

    /**
     * A lock by its name, with the client's default options.
     *
     * @param name see {@link DistributedLock#requireValidName}
     * @return the lock
     * @throws LockConfigurationException if the name is not allowed
     * @throws UnsupportedCapabilityException if the store cannot do what the default options require
     */
    DistributedLock lock(String name);

    /**
     * A lock by its name.
     *
     * @param name see {@link DistributedLock#requireValidName}
     * @param options how it is to be held
     * @return the lock
     * @throws LockConfigurationException if the name is not allowed
     * @throws UnsupportedCapabilityException if the store cannot do what the options require
     */
    DistributedLock lock(String name, LockOptions options);

    /**
     * A lock over several names, with the client's default options: acquired all or none, under one deadline, always in the
     * same order, so that two such locks never wait for each other in a circle.
     *
     * @param names one or more names; a name that is given twice counts once
     * @return the lock
     * @throws LockConfigurationException if there is no name, or one is not allowed
     * @throws UnsupportedCapabilityException if the store cannot do what the default options require
     */
    MultiLock all(String... names);

    /**
     * A lock over several names: as {@link #all(String...)}, with options for each of them.
     *
     * @param names one or more names; a name that is given twice counts once
     * @param options how each is to be held
     * @return the lock
     * @throws LockConfigurationException if there is no name, or one is not allowed
     * @throws UnsupportedCapabilityException if the store cannot do what the options require
     */
    MultiLock all(Collection<String> names, LockOptions options);

    /**
     * Who holds a lock now: for people and logs, not for decisions.
     *
     * @param name the name of the lock
     * @return the holder; empty if nobody holds it
     * @throws LockConfigurationException if the name is not allowed
     * @throws LockStoreException if the store fails
     * @throws LockClientClosedException if the client is closed
     */
    Optional<LockHolder> holder(String name);

    /**
     * Sends one read to the store and waits for the answer, for the backend's time-out at most: for health checks. No lock is
     * acquired.
     *
     * @throws LockStoreException if the store cannot be reached or does not answer as it should; the message says why
     * @throws LockClientClosedException if the client is closed
     */
    void ping();

    /**
     * A token that none exceeds which the store has given so far, whatever the name of the lock.
     *
     * @return the token; empty if the store has given none
     * @throws UnsupportedCapabilityException if the store has no tokens, or cannot tell
     * @throws LockStoreException if the store fails
     * @throws LockClientClosedException if the client is closed
     */
    Optional<FencingToken> highestToken();

    /**
     * Makes each grant from now on have a greater token than this one, whatever the name of the lock, for all clients and
     * lastingly. For a store that was restored from a backup, and so has forgotten tokens that resources have seen; or that
     * begins where another store ends.
     *
     * @param above the token; nothing happens if the store's tokens are above it anyway
     * @throws UnsupportedCapabilityException if the store has no tokens, or they cannot be raised
     * @throws LockConfigurationException if the store's tokens cannot be so large; nothing was changed
     * @throws LockStoreException if the outcome is unknown; the call may be repeated
     * @throws LockClientClosedException if the client is closed
     */
    void raiseTokens(FencingToken above);

    /**
     * What the store can do.
     *
     * @return the capabilities
     */
    LockCapabilities capabilities();

    /**
     * Ends all waits with {@link LockClientClosedException}, gives up every hold (its {@link LockHandle#lost()} completes
     * with {@link LossCause#CLIENT_CLOSED}), and closes the provider. No connection or timer of the client remains. A
     * thread that is running a callback of the application ends when the callback returns.
     *
     * <p>Waits up to 10 seconds for the store to take back holds and claims, asking again where it fails, then for the provider.
     * An interrupt does not shorten this. Closing again does nothing, but while another thread is closing the client it waits for
     * that.
     *
     * @throws LockStoreException if a hold, or an acquire or a release of unknown outcome, could not be given back: it ends
     *     with its lease. Everything is closed all the same
     */
    @Override
    void close();

    /** Builds a {@link LockClient}. Not thread-safe. */
    final class Builder {
        private final Supplier<LockProvider> provider;
        private final Map<String, String> properties = new LinkedHashMap<>();
        private final List<LockListener> listeners = new ArrayList<>();
        private final boolean byUri;
        private final OptionParameters parameters = new OptionParameters();
        private Optional<LockOptions> defaults = Optional.empty();

        private Builder(String uri) {
            Objects.requireNonNull(uri, "uri");
            ConnectionUri parsed = ConnectionUri.parse(uri);
            parameters.take(parsed.parameters(Map.of()));
            this.provider = () -> ServiceLookup.provider(parsed, properties);
            this.byUri = true;
        }

        private Builder(LockProvider provider) {
            Objects.requireNonNull(provider, "provider");
            this.provider = () -> provider;
            this.byUri = false;
        }

        /**
         * Sets the options of locks that are made without any.
         *
         * @param options the options; they replace the {@code lease} and the {@code handOver} of the URI and of properties, in
         *     whatever order these are set
         * @return this builder
         */
        public Builder defaults(LockOptions options) {
            Objects.requireNonNull(options, "options");
            this.defaults = Optional.of(options);
            return this;
        }

        /**
         * Adds a listener.
         *
         * @param listener hears what happens to the locks of the client
         * @return this builder
         */
        public Builder listener(LockListener listener) {
            Objects.requireNonNull(listener, "listener");
            listeners.add(listener);
            return this;
        }

        /**
         * Sets a connection property that is not to stand in the URI, such as a password. It has the name of a URI parameter,
         * {@code lease}, {@code handOver} or one of the backend's, and wins over it.
         *
         * @param name the name of the property
         * @param value its value, not percent-encoded
         * @return this builder
         * @throws LockConfigurationException if the client is built on a provider, which has its settings already, or if the
         *     property is a {@code lease} or a {@code handOver} that is not allowed; what the backend refuses, {@link #build()}
         *     does
         */
        public Builder property(String name, String value) {
            Objects.requireNonNull(name, "name");
            Objects.requireNonNull(value, "value");
            if (!byUri) {
                throw new LockConfigurationException(
                        "The property '" + name + "' belongs to a URI, but this client is built on a provider");
            }
            parameters.take(name, value);
            properties.put(name, value);
            return this;
        }

        /**
         * Makes the provider of the URI alone, for a provider that is made of others. Whoever gets it closes it.
         *
         * @return the provider
         * @throws LockConfigurationException if the URI or a property is wrong, there is no backend for it, or it has a
         *     {@code lease} or a {@code handOver}, which belong to a client
         * @throws LockStoreException if the store has to be reached at once and cannot be
         */
        public LockProvider buildProvider() {
            parameters.anyGiven().ifPresent(name -> {
                throw new LockConfigurationException("The parameter '" + name
                        + "' belongs to the URI of a client, not to that of a part of its provider");
            });
            return provider.get();
        }

        /**
         * Opens the client.
         *
         * @return the client
         * @throws LockConfigurationException as {@link LockClient#connect} does
         * @throws LockStoreException as {@link LockClient#connect} does
         */
        public LockClient build() {
            ClientSettings settings =
                    new ClientSettings(defaults.orElseGet(parameters::options), List.copyOf(listeners));
            LockEngine engine = ServiceLookup.engine();
            LockProvider opened = provider.get();
            try {
                return engine.open(opened, settings);
            } catch (RuntimeException | Error failed) {
                if (byUri) {
                    closeFor(failed, opened);
                }
                throw failed;
            }
        }

        /** Nobody else knows a provider that was made from a URI. */
        private static void closeFor(Throwable failed, LockProvider opened) {
            try {
                opened.close();
            } catch (RuntimeException failure) {
                failed.addSuppressed(failure);
            }
        }
    }
}
