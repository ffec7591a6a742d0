package io.holdfast.lock.tck.faults;

/**
 * The way by which a store hears that one client lives: by its heartbeats. A {@link TcpProxy} between client and server is one.
 * For a store without a network, such as one in the application's own process, the vendor of the provider writes one.
 * Thread-safe.
 */
public interface Lifeline extends AutoCloseable {

    /** From now on the store hears nothing of the client. The client does not notice. */
    void cut();

    /** From now on the store hears of the client again. */
    void restore();

    /** Breaks the connections of the client, if it has some, so that it notices that its session has ended. */
    void reset();

    /** Ends what this has opened. The client is closed already. */
    @Override
    void close();
}
