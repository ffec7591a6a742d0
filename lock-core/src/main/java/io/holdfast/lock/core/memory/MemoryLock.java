package io.holdfast.lock.core.memory;

import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest.Claimant;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * One lock: the record of its grant, if it is held, and those who wait for it. Guarded by its store's monitor.
 *
 * <p>They stand in line, first in, first out. When the lock is free, the first of them has its turn and is told so; until it
 * bids again, everybody else is contended. A waiter that does not come within {@link #TURN} loses its place, or one that died
 * would block the others for ever.
 */
final class MemoryLock {

    /** How long the lock waits for the waiter whose turn it is. A living one comes within milliseconds. */
    static final Duration TURN = Duration.ofSeconds(1);

    /** One count for the whole JVM: tokens also grow when a lock, or its store, was dropped in between. */
    private static final AtomicLong LAST_TOKEN = new AtomicLong();

    private final Map<String, Waiter> line = new LinkedHashMap<>();
    private @Nullable Grant grant;

    /** Forgets the claims whose lease has run out, and the waiter that has missed its turn. */
    void dropExpired(long now) {
        if (grant != null) {
            grant.entries.values().removeIf(entry -> entry.leaseEnds - now <= 0);
            dropEmptyGrant();
        }
        firstInLine()
                .filter(waiter -> waiter.told && waiter.turnEnds - now <= 0)
                .ifPresent(late -> line.remove(late.claim.id()));
    }

    Attempt attempt(MemoryClaim claim, long now) {
        if (grant == null && comesFirst(claim)) {
            grant = new Grant(claim, new FencingToken(LAST_TOKEN.incrementAndGet()));
        }
        if (grant == null || !grant.admits(claim)) {
            if (claim.waits()) {
                line.computeIfAbsent(claim.id(), id -> new Waiter(claim));
            }
            return new Attempt.Contended(Optional.of(Duration.ofNanos(busyUntil(now) - now)));
        }
        line.remove(claim.id());
        // A claim that is in the record already is granted once more, not counted twice: its bid may have been sent
        // again.
        grant.entries.put(
                claim.id(), new Entry(claim.signals(), now + claim.leaseTime().toNanos()));
        return new Attempt.Granted(grant.token, claim.leaseTime());
    }

    Renewal renew(MemoryClaim claim, long now) {
        if (grant == null || !grant.entries.containsKey(claim.id())) {
            return new Renewal.Lost(LossCause.TAKEN_OVER);
        }
        grant.entries.put(
                claim.id(), new Entry(claim.signals(), now + claim.leaseTime().toNanos()));
        return new Renewal.Held(claim.leaseTime());
    }

    Release release(MemoryClaim claim) {
        line.remove(claim.id());
        if (grant == null || grant.entries.remove(claim.id()) == null) {
            return Release.NOT_HELD;
        }
        dropEmptyGrant();
        return Release.RELEASED;
    }

    Optional<LockHolder> holder() {
        return Optional.ofNullable(grant).map(Grant::holder);
    }

    /** Takes the lock from whoever holds it; returns those who have to be told. */
    List<ClaimSignals> remove() {
        List<ClaimSignals> losers = grant == null
                ? List.of()
                : grant.entries.values().stream().map(Entry::signals).toList();
        grant = null;
        return losers;
    }

    /** Gives the first waiter its turn, once, if the lock is free. */
    Optional<ClaimSignals> nextInLine(long now) {
        if (grant != null) {
            return Optional.empty();
        }
        return firstInLine().filter(waiter -> !waiter.told).map(waiter -> {
            waiter.told = true;
            waiter.turnEnds = now + TURN.toNanos();
            return waiter.claim.signals();
        });
    }

    boolean isUnused() {
        return grant == null && line.isEmpty();
    }

    private boolean comesFirst(MemoryClaim claim) {
        return firstInLine().map(waiter -> waiter.claim.id().equals(claim.id())).orElse(true);
    }

    private Optional<Waiter> firstInLine() {
        Iterator<Waiter> waiters = line.values().iterator();
        return waiters.hasNext() ? Optional.of(waiters.next()) : Optional.empty();
    }

    /** When the lock is to be had again at the latest: the last lease of its holder ends, or somebody's turn does. */
    private long busyUntil(long now) {
        if (grant != null) {
            return grant.leaseEnds();
        }
        Waiter first = line.values().iterator().next();
        return first.told ? first.turnEnds : now + TURN.toNanos();
    }

    private void dropEmptyGrant() {
        if (grant != null && grant.entries.isEmpty()) {
            grant = null;
        }
    }

    /** The record: whose the lock is, and since which token. It lives as long as one claim of its owner is in force. */
    private static final class Grant {
        private final String ownerId;
        private final Claimant claimant;
        private final FencingToken token;
        private final Map<String, Entry> entries = new LinkedHashMap<>();

        Grant(MemoryClaim claim, FencingToken token) {
            this.ownerId = claim.ownerId();
            this.claimant = claim.claimant();
            this.token = token;
        }

        boolean admits(MemoryClaim claim) {
            return ownerId.equals(claim.ownerId());
        }

        long leaseEnds() {
            Iterator<Entry> each = entries.values().iterator();
            long latest = each.next().leaseEnds;
            while (each.hasNext()) {
                // Readings of a nanosecond clock are compared by their difference: the clock may overflow.
                long candidate = each.next().leaseEnds;
                latest = candidate - latest > 0 ? candidate : latest;
            }
            return latest;
        }

        /** Without a time: the store's clock counts from nowhere in particular. */
        LockHolder holder() {
            return new LockHolder(
                    ownerId, claimant.host(), claimant.pid(), claimant.thread(), Optional.empty(), Optional.of(token));
        }
    }

    /** One claim in force. */
    private record Entry(ClaimSignals signals, long leaseEnds) {}

    /** A claim that waits. */
    private static final class Waiter {
        private final MemoryClaim claim;
        private boolean told;
        private long turnEnds;

        Waiter(MemoryClaim claim) {
            this.claim = claim;
        }
    }
}
