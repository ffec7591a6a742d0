package io.holdfast.examples.memcached;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.spi.ServerAddress;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;

/**
 * The connections to one memcached server. A call has one of them for itself, for all of its requests: the number by which {@code
 * cas} compares begins anew when the server restarts, so it must not be sent over a connection that the number did not come from.
 * Thread-safe.
 */
final class MemcachedConnections {

    private static final int MOST_IDLE = 8;

    private final ServerAddress server;
    private final Duration timeout;
    private final Deque<MemcachedLink> idle = new ConcurrentLinkedDeque<>();
    private final Set<MemcachedLink> open = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    MemcachedConnections(ServerAddress server, Duration timeout) {
        this.server = server;
        this.timeout = timeout;
    }

    /**
     * The requests of a call, of which the first may reach the server twice.
     *
     * @param <T> their result
     */
    interface Call<T> {
        T on(MemcachedLink link) throws IOException;
    }

    /**
     * Makes a call, within the time-out.
     *
     * @throws LockStoreException if the outcome is unknown
     */
    <T> T call(Call<T> call) {
        long deadline = System.nanoTime() + timeout.toNanos();
        requireOpen();
        try {
            MemcachedLink kept = idle.pollFirst();
            Optional<T> result = kept == null ? Optional.empty() : tried(call, kept, deadline);
            return result.isPresent() ? result.get() : made(call, connected(deadline), deadline);
        } catch (IOException | RuntimeException failure) {
            requireOpen();
            throw new LockStoreException("memcached at " + server + " failed: " + failure.getMessage(), failure);
        }
    }

    /** Empty if the server had closed the connection, perhaps long ago: that is no failure of the call. */
    private <T> Optional<T> tried(Call<T> call, MemcachedLink kept, long deadline) throws IOException {
        try {
            return Optional.of(made(call, kept, deadline));
        } catch (SocketTimeoutException late) {
            throw late;
        } catch (IOException broken) {
            if (kept.hasAnswered()) {
                throw broken;
            }
            return Optional.empty();
        }
    }

    private <T> T made(Call<T> call, MemcachedLink link, long deadline) throws IOException {
        boolean isWhole = false;
        try {
            link.begin(deadline);
            T result = call.on(link);
            isWhole = true;
            return result;
        } finally {
            if (isWhole) {
                keep(link);
            } else {
                close(link);
            }
        }
    }

    private MemcachedLink connected(long deadline) throws IOException {
        // Resolved each time: the address behind a name may change.
        InetSocketAddress address = new InetSocketAddress(server.host(), server.port());
        if (address.isUnresolved()) {
            throw new IOException("the host is unknown");
        }
        MemcachedLink link = MemcachedLink.to(address, deadline);
        open.add(link);
        return link;
    }

    private void keep(MemcachedLink link) {
        if (idle.size() >= MOST_IDLE) {
            close(link);
            return;
        }
        idle.addFirst(link);
        if (closed) {
            close(link);
        }
    }

    private void close(MemcachedLink link) {
        link.close();
        open.remove(link);
    }

    private void requireOpen() {
        if (closed) {
            throw new LockStoreException("The provider of the locks in memcached at " + server + " is closed");
        }
    }

    void close() {
        closed = true;
        List.copyOf(open).forEach(this::close);
        idle.clear();
    }
}
