package io.holdfast.lock;

import io.holdfast.lock.spi.ConnectionParameters;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The parameters that are the engine's own, for all backends: options of the locks that are made without any. */
final class OptionParameters {

    private static final String LEASE = "lease";
    private static final String HAND_OVER = "handOver";
    private static final Set<String> NAMES = Set.of(LEASE, HAND_OVER);

    private final TreeSet<String> given = new TreeSet<>();
    private LockOptions options = LockOptions.DEFAULTS;

    /** Takes over a property, if it is one of them. It wins over the parameter of the URI. */
    void take(String name, String value) {
        if (NAMES.contains(name)) {
            take(ConnectionParameters.of("", Map.of(name, value)));
        }
    }

    /** Takes over those of a URI. */
    void take(ConnectionParameters parameters) {
        NAMES.stream().filter(name -> parameters.text(name).isPresent()).forEach(given::add);
        options = options.withLeaseTime(
                        parameters.duration(LEASE, options.leaseTime(), LockOptions.MIN_LEASE, LockOptions.MAX_LEASE))
                .withHandOver(parameters.integer(HAND_OVER, options.handOver(), 0, LockOptions.MAX_HAND_OVER));
    }

    /** Whether a pair of a query is one of them. */
    static boolean has(String pair) {
        ConnectionParameters parameters = ConnectionParameters.of(pair, Map.of());
        return NAMES.stream().anyMatch(name -> parameters.text(name).isPresent());
    }

    LockOptions options() {
        return options;
    }

    /** The name of a parameter that was given; empty if none was. */
    Optional<String> anyGiven() {
        return given.stream().findFirst();
    }
}
