package io.holdfast.lock.core.migration;

import io.holdfast.lock.LockCapabilities.LeaseControl;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockHandle;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockOwner;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.core.client.CoreLockEngine;
import io.holdfast.lock.engine.ClientSettings;
import io.holdfast.lock.spi.LockProvider;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Tells in a store that this client is alive in a phase: it holds one of some locks that stand for the phase. Thread-safe.
 *
 * <p>The lock lasts longer than any lease that this client takes in the store meanwhile. So whoever finds none of these locks
 * held knows that no lock of a client in that phase is in force, neither of one that lives nor of one that died.
 */
final class Presence implements AutoCloseable {

    /** The most clients in one phase. */
    static final int PLACES = 256;

    /** What the names of the locks that stand for phases begin with. */
    static final String PREFIX = "holdfast.migration.";

    /** An automatic renewal comes after a third, so at least half of it is left. */
    private static final int TIMES_THE_LEASE = 2;

    private final LockProvider store;
    private final Phase phase;
    private final LockClient client;

    /** Changed under the monitor; read without it, as each grant and renewal of the client asks, and taking a place may last. */
    private volatile @Nullable Place place;

    private Duration longest = LockOptions.DEFAULTS.leaseTime().multipliedBy(TIMES_THE_LEASE);

    /** Tells nothing yet. */
    Presence(LockProvider store, Phase phase) {
        this.store = store;
        this.phase = phase;
        this.client =
                new CoreLockEngine().open(new LentProvider(store), new ClientSettings(LockOptions.DEFAULTS, List.of()));
    }

    /**
     * One of the locks that stand for the phase.
     *
     * @param handle the hold
     * @param lease the lease of the hold
     */
    private record Place(LockHandle handle, Duration lease) {

        boolean isHeld() {
            return handle.isHeld();
        }
    }

    static String name(Phase phase, int place) {
        return PREFIX + phase.name().toLowerCase(Locale.ROOT) + "." + place;
    }

    /** Whether it is known that this client is alive. */
    boolean isHeld() {
        Place held = place;
        return held != null && held.isHeld();
    }

    /**
     * Makes sure, after a claim was granted or renewed, that the client is known to be alive for as long as the claim is in force
     * without another renewal.
     *
     * @param claimed the lease of the claim
     * @param look fails if a client two phases away is alive; done when this client moves to another place, as a client that
     *     looks for the locks of this phase, one after the other, may have been at neither of the two while it was held
     * @return false if it has not been known all the time; {@link #announce} is due then, and the claim does not count
     */
    boolean covers(Duration claimed, Runnable look) {
        Place held = place;
        if (held == null || !held.isHeld()) {
            return false;
        }
        // The leases of one session end together.
        boolean lasts = store.capabilities().leaseControl() == LeaseControl.SESSION
                || lastsFor().compareTo(claimed) >= 0;
        return lasts || extend(claimed, look);
    }

    /** How long this client is known to be alive if nothing happens. */
    Duration lastsFor() {
        Place held = place;
        return held == null ? Duration.ZERO : held.handle().remaining();
    }

    private synchronized boolean extend(Duration claimed, Runnable look) {
        Place held = place;
        if (held == null) {
            return false;
        }
        Duration wanted = atMostAllowed(claimed.multipliedBy(TIMES_THE_LEASE));
        if (held.lease().compareTo(wanted) < 0) {
            return moved(held, wanted, look);
        }
        // The lease that begins now is as long as the claim's, which began before.
        return held.handle().remaining().compareTo(claimed) >= 0
                || held.handle().renew();
    }

    /** The former place is held until nobody can have missed the new one. */
    private boolean moved(Place former, Duration lease, Runnable look) {
        Place next = take(lease);
        try {
            look.run();
        } catch (RuntimeException refused) {
            next.handle().release();
            throw refused;
        }
        if (!former.isHeld()) {
            next.handle().release();
            return false;
        }
        longest = lease;
        place = next;
        former.handle().release();
        return true;
    }

    private static Duration atMostAllowed(Duration wanted) {
        Duration most = Duration.ofDays(365);
        return wanted.compareTo(most) < 0 ? wanted : most;
    }

    /** Takes a place, if this client has none. */
    synchronized void announce() {
        if (!isHeld()) {
            place = take(longest);
        }
    }

    private Place take(Duration lease) {
        int first = ThreadLocalRandom.current().nextInt(PLACES);
        // Not the caller: it would re-enter the place that this client has already, which keeps its former lease.
        LockOptions options = LockOptions.DEFAULTS.withLeaseTime(lease).withOwner(LockOwner.unique());
        for (int i = 0; i < PLACES; i++) {
            Optional<LockHandle> free =
                    client.lock(name(phase, (first + i) % PLACES), options).tryAcquire();
            if (free.isPresent()) {
                return new Place(free.get(), lease);
            }
        }
        throw new LockConfigurationException(
                "There are " + PLACES + " clients in the phase " + phase + " already, and allowed are no more");
    }

    /** Gives up the place, and may take one again. */
    synchronized void withdraw() {
        Place held = place;
        place = null;
        if (held != null) {
            held.handle().release();
        }
    }

    /** Whether another provider shows this client at the place that it has in this store. */
    boolean isSeenIn(LockProvider other) {
        Place held = place;
        if (held == null) {
            return false;
        }
        String name = held.handle().name();
        Optional<LockHolder> here = store.holder(name);
        try {
            return here.isPresent() && other.holder(name).map(LockHolder::owner).equals(here.map(LockHolder::owner));
        } catch (LockStoreException failed) {
            throw new LockStoreException(
                    "The store " + other + " cannot tell who has the lock '" + name + "', which " + store
                            + " has just granted. If both are one Redis with two layouts, allowed is another prefix for"
                            + " one of them: " + failed.getMessage(),
                    failed);
        }
    }

    static String shown(List<LockHolder> clients) {
        return clients.stream()
                .map(client -> "host " + client.host().orElse("unknown") + ", pid "
                        + client.pid().stream()
                                .mapToObj(Long::toString)
                                .findFirst()
                                .orElse("unknown")
                        + client.since().map(since -> ", since " + since).orElse(""))
                .distinct()
                .collect(Collectors.joining("; "));
    }

    /** The clients of a phase, in a store whose locks they take. */
    static List<LockHolder> alive(LockProvider from, LockProvider to, Phase phase) {
        return alive(phase == Phase.TO_ONLY ? to : from, phase);
    }

    /** The clients of a phase that have the two stores the other way round: they take the locks of the other store. */
    static List<LockHolder> exchanged(LockProvider from, LockProvider to, Phase phase) {
        return phase == Phase.BOTH ? List.of() : alive(to, from, phase);
    }

    /** The clients of a phase that are alive in a store, or have been so shortly. */
    static List<LockHolder> alive(LockProvider store, Phase phase) {
        List<LockHolder> found = new ArrayList<>();
        IntStream.range(0, PLACES)
                .mapToObj(place -> store.holder(name(phase, place)))
                .flatMap(Optional::stream)
                .forEach(found::add);
        return found;
    }

    /** Gives up the place: a client that is closed with a lock reports that one as lost. */
    @Override
    public void close() {
        try {
            withdraw();
        } catch (LockStoreException unknown) {
            // The client repeats the release, and says if it fails.
            client.close();
            return;
        }
        client.close();
    }
}
