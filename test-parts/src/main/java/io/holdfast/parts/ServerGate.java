package io.holdfast.parts;

import io.holdfast.servers.TcpProxy;
import org.jspecify.annotations.Nullable;

/**
 * The way of one test to a server that all tests share. It leads straight to it until the test wants to be able to shut it. Not
 * thread-safe.
 */
public final class ServerGate implements AutoCloseable {

    private final String host;
    private final int port;
    private @Nullable TcpProxy proxy;

    /**
     * Makes a door that leads straight to the server.
     *
     * @param host the address of the server
     * @param port its port
     */
    public ServerGate(String host, int port) {
        this.host = host;
        this.port = port;
    }

    /**
     * Where to connect to.
     *
     * @return the port, on this machine
     */
    public int port() {
        return proxy == null ? port : proxy.port();
    }

    /** From now on {@link #port()} is one that can be shut. */
    public void makeShuttable() {
        if (proxy == null) {
            proxy = TcpProxy.to(host, port);
        }
    }

    /** Breaks all connections, and lets nobody in. */
    public void shut() {
        shuttable().refuse();
        shuttable().reset();
    }

    /** Lets everybody in again. */
    public void open() {
        shuttable().accept();
    }

    private TcpProxy shuttable() {
        if (proxy == null) {
            throw new IllegalStateException("The door was not made shuttable");
        }
        return proxy;
    }

    @Override
    public void close() {
        if (proxy != null) {
            proxy.close();
        }
    }
}
