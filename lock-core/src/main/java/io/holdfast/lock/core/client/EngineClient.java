package io.holdfast.lock.core.client;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LockCapabilities;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.MultiLock;
import io.holdfast.lock.UnsupportedCapabilityException;
import io.holdfast.lock.core.claim.ClientIdentity;
import io.holdfast.lock.core.hold.Services;
import io.holdfast.lock.core.local.LocalLocks;
import io.holdfast.lock.core.runtime.EngineRuntime;
import io.holdfast.lock.core.runtime.EventDispatcher;
import io.holdfast.lock.engine.ClientSettings;
import io.holdfast.lock.spi.LockProvider;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Supplier;

/** A client of one store: makes lock objects, and closes what is behind them. */
public final class EngineClient implements LockClient {

    /** The name that a ping asks about: the answer, that nobody holds it or who does, is the store's. */
    private static final String PING = "ping";

    private final Services services;
    private final LocalLocks locks;
    private final LockOptions defaults;
    private final ThreadHolds threadHolds = new ThreadHolds();
    private final ClientClose close;

    /** Opens a client. */
    public EngineClient(
            LockProvider provider, ClientSettings settings, ClientIdentity identity, EngineRuntime runtime) {
        EngineRuntime reliable = runtime.reliable();
        EventDispatcher events = new EventDispatcher(settings.listeners(), reliable.callbacks());
        this.services = Services.of(provider, identity, reliable, events);
        this.locks = new LocalLocks(services);
        this.defaults = settings.defaults();
        this.close = new ClientClose(services, locks);
    }

    @Override
    public DistributedLock lock(String name) {
        return lock(name, defaults);
    }

    @Override
    public DistributedLock lock(String name, LockOptions options) {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(options, "options");
        return new NamedLock(services, acquirer(name, options), options.owner(), threadHolds);
    }

    @Override
    public MultiLock all(String... names) {
        Objects.requireNonNull(names, "names");
        return all(Arrays.asList(names), defaults);
    }

    @Override
    public MultiLock all(Collection<String> names, LockOptions options) {
        Objects.requireNonNull(names, "names");
        Objects.requireNonNull(options, "options");
        names.forEach(name -> Objects.requireNonNull(name, "name"));
        if (names.isEmpty()) {
            throw new LockConfigurationException("A lock over several names was given none; allowed are 1 or more");
        }
        List<SingleAcquirer> parts = new TreeSet<>(names)
                .stream().map(name -> acquirer(name, options)).toList();
        return new AllLock(services, new AllAcquirer(services, parts), options.owner(), threadHolds);
    }

    private SingleAcquirer acquirer(String name, LockOptions options) {
        LockCapabilities store = capabilities();
        if (store.fencing().compareTo(options.requiredFencing()) < 0) {
            throw new UnsupportedCapabilityException("The lock '" + name + "' requires fencing "
                    + options.requiredFencing() + ", but its store offers " + store.fencing());
        }
        if (store.ordering().compareTo(options.requiredOrdering()) < 0) {
            throw new UnsupportedCapabilityException("The lock '" + name + "' requires ordering "
                    + options.requiredOrdering() + ", but its store offers " + store.ordering());
        }
        return new SingleAcquirer(services, locks, DistributedLock.requireValidName(name), options);
    }

    @Override
    public Optional<LockHolder> holder(String name) {
        Objects.requireNonNull(name, "name");
        locks.requireOpen();
        DistributedLock.requireValidName(name);
        return services.storeCalls()
                .run("look up the holder of", name, () -> services.provider().holder(name));
    }

    @Override
    public void ping() {
        Optional<LockHolder> unused = holder(PING);
    }

    @Override
    public Optional<FencingToken> highestToken() {
        long highest = onStore("look up the highest token", services.provider()::highestToken);
        return highest > 0 ? Optional.of(new FencingToken(highest)) : Optional.empty();
    }

    @Override
    public void raiseTokens(FencingToken above) {
        Objects.requireNonNull(above, "above");
        onStore("raise the tokens", () -> {
            services.provider().raiseTokens(above.value());
            return above;
        });
    }

    private <T> T onStore(String what, Supplier<T> call) {
        locks.requireOpen();
        return services.storeCalls().run(what, call);
    }

    @Override
    public LockCapabilities capabilities() {
        return services.provider().capabilities();
    }

    @Override
    public void close() {
        close.run();
    }

    @Override
    public String toString() {
        return "LockClient[" + services.identity().shortId() + ", " + (locks.isClosed() ? "closed" : "open") + "]";
    }
}
