package io.holdfast.servers;

import io.holdfast.servers.TcpProxy.Direction;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;

/** One client's connection to a proxy and the one made for it to the server, with a thread for each direction. */
final class ProxyLink {

    private static final int BUFFER = 64 * 1024;

    private final TcpProxy proxy;
    private final Socket client;
    private final Socket server;
    private final AtomicBoolean requesting = new AtomicBoolean();

    ProxyLink(TcpProxy proxy, Socket client, Socket server) {
        this.proxy = proxy;
        this.client = client;
        this.server = server;
    }

    void start() throws IOException {
        client.setTcpNoDelay(true);
        server.setTcpNoDelay(true);
        ProxyListener.daemon("proxy-requests", () -> pump(Direction.REQUESTS, client, server));
        ProxyListener.daemon("proxy-replies", () -> pump(Direction.REPLIES, server, client));
    }

    private void pump(Direction direction, Socket from, Socket to) {
        byte[] buffer = new byte[BUFFER];
        boolean begins = direction == Direction.REPLIES;
        ProxyFlow flow = proxy.flow(direction);
        try {
            InputStream in = from.getInputStream();
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                flow.count(n);
                if (direction == Direction.REQUESTS) {
                    requestArrives();
                } else if (proxy.dropsThisReply()) {
                    break;
                }
                boolean admitted = flow.admits();
                if (direction == Direction.REPLIES) {
                    // Only now: while a reply is delayed, further request data belongs to the same round trip.
                    if (requesting.getAndSet(false) || begins) {
                        proxy.countAnswer();
                    }
                    begins = false;
                }
                if (admitted) {
                    to.getOutputStream().write(proxy.changed(direction, Arrays.copyOf(buffer, n)));
                }
            }
            // A swallowed direction hides also the other side's end: a black hole sends no FIN.
            if (!flow.isSwallowed()) {
                reset();
            }
        } catch (IOException | InterruptedException broken) {
            reset();
        }
    }

    private void requestArrives() {
        if (requesting.compareAndSet(false, true)) {
            proxy.countRoundTrip();
        }
    }

    void reset() {
        proxy.forget(this);
        ProxyListener.abort(client);
        ProxyListener.abort(server);
    }
}
