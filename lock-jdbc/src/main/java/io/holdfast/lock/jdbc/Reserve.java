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
 * Keeps one connection for renewals and releases while locks may be held, so that an empty pool cannot end a lease. It is the
 * connection by which a lock was acquired, so nobody waits for it. Thread-safe, and calls no pool with the monitor held.
 */
final class Reserve implements AutoCloseable {

    private final boolean allowed;
    private final Queue<CompletableFuture<Lent>> wanted = new ArrayDeque<>();

    /** Weakly: the engine gives up claims whose release the database never answers. */
    private final Set<Object> claims = Collections.newSetFromMap(new WeakHashMap<>());

    private @Nullable Lent kept;
    private boolean closed;

    private Reserve(boolean allowed) {
        this.allowed = allowed;
    }

    /** Keeps a connection. */
    static Reserve ofOne() {
        return new Reserve(true);
    }

    /** Keeps none, for a pool that cannot spare one. */
    static Reserve none() {
        return new Reserve(false);
    }

    /** A claim may hold its lock from now on. */
    synchronized void keepFor(Object claim) {
        claims.add(claim);
    }

    /** A claim does not hold its lock any more. After the last one the pool gets its connection back. */
    void forget(Object claim) {
        without(claim).ifPresent(Lent::giveBack);
    }

    private synchronized Optional<Lent> without(Object claim) {
        claims.remove(claim);
        return claims.isEmpty() ? taken() : Optional.empty();
    }

    /** Lends the connection, now if it lies idle, else if somebody gives one back before another one comes from the pool. */
    synchronized boolean lend(CompletableFuture<Lent> to) {
        Optional<Lent> idle = taken();
        idle.ifPresentOrElse(to::complete, () -> wanted.add(to));
        return idle.isPresent();
    }

    private Optional<Lent> taken() {
        Optional<Lent> idle = Optional.ofNullable(kept);
        kept = null;
        return idle;
    }

    /**
     * Takes a connection that its user is done with, for who waits for one, or to keep it.
     *
     * @return whether it was taken; else it belongs to the pool
     */
    synchronized boolean take(Lent lent) {
        lent.rest();
        for (CompletableFuture<Lent> next = wanted.poll(); next != null; next = wanted.poll()) {
            if (next.complete(lent)) {
                return true;
            }
        }
        if (!allowed || closed || kept != null || claims.isEmpty()) {
            return false;
        }
        kept = lent;
        return true;
    }

    @Override
    public void close() {
        atTheEnd().ifPresent(Lent::giveBack);
    }

    private synchronized Optional<Lent> atTheEnd() {
        closed = true;
        return taken();
    }
}
