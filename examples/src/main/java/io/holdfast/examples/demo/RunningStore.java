package io.holdfast.examples.demo;

/**
 * A lock store on a server that the demo has started.
 *
 * @param uri the URI for {@link io.holdfast.lock.LockClient#connect}
 * @param description what it is and where, for people
 * @param stop stops the server
 */
record RunningStore(String uri, String description, Runnable stop) implements DemoBackend.Store {

    @Override
    public void close() {
        stop.run();
    }
}
