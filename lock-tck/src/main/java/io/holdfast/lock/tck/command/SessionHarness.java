package io.holdfast.lock.tck.command;

import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.tck.LockHarness;
import io.holdfast.lock.tck.faults.Fault;
import io.holdfast.lock.tck.faults.Faults;
import io.holdfast.lock.tck.faults.MortalProvider;
import io.holdfast.lock.tck.faults.MortalProvider.Death;
import io.holdfast.lock.tck.faults.TcpProxy;
import io.holdfast.lock.tck.faults.TcpProxy.Direction;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A live store that keeps a lock for as long as a session lasts. Each provider has a separate proxy, which can make it look dead.
 */
final class SessionHarness implements LockHarness {

    private final Store store;
    private final Route route;
    private final Duration lease;
    private final Duration expiryTolerance;
    private final Death death;
    private final List<TcpProxy> proxies = new CopyOnWriteArrayList<>();
    private volatile boolean full;

    SessionHarness(Store store, Route route, Duration lease, Duration expiryTolerance, Death death) {
        this.store = store;
        this.route = route;
        this.lease = lease;
        this.expiryTolerance = expiryTolerance;
        this.death = death;
    }

    @Override
    public LockProvider open() {
        Address address = route.address().orElseThrow();
        TcpProxy proxy = TcpProxy.to(address.host(), address.port());
        if (full) {
            proxy.refuse();
        }
        proxies.add(proxy);
        return new MortalProvider(store.open(address.uriAt("127.0.0.1", proxy.port())), proxy, lease, death);
    }

    /** The time-out of the session, which takes the place of every lease. */
    @Override
    public Duration lease() {
        return lease;
    }

    @Override
    public Duration expiryTolerance() {
        return expiryTolerance;
    }

    @Override
    public boolean isDisposable() {
        return store.disposable();
    }

    @Override
    public Optional<String> uri() {
        return store.uriForProcesses();
    }

    @Override
    public Faults faults() {
        return new TriedFaults(new OfProxies(), route.absences());
    }

    @Override
    public void close() {
        proxies.forEach(TcpProxy::close);
    }

    /** The faults of all ways to the store. */
    private final class OfProxies implements Faults {

        private Fault toAll(Consumer<TcpProxy> begin, Consumer<TcpProxy> end) {
            return new Fault(() -> proxies.forEach(begin), () -> proxies.forEach(end));
        }

        @Override
        public Optional<Fault> outage() {
            return Optional.of(toAll(
                    proxy -> {
                        proxy.refuse();
                        proxy.reset();
                    },
                    TcpProxy::accept));
        }

        @Override
        public Optional<Function<Duration, Fault>> slowNetwork() {
            return Optional.of(delay ->
                    toAll(proxy -> proxy.delay(Direction.REPLIES, delay), proxy -> proxy.pass(Direction.REPLIES)));
        }

        @Override
        public Optional<Fault> exhaustion() {
            Fault shut = toAll(TcpProxy::refuse, TcpProxy::accept);
            return Optional.of(new Fault(
                    () -> {
                        full = true;
                        shut.begin().run();
                    },
                    () -> {
                        full = false;
                        shut.end().run();
                    }));
        }

        @Override
        public Optional<Consumer<LockProvider>> sessionEnd() {
            return Faults.ofSessionEnd(lease.plus(expiryTolerance)).sessionEnd();
        }
    }
}
