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
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.zookeeper.client.ConnectStringParser;

/**
 * Finds out why the first session did not begin, by a plain connection to each server: ZooKeeper's client only logs its reasons.
 * All servers are asked at the same time, and callers at the same time share the answers. Thread-safe.
 */
final class ConnectionDiagnosis {

    /** How long a caller waits. The resolution of a host name may take longer. */
    private static final Duration LIMIT = Duration.ofSeconds(1);

    /** How long a server may take, so that its silence is reported within the limit. */
    private static final Duration SILENCE = Duration.ofMillis(800);

    private static final String THREAD = "holdfast-zookeeper-diagnosis";

    /** Asks a server for its state. Unlike other such commands it is on by default. */
    private static final byte[] QUESTION = "srvr\n".getBytes(StandardCharsets.US_ASCII);

    private static final int BEGINNING = 256;

    private final Map<InetSocketAddress, Inquiry> inquiries = new ConcurrentHashMap<>();

    /** A server that is being asked, or was asked a moment ago. */
    private record Inquiry(Elapsed age, CompletableFuture<Reason> reason) {
        boolean isUsable() {
            return !reason.isDone() || age.isLessThan(LIMIT);
        }
    }

    /** Why there is no session with a server, and what was thrown, if anything was. */
    private record Reason(String words, Optional<IOException> cause) {}

    /**
     * Describes why there is no connection.
     *
     * @param message what failed
     * @param servers the servers in the form of ZooKeeper's client
     * @return the failure with the reason for each server
     */
    LockStoreException failure(String message, String servers) {
        Elapsed waited = new Elapsed();
        List<InetSocketAddress> addresses = new ConnectStringParser(servers).getServerAddresses();
        List<CompletableFuture<Reason>> asked =
                addresses.stream().map(this::reason).toList();
        List<String> words = new ArrayList<>();
        List<IOException> causes = new ArrayList<>();
        for (int i = 0; i < addresses.size(); i++) {
            Optional<Reason> reason = await(asked.get(i), LIMIT.minus(waited.time()));
            words.add(address(addresses.get(i)) + ": "
                    + reason.map(Reason::words).orElse("the name of the host was not resolved in time"));
            reason.flatMap(Reason::cause).ifPresent(causes::add);
        }
        String text = message + ": " + String.join("; ", words);
        LockStoreException failure =
                causes.isEmpty() ? new LockStoreException(text) : new LockStoreException(text, causes.get(0));
        causes.stream().skip(1).forEach(failure::addSuppressed);
        return failure;
    }

    private static String address(InetSocketAddress server) {
        return server.getHostString() + ":" + server.getPort();
    }

    private CompletableFuture<Reason> reason(InetSocketAddress server) {
        return Objects.requireNonNull(inquiries.compute(
                        server, (same, last) -> last != null && last.isUsable() ? last : begun(server)))
                .reason();
    }

    private static Inquiry begun(InetSocketAddress server) {
        return new Inquiry(
                new Elapsed(), CompletableFuture.supplyAsync(() -> ask(server), ConnectionDiagnosis::onNewThread));
    }

    private static void onNewThread(Runnable asking) {
        Thread thread = new Thread(asking, THREAD);
        thread.setDaemon(true);
        thread.start();
    }

    private static Optional<Reason> await(CompletableFuture<Reason> reason, Duration time) {
        UninterruptibleWait.run(() -> {
            try {
                reason.get(time.toNanos(), TimeUnit.NANOSECONDS);
                return true;
            } catch (ExecutionException | TimeoutException none) {
                return false;
            }
        });
        return reason.isDone() && !reason.isCompletedExceptionally() ? Optional.of(reason.join()) : Optional.empty();
    }

    private static Reason ask(InetSocketAddress server) {
        try (Socket socket = new Socket()) {
            InetSocketAddress resolved =
                    new InetSocketAddress(InetAddress.getByName(server.getHostString()), server.getPort());
            Elapsed elapsed = new Elapsed();
            socket.connect(resolved, left(elapsed));
            return new Reason(answer(socket, elapsed), Optional.empty());
        } catch (UnknownHostException unknown) {
            return new Reason("the host is unknown", Optional.of(unknown));
        } catch (IOException failure) {
            return new Reason("cannot connect (" + failure.getMessage() + ")", Optional.of(failure));
        }
    }

    /** In milliseconds; at least one, as zero would mean no limit. */
    private static int left(Elapsed elapsed) {
        return (int) Math.max(1, SILENCE.minus(elapsed.time()).toMillis());
    }

    private static String answer(Socket socket, Elapsed elapsed) throws IOException {
        socket.getOutputStream().write(QUESTION);
        socket.setSoTimeout(left(elapsed));
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
