package io.holdfast.lock.zookeeper;

import io.holdfast.lock.LockStoreException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.zookeeper.client.ConnectStringParser;

/**
 * Finds out why no session has begun at first contact, by a plain connection to each server: ZooKeeper's client only logs its reasons. Used by one
 * thread.
 */
final class ConnectionDiagnosis {

    /** For all servers together, as a caller waits for it. */
    private static final Duration LIMIT = Duration.ofSeconds(1);

    /** Asks a server for its state, and changes nothing. Unlike other such commands it is on by default. */
    private static final byte[] QUESTION = "srvr\n".getBytes(StandardCharsets.US_ASCII);

    private static final int BEGINNING = 256;

    private final Elapsed elapsed = new Elapsed();
    private final List<String> reasons = new ArrayList<>();
    private final List<IOException> causes = new ArrayList<>();

    private ConnectionDiagnosis() {}

    /**
     * Describes why there is no connection.
     *
     * @param message what failed
     * @param servers the servers in the form of ZooKeeper's client
     * @return the failure with the reason for each server
     */
    static LockStoreException failure(String message, String servers) {
        ConnectionDiagnosis diagnosis = new ConnectionDiagnosis();
        new ConnectStringParser(servers).getServerAddresses().forEach(diagnosis::examine);
        String text = message + ": " + String.join("; ", diagnosis.reasons);
        if (diagnosis.causes.isEmpty()) {
            return new LockStoreException(text);
        }
        LockStoreException failure = new LockStoreException(text, diagnosis.causes.get(0));
        diagnosis.causes.stream().skip(1).forEach(failure::addSuppressed);
        return failure;
    }

    private void examine(InetSocketAddress server) {
        long left = LIMIT.minus(elapsed.time()).toMillis();
        if (left > 0) {
            reasons.add(server.getHostString() + ":" + server.getPort() + ": "
                    + reason(server.getHostString(), server.getPort(), Math.toIntExact(left)));
        }
    }

    private String reason(String host, int port, int millis) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getByName(host), port), millis);
            return answer(socket, millis);
        } catch (UnknownHostException unknown) {
            causes.add(unknown);
            return "the host is unknown";
        } catch (IOException failure) {
            causes.add(failure);
            return "cannot connect (" + failure.getMessage() + ")";
        }
    }

    private static String answer(Socket socket, int millis) throws IOException {
        socket.setSoTimeout(millis);
        socket.getOutputStream().write(QUESTION);
        byte[] beginning = new byte[BEGINNING];
        try {
            int length = socket.getInputStream().read(beginning);
            return length < 0
                    ? "the connection was closed without an answer"
                    : judged(new String(beginning, 0, length, StandardCharsets.US_ASCII).toLowerCase(Locale.ROOT));
        } catch (SocketTimeoutException silent) {
            return "connected, but nothing answers";
        }
    }

    private static String judged(String answer) {
        // A server whose administrator has switched the command off says that it is not in the whitelist.
        if (!answer.contains("zookeeper") && !answer.contains("whitelist")) {
            return "what answers there is not ZooKeeper, or speaks TLS";
        }
        return answer.contains("not currently serving")
                ? "ZooKeeper answers that it is not serving requests; a majority of the servers may be missing"
                : "ZooKeeper answers there, but has begun no session";
    }
}
