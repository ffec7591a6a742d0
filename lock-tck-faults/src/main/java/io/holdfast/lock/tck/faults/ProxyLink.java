package io.holdfast.lock.tck.faults;

import io.holdfast.lock.tck.faults.TcpProxy.Direction;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;

/** One client's connection to a proxy and the one made for it to the server, with a thread for each direction. */
final class ProxyLink {

    private static final int BUFFER = 64 * 1024;

    private final TcpProxy proxy;
    private final Socket client;
    private final Socket server;
    private final AtomicBoolean requesting = new AtomicBoolean();
    /** What a stall of this connection alone holds, both ways. */
    private final ProxyFlow stall = new ProxyFlow();

    private volatile boolean losesReply;

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
                    requestArrives(new String(buffer, 0, n, StandardCharsets.ISO_8859_1));
                } else if (losesReply || proxy.dropsThisReply()) {
                    break;
                }
                boolean admitted = stall.admits() && flow.admits();
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

    private void requestArrives(String request) {
        if (proxy.stallsThisLink()) {
            stall.hold();
        }
        losesReply |= proxy.losesReplyTo(request);
        if (requesting.compareAndSet(false, true)) {
            proxy.countRoundTrip();
        }
    }

    void unstall() {
        stall.pass();
    }

    void reset() {
        proxy.forget(this);
        stall.close();
        ProxyListener.abort(client);
        ProxyListener.abort(server);
    }
}
