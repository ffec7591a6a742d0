package io.holdfast.lock.tck.command;

import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.tck.LockHarness;
import io.holdfast.lock.tck.faults.Faults;
import io.holdfast.lock.tck.faults.ServerFaults;
import java.time.Duration;
import java.util.Optional;

/** A live store behind a URI. A proxy stands before it in the tests that need a fault of the network. */
final class UriHarness implements LockHarness {

    private final Store store;
    private final Route route;
    private final Duration lease;
    private final Duration expiryTolerance;
    private final Optional<ServerFaults> faults;

    UriHarness(Store store, Route route, Duration lease, Duration expiryTolerance) {
        this.store = store;
        this.route = route;
        this.lease = lease;
        this.expiryTolerance = expiryTolerance;
        this.faults = route.address()
                .map(address -> new ServerFaults(address.host(), address.port())
                        .losingReplies(route.losesReplyTo())
                        .stallingConnections()
                        .holdingRequests());
    }

    @Override
    public LockProvider open() {
        return store.open(faults.isEmpty() ? store.uri() : at(route.address().orElseThrow(), faults.get()));
    }

    private String at(Address address, ServerFaults way) {
        int port = way.port();
        // Without a proxy the URI stays as it is: a certificate may be for a host's name.
        return port == address.port() ? store.uri() : address.uriAt(way.host(), port);
    }

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
    public boolean decidesByOneRequest() {
        return store.isInThisProcess() || Address.in(store.uri()).isPresent();
    }

    @Override
    public Optional<String> uri() {
        return store.uriForProcesses();
    }

    @Override
    public Faults faults() {
        return new TriedFaults(faults.map(Faults.class::cast).orElse(Faults.none()), route.absences());
    }

    @Override
    public void close() {
        faults.ifPresent(ServerFaults::close);
    }
}
