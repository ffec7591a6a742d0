package io.holdfast.lock.core;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.LockCapabilities;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockNames;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.UnsupportedCapabilityException;
import io.holdfast.lock.spi.ClientSettings;
import io.holdfast.lock.spi.LockProvider;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;

/** A client of one store: makes lock objects, and closes what is behind them. */
final class EngineClient implements LockClient {

    private final Engine engine;
    private final LockOptions defaults;
    private final ThreadHolds threadHolds = new ThreadHolds();
    private final ClientClose close;

    EngineClient(LockProvider provider, ClientSettings settings, ClientIdentity identity, EngineRuntime runtime) {
        this.engine = new Engine(provider, settings, identity, runtime);
        this.defaults = settings.defaults();
        this.close = new ClientClose(engine);
    }

    @Override
    public DistributedLock lock(String name) {
        return lock(name, defaults);
    }

    @Override
    public DistributedLock lock(String name, LockOptions options) {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(options, "options");
        return lockOver(acquirer(name, options), options);
    }

    @Override
    public DistributedLock all(String... names) {
        Objects.requireNonNull(names, "names");
        return all(Arrays.asList(names), defaults);
    }

    @Override
    public DistributedLock all(Collection<String> names, LockOptions options) {
        Objects.requireNonNull(names, "names");
        Objects.requireNonNull(options, "options");
        names.forEach(name -> Objects.requireNonNull(name, "name"));
        if (names.isEmpty()) {
            throw new LockConfigurationException("A lock over several names was given none; allowed are 1 or more");
        }
        List<SingleAcquirer> parts = new TreeSet<>(names)
                .stream().map(name -> acquirer(name, options)).toList();
        return lockOver(new AllAcquirer(parts), options);
    }

    private DistributedLock lockOver(Acquirer acquirer, LockOptions options) {
        return new EngineLock(engine, acquirer, options.owner(), threadHolds);
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
        return new SingleAcquirer(engine, LockNames.requireValid(name), options);
    }

    @Override
    public Optional<LockHolder> holder(String name) {
        Objects.requireNonNull(name, "name");
        engine.requireOpen();
        LockNames.requireValid(name);
        return engine.storeCalls()
                .run("look up the holder of", name, () -> engine.provider().holder(name));
    }

    @Override
    public LockCapabilities capabilities() {
        return engine.provider().capabilities();
    }

    @Override
    public void close() {
        close.run();
    }

    @Override
    public String toString() {
        return "LockClient[" + engine.identity().shortId() + ", " + (engine.isClosed() ? "closed" : "open") + "]";
    }
}
