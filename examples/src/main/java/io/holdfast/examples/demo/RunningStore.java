package io.holdfast.examples.demo;

import java.util.Optional;

/**
 * A lock store on a server that the demo has started.
 *
 * @param uri the URI for {@link io.holdfast.lock.LockClient#connect}
 * @param description what it is and where, for people
 * @param stop stops the server
 * @param incident what happens to it in the middle
 */
record RunningStore(String uri, String description, Runnable stop, Optional<DemoBackend.Incident> incident)
        implements DemoBackend.Store {

    RunningStore(String uri, String description, Runnable stop) {
        this(uri, description, stop, Optional.empty());
    }

    @Override
    public void close() {
        stop.run();
    }
}
