package io.holdfast.lock.tck.faults;

import java.time.Duration;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The way of one harness to a server: direct, or by a proxy once a fault of the network was asked for. Not thread-safe.
 */
public final class ServerGate implements AutoCloseable {

    private final String host;
    private final int port;
    private @Nullable TcpProxy proxy;

    /**
     * Creates a direct way.
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
     * @return the address: that of the server, or that of this machine if there is a proxy
     */
    public String host() {
        return proxy == null ? host : ServerProcess.HOST;
    }

    /**
     * Where to connect to.
     *
     * @return the port
     */
    public int port() {
        return proxy == null ? port : proxy.port();
    }

    /**
     * Where to connect to from now on: a proxy, which is made if there is none.
     *
     * @return the proxy, closed with this
     */
    public TcpProxy proxy() {
        TcpProxy made = proxy;
        if (made == null) {
            made = TcpProxy.to(host, port);
            proxy = made;
        }
        return made;
    }

    /**
     * Breaks all connections and refuses new ones.
     *
     * @return the fault
     */
    public Fault outage() {
        TcpProxy way = proxy();
        return new Fault(
                () -> {
                    way.refuse();
                    way.reset();
                },
                way::accept);
    }

    /**
     * Refuses new connections; open ones stay.
     *
     * @return the fault
     */
    public Fault exhaustion() {
        TcpProxy way = proxy();
        return new Fault(way::refuse, way::accept);
    }

    /**
     * Loses replies, see {@link TcpProxy#loseReplies}.
     *
     * @param to which requests lose theirs
     * @return the fault
     */
    public Fault lostReplies(Predicate<String> to) {
        TcpProxy way = proxy();
        return new Fault(() -> way.loseReplies(to), way::keepReplies);
    }

    /**
     * Lets one connection hang, see {@link TcpProxy#stallNext}.
     *
     * @return the fault
     */
    public Fault stalledConnection() {
        TcpProxy way = proxy();
        return new Fault(way::stallNext, way::unstall);
    }

    /**
     * Holds all requests, and passes them on at the end, see {@link TcpProxy#hold}.
     *
     * @return the fault
     */
    public Fault heldRequests() {
        TcpProxy way = proxy();
        return new Fault(() -> way.hold(TcpProxy.Direction.REQUESTS), () -> way.pass(TcpProxy.Direction.REQUESTS));
    }

    /**
     * Delays all replies.
     *
     * @param delay by how much
     * @return the fault
     */
    public Fault slowNetwork(Duration delay) {
        TcpProxy way = proxy();
        return new Fault(
                () -> way.delay(TcpProxy.Direction.REPLIES, delay), () -> way.pass(TcpProxy.Direction.REPLIES));
    }

    @Override
    public void close() {
        if (proxy != null) {
            proxy.close();
        }
    }
}
