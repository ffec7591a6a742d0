package io.holdfast.lock.core.memory;

import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LockConfigurationException;
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
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One lock: the record of its grant, if it is held, and those who wait for it. Guarded by its store's monitor.
 *
 * <p>Waiters are served first in, first out. When the lock is free, the first waiter is signalled; until it attempts again,
 * everybody else is contended. A waiter that does not attempt within {@link #RESERVED} is removed, or one that died would
 * block the others without end.
 */
final class MemoryLock {

    /** How long a free lock is reserved for the first waiter, which attempts within milliseconds if it lives. */
    static final Duration RESERVED = Duration.ofSeconds(1);

    /** One count for the whole JVM: tokens also grow when a lock, or its store, was dropped in between. */
    private static final AtomicLong LAST_TOKEN = new AtomicLong();

    /** Half of all numbers are left for grants after a raise. */
    private static final long MOST_RAISED = Long.MAX_VALUE / 2;

    static long highestToken() {
        return LAST_TOKEN.get();
    }

    static void raiseTokens(long above) {
        if (above > MOST_RAISED) {
            throw new LockConfigurationException(
                    "The tokens cannot be raised above " + above + "; allowed is up to " + MOST_RAISED);
        }
        LAST_TOKEN.accumulateAndGet(above, Math::max);
    }

    private final Map<String, Waiter> queue = new LinkedHashMap<>();
    private @Nullable Grant grant;

    /** Forgets the claims whose lease has run out, and the first waiter if its reservation has. */
    void dropExpired(long now) {
        if (grant != null) {
            grant.entries.values().removeIf(entry -> entry.leaseEnds - now <= 0);
            dropEmptyGrant();
        }
        firstWaiter()
                .filter(waiter -> waiter.signalled && waiter.reservedUntil - now <= 0)
                .ifPresent(late -> queue.remove(late.claim.id()));
    }

    Attempt attempt(MemoryClaim claim, int tokens, long now) {
        int reserved = 1;
        if (grant == null && comesFirst(claim)) {
            reserved = tokens;
            grant = new Grant(claim, new FencingToken(LAST_TOKEN.getAndAdd(reserved) + 1));
        }
        if (grant == null || !grant.admits(claim)) {
            if (claim.waits()) {
                queue.computeIfAbsent(claim.id(), id -> new Waiter(claim));
            }
            return new Attempt.Contended(Optional.of(Duration.ofNanos(busyUntil(now) - now)));
        }
        queue.remove(claim.id());
        // A claim that is in the record already is granted once more, not counted twice: its
        // request may have been sent again.
        grant.entries.put(
                claim.id(), new Entry(claim.signals(), now + claim.leaseTime().toNanos()));
        return new Attempt.Granted(grant.token, claim.leaseTime()).withTokens(reserved);
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
        queue.remove(claim.id());
        if (grant == null || grant.entries.remove(claim.id()) == null) {
            return Release.NOT_HELD;
        }
        dropEmptyGrant();
        return Release.RELEASED;
    }

    /** Forgets some waiters; returns whether there was one. */
    boolean leave(Predicate<MemoryClaim> leaving) {
        return queue.values().removeIf(waiter -> leaving.test(waiter.claim));
    }

    Optional<LockHolder> holder() {
        return Optional.ofNullable(grant).map(Grant::holder);
    }

    /** Takes the lock from its holders; returns their signals. */
    List<ClaimSignals> remove() {
        List<ClaimSignals> losers = grant == null
                ? List.of()
                : grant.entries.values().stream().map(Entry::signals).toList();
        grant = null;
        return losers;
    }

    /** Reserves the lock for the first waiter, once, if the lock is free; returns the signals of that waiter. */
    Optional<ClaimSignals> reserveForFirst(long now) {
        if (grant != null) {
            return Optional.empty();
        }
        return firstWaiter().filter(waiter -> !waiter.signalled).map(waiter -> {
            waiter.signalled = true;
            waiter.reservedUntil = now + RESERVED.toNanos();
            return waiter.claim.signals();
        });
    }

    boolean isUnused() {
        return grant == null && queue.isEmpty();
    }

    private boolean comesFirst(MemoryClaim claim) {
        return firstWaiter().map(waiter -> waiter.claim.id().equals(claim.id())).orElse(true);
    }

    private Optional<Waiter> firstWaiter() {
        Iterator<Waiter> waiters = queue.values().iterator();
        return waiters.hasNext() ? Optional.of(waiters.next()) : Optional.empty();
    }

    /** When the lock is free at the latest: the last lease of its holder ends, or its reservation does. */
    private long busyUntil(long now) {
        if (grant != null) {
            return grant.leaseEnds();
        }
        Waiter first = queue.values().iterator().next();
        return first.signalled ? first.reservedUntil : now + RESERVED.toNanos();
    }

    private void dropEmptyGrant() {
        if (grant != null && grant.entries.isEmpty()) {
            grant = null;
        }
    }

    /** The record of a grant: its owner and its token. It lives as long as one claim of the owner is in force. */
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
            return LockHolder.of(ownerId)
                    .withHost(claimant.host())
                    .withPid(claimant.pid())
                    .withThread(claimant.thread())
                    .withFencingToken(token);
        }
    }

    /** One claim in force. */
    private record Entry(ClaimSignals signals, long leaseEnds) {}

    /** A claim that waits. */
    private static final class Waiter {
        private final MemoryClaim claim;
        private boolean signalled;
        private long reservedUntil;

        Waiter(MemoryClaim claim) {
            this.claim = claim;
        }
    }
}
