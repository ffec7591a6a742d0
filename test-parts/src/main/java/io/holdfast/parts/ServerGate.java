package io.holdfast.parts;

import io.holdfast.servers.TcpProxy;
import org.jspecify.annotations.Nullable;

/**
 * The connection of one test to a server that all tests share: direct, or by a proxy that the test can shut. Not thread-safe.
 */
public final class ServerGate implements AutoCloseable {

    private final String host;
    private final int port;
    private @Nullable TcpProxy proxy;

    /**
     * Creates a direct connection.
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

    /** From now on {@link #port()} is that of a proxy that can be shut. */
    public void makeShuttable() {
        if (proxy == null) {
            proxy = TcpProxy.to(host, port);
        }
    }

    /** Breaks all connections and refuses new ones. */
    public void shut() {
        shuttable().refuse();
        shuttable().reset();
    }

    /** Accepts connections again. */
    public void open() {
        shuttable().accept();
    }

    private TcpProxy shuttable() {
        if (proxy == null) {
            throw new IllegalStateException("makeShuttable() was not called");
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
