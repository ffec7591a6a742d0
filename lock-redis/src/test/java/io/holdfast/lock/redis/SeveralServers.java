package io.holdfast.lock.redis;

import io.holdfast.lock.tck.faults.NetworkFaults;
import io.holdfast.lock.tck.faults.ServerGate;
import java.util.Collection;
import java.util.function.Supplier;

/** The faults of the ways to several Redis servers, and why the kit has no faults of these servers. */
final class SeveralServers {

    private static final String SHARED = "all tests share the servers; other tests let one of several fail";

    private SeveralServers() {}

    static NetworkFaults faults(Supplier<? extends Collection<ServerGate>> ways) {
        return new NetworkFaults(ways)
                .without("pause", SHARED)
                .without("crash", SHARED)
                .without("dataLoss", SHARED)
                .without("sessionEnd", "the store has no sessions");
    }
}
