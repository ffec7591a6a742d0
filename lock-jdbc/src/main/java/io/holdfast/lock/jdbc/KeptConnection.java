package io.holdfast.lock.jdbc;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Keeps one connection for renewals and releases while locks may be held, so that an empty pool cannot cost a lock its
 * lease. It is the connection by which a lock was acquired, so keeping it takes no wait. Thread-safe; calls no pool
 * while it holds the monitor.
 */
final class KeptConnection implements AutoCloseable {

    private final boolean allowed;
    private final Queue<CompletableFuture<BorrowedConnection>> waiting = new ArrayDeque<>();

    /** Weak references: the engine may drop a claim whose release the database never answers. */
    private final Set<Object> claims = Collections.newSetFromMap(new WeakHashMap<>());

    private @Nullable BorrowedConnection kept;
    private boolean closed;

    private KeptConnection(boolean allowed) {
        this.allowed = allowed;
    }

    /** Keeps a connection. */
    static KeptConnection ofOne() {
        return new KeptConnection(true);
    }

    /** Keeps none, for a pool that cannot spare a connection. */
    static KeptConnection none() {
        return new KeptConnection(false);
    }

    /** Notes that a claim may hold its lock from now on. */
    synchronized void keepFor(Object claim) {
        claims.add(claim);
    }

    /** Notes that a claim does not hold its lock any more. After the last one the connection goes back to the pool. */
    void forget(Object claim) {
        without(claim).ifPresent(BorrowedConnection::giveBack);
    }

    private synchronized Optional<BorrowedConnection> without(Object claim) {
        claims.remove(claim);
        return claims.isEmpty() ? taken() : Optional.empty();
    }

    /**
     * Lends the connection: at once if it is idle, otherwise when a caller gives it back, unless one of the pool comes
     * first.
     */
    synchronized boolean lend(CompletableFuture<BorrowedConnection> to) {
        Optional<BorrowedConnection> idle = taken();
        idle.ifPresentOrElse(to::complete, () -> waiting.add(to));
        return idle.isPresent();
    }

    private Optional<BorrowedConnection> taken() {
        Optional<BorrowedConnection> idle = Optional.ofNullable(kept);
        kept = null;
        return idle;
    }

    /**
     * Takes a connection that its user has finished with, hands it to a waiting call or keeps it.
     *
     * @return whether it was taken; otherwise it goes back to the pool
     */
    synchronized boolean take(BorrowedConnection borrowed) {
        borrowed.startIdleTime();
        for (CompletableFuture<BorrowedConnection> next = waiting.poll(); next != null; next = waiting.poll()) {
            if (next.complete(borrowed)) {
                return true;
            }
        }
        if (!allowed || closed || kept != null || claims.isEmpty()) {
            return false;
        }
        kept = borrowed;
        return true;
    }

    @Override
    public void close() {
        closed().ifPresent(BorrowedConnection::giveBack);
    }

    private synchronized Optional<BorrowedConnection> closed() {
        closed = true;
        return taken();
    }
}
