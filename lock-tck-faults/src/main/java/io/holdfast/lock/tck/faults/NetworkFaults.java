package io.holdfast.lock.tck.faults;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The faults of the network between the providers of a harness and several servers: each hits the ways to all of them. The loss of
 * replies is not among them, as such a provider undoes at once what it could not finish.
 */
public final class NetworkFaults implements Faults {

    private final Supplier<? extends Collection<ServerGate>> ways;

    /**
     * Creates the faults.
     *
     * @param ways gives the ways to all servers; called when a fault is asked for
     */
    public NetworkFaults(Supplier<? extends Collection<ServerGate>> ways) {
        this.ways = ways;
    }

    private Fault all(Function<ServerGate, Fault> fault) {
        List<Fault> faults = ways.get().stream().map(fault).toList();
        return new Fault(
                () -> faults.forEach(each -> each.begin().run()),
                () -> faults.forEach(each -> each.end().run()));
    }

    @Override
    public Optional<Fault> outage() {
        return Optional.of(all(ServerGate::outage));
    }

    @Override
    public Optional<Function<Duration, Fault>> slowNetwork() {
        // Makes the proxies now: providers that are opened before the delay is known must lead through them.
        ways.get().forEach(ServerGate::proxy);
        return Optional.of(delay -> all(way -> way.slowNetwork(delay)));
    }

    @Override
    public Optional<Fault> exhaustion() {
        return Optional.of(all(ServerGate::exhaustion));
    }
}
