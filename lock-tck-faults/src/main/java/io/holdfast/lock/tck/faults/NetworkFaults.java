package io.holdfast.lock.tck.faults;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The faults of the network between the providers of a harness and several servers: each hits the ways to all of them. The loss
 * of replies is not among them, as such a provider undoes at once what it could not finish.
 */
public final class NetworkFaults implements Faults {

    private static final String UNDONE = "a provider of several servers undoes at once what it could not finish";

    private final Map<String, String> absences = new ConcurrentHashMap<>(Map.of(
            "lostReplies",
            UNDONE,
            "lostReply",
            UNDONE,
            "stalledConnection",
            "the fault is made for one server alone",
            "errorReplies",
            "the fault is made for one server alone",
            "clockStep",
            ServerFaults.NO_CLOCK));
    private final Supplier<? extends Collection<ServerGate>> ways;

    /**
     * Creates the faults.
     *
     * @param ways gives the ways to all servers; called when a fault is asked for
     */
    public NetworkFaults(Supplier<? extends Collection<ServerGate>> ways) {
        this.ways = ways;
    }

    /**
     * Says why a fault is not offered, for the report.
     *
     * @param fault the name of its method, such as {@code crash}
     * @param because the end of the sentence "skipped, as ..."
     * @return this
     */
    public NetworkFaults without(String fault, String because) {
        absences.put(fault, because);
        return this;
    }

    @Override
    public Optional<String> absence(String fault) {
        return Optional.ofNullable(absences.get(fault));
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
