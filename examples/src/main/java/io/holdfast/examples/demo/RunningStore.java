package io.holdfast.examples.demo;

import java.util.Optional;

/**
 * A lock store on a server that the demo has started.
 *
 * @param uri the URI for {@link io.holdfast.lock.LockClient#connect}
 * @param description what it is and where, for people
 * @param stop stops the server
 * @param mishap what happens to it half-way through the sale
 */
record RunningStore(String uri, String description, Runnable stop, Optional<Mishap> mishap)
        implements DemoBackend.Store {

    /** One that nothing happens to. */
    RunningStore(String uri, String description, Runnable stop) {
        this(uri, description, stop, Optional.empty());
    }

    @Override
    public void close() {
        stop.run();
    }
}
