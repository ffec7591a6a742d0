package io.holdfast.lock.tck.command;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.tck.LockHarness;
import io.holdfast.lock.tck.faults.MortalProvider.Death;
import java.util.Optional;

/**
 * Where the tests run: makes a harness for each.
 *
 * @param pace how the store is measured
 * @param route how it is reached
 */
record Testbed(StorePace pace, Route route) {

    private static final String ONE_CONNECTION = "a session has one connection";
    private static final String HEARTBEATS =
            "the requests of a session, which a pause would hold, are its heartbeats, too";

    /** Finds out how the store can be reached. */
    static Testbed of(Options options, StorePace pace) {
        Route widest = widest(options, pace);
        if (widest.address().isEmpty()) {
            return new Testbed(pace, widest);
        }
        Trials trials = new Trials(route -> new Testbed(pace, route).harness(Death.AFTER_ITS_GRANT), pace.lease());
        return new Testbed(pace, trials.over(widest)).withProxyForSessions();
    }

    private static Route widest(Options options, StorePace pace) {
        Optional<Address> address = Address.in(pace.store().uri());
        if (pace.sessions()) {
            // Without a word on --direct: there is no way without a proxy.
            return address.map(Route::byProxy)
                    .map(route -> route.without(Route.LOST_REPLIES, ONE_CONNECTION)
                            .without(Route.STALLED_CONNECTION, ONE_CONNECTION)
                            .without(Route.PAUSE, HEARTBEATS)
                            .with("sessionEnd"))
                    .orElseThrow(() -> noProxy(Address.absence(pace.store().uri())));
        }
        if (options.direct()) {
            return Route.direct("--direct was given");
        }
        if (pace.store().isInThisProcess()) {
            return Route.direct("no network leads to a store in this process");
        }
        return address.map(Route::byProxy)
                .orElseGet(() -> Route.direct(Address.absence(pace.store().uri())));
    }

    private Testbed withProxyForSessions() {
        if (pace.sessions() && route.address().isEmpty()) {
            throw noProxy(route.absences().getOrDefault(Route.OUTAGE, ""));
        }
        return this;
    }

    static LockConfigurationException noProxy(String because) {
        return new LockConfigurationException(
                "The provider keeps locks by sessions, which the kit ends by a proxy, but " + because
                        + "; allowed is the URI of one server, with its port."
                        + " A store without a network is tested by JUnit, with a Lifeline");
    }

    /**
     * Makes a harness.
     *
     * @param death when a provider of a session store looks dead
     */
    LockHarness harness(Death death) {
        return pace.sessions()
                ? new SessionHarness(pace.store(), route, pace.lease(), pace.tolerance(), death)
                : new UriHarness(pace.store(), route, pace.lease(), pace.tolerance());
    }
}
