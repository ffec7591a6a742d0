package io.holdfast.lock.tck.command;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The way from the providers to their store, and the faults that it can have.
 *
 * @param address before which a proxy may stand; empty if the way is direct
 * @param losesReplyTo the requests whose replies the proxy can lose
 * @param absences why the other faults cannot be had, by the names of their methods
 */
record Route(Optional<Address> address, Predicate<String> losesReplyTo, Map<String, String> absences) {

    static final String OUTAGE = "outage";
    static final String LOST_REPLIES = "lostReplies";
    static final String STALLED_CONNECTION = "stalledConnection";
    static final String SLOW_NETWORK = "slowNetwork";
    static final String EXHAUSTION = "exhaustion";
    static final String PAUSE = "pause";

    /** The faults that a proxy can cause. */
    static final List<String> BY_PROXY =
            List.of(OUTAGE, LOST_REPLIES, STALLED_CONNECTION, SLOW_NETWORK, EXHAUSTION, PAUSE);

    private static final Map<String, String> NEVER = Map.of(
            "crash", "the command stops no store that others may use",
            "dataLoss", "the command stops no store that others may use",
            "clockStep", "the command sets no clock",
            "errorReplies", "the command changes no settings of a store",
            "sessionEnd", "the provider declares no sessions");

    /** A way that does everything, as long as nothing else was seen. */
    static Route byProxy(Address address) {
        return new Route(Optional.of(address), request -> true, NEVER);
    }

    /** A way without a proxy. */
    static Route direct(String because) {
        Route route = new Route(Optional.empty(), request -> false, NEVER);
        for (String fault : BY_PROXY) {
            route = route.without(fault, because);
        }
        return route;
    }

    Route without(String fault, String because) {
        Map<String, String> more = new HashMap<>(absences);
        more.put(fault, because);
        return new Route(address, losesReplyTo, Map.copyOf(more));
    }

    Route with(String fault) {
        Map<String, String> fewer = new HashMap<>(absences);
        fewer.remove(fault);
        return new Route(address, losesReplyTo, Map.copyOf(fewer));
    }

    Route losing(Predicate<String> replies) {
        return new Route(address, replies, absences);
    }
}
