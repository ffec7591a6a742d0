package io.holdfast.lock.tck.faults;

/** The server of a store, as a process of this machine that can be paused and killed. Not thread-safe. */
public interface StoreServer extends AutoCloseable {

    /**
     * The address that the server listens on.
     *
     * @return the address
     */
    String host();

    /**
     * The port, the same after a restart.
     *
     * @return the port
     */
    int port();

    /** Stops the server where it is (SIGSTOP): connections stay open, nothing is answered. */
    void pause();

    /** Lets a paused server go on (SIGCONT). */
    void resume();

    /** Ends the server at once (SIGKILL), as a crash would. */
    void kill();

    /** Starts the server again with its data, killing it first if it runs, and returns when it takes connections. */
    void restart();

    /**
     * As {@link #restart}, without its data.
     *
     * @throws UnsupportedOperationException unless overridden
     */
    default void restartWithoutData() {
        throw new UnsupportedOperationException("This server always keeps its data");
    }

    /**
     * Has the server answer each request that would change something with an error, and returns when it does.
     *
     * @param kind of error, by a name of the server's own
     * @throws UnsupportedOperationException unless overridden
     */
    default void refuseChanges(String kind) {
        throw new UnsupportedOperationException("This server takes all changes");
    }

    /**
     * Ends what {@link #refuseChanges} has begun, and returns when changes are taken again.
     *
     * @param kind of error
     * @throws UnsupportedOperationException unless overridden
     */
    default void takeChanges(String kind) {
        throw new UnsupportedOperationException("This server takes all changes");
    }

    /** Ends the server and removes its data. */
    @Override
    void close();
}
