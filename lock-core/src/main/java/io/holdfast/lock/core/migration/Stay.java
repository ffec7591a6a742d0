package io.holdfast.lock.core.migration;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.UnsupportedCapabilityException;
import io.holdfast.lock.spi.LockProvider;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The stay of a client in a phase: it tells in the stores whose locks it takes that it is alive, and takes none while a client
 * two phases away is. Thread-safe.
 */
final class Stay {

    private final LockProvider from;
    private final LockProvider to;
    private final Phase phase;
    private final boolean fenced;
    private final List<Presence> presences;

    /** What {@link #begin} has returned, if nothing has failed since; null while it looks. */
    private volatile @Nullable Object term;

    Stay(LockProvider from, LockProvider to, Phase phase, boolean fenced) {
        this.from = from;
        this.to = to;
        this.phase = phase;
        this.fenced = fenced;
        this.presences =
                stores().stream().map(store -> new Presence(store, phase)).toList();
    }

    /** The stores whose locks are taken in this phase, the old one first. */
    List<LockProvider> stores() {
        return switch (phase) {
            case FROM_ONLY -> List.of(from);
            case BOTH -> List.of(from, to);
            case TO_ONLY -> List.of(to);
        };
    }

    boolean isFenced() {
        return fenced;
    }

    /** Refuses stores whose tokens would not grow over the move. */
    void requireRaisable() {
        if (fenced) {
            for (LockProvider store : List.of(from, to)) {
                try {
                    // Of one name: it changes nothing, and a store of many counters need not write all of them.
                    store.raiseTokens(Presence.name(phase, 0), 0);
                } catch (UnsupportedCapabilityException cannot) {
                    throw new LockConfigurationException(
                            "The fencing tokens would not grow over the move, as those of " + store
                                    + " cannot be raised; allowed is a move without tokens (tokens=none)",
                            cannot);
                }
            }
        }
    }

    /** Refuses two providers of one store: each acquire would ask for one key twice. */
    private void requireTwoStores() {
        for (Presence presence : presences) {
            if (presence.isSeenIn(from) && presence.isSeenIn(to)) {
                throw new LockConfigurationException("The stores " + from + " and " + to
                        + " are one, with the same names in it; allowed is a move between two, or to another prefix");
            }
        }
    }

    /**
     * Makes sure that this client may take locks; does nothing as long as it is known to be alive in its phase.
     *
     * @return the time since when it has been known without a gap, for {@link #isKnownFor}
     */
    Object begin() {
        Object begun = term;
        return begun != null && isHeld() ? begun : beginAgain();
    }

    private boolean isHeld() {
        return presences.stream().allMatch(Presence::isHeld);
    }

    private synchronized Object beginAgain() {
        Object begun = term;
        if (begun != null && isHeld()) {
            return begun;
        }
        // Before anything is announced: other threads must not take that for the end of the look.
        term = null;
        try {
            presences.forEach(Presence::announce);
            requireTwoStores();
            // After it was announced: of two clients that start at the same time, one sees the other.
            requireNobodyTwoPhasesAway();
            requireNobodyTheOtherWayRound();
            switch (phase) {
                case FROM_ONLY -> carryOverTokens(to, from);
                case BOTH -> {}
                case TO_ONLY -> carryOverTokens(from, to);
            }
        } catch (RuntimeException refused) {
            withdraw(refused);
            throw refused;
        }
        Object next = new Object();
        term = next;
        return next;
    }

    private void withdraw(RuntimeException refused) {
        for (Presence presence : presences) {
            try {
                presence.withdraw();
            } catch (LockException failed) {
                refused.addSuppressed(failed);
            }
        }
    }

    private void requireNobodyTwoPhasesAway() {
        switch (phase) {
            case FROM_ONLY -> requireNobody(Phase.TO_ONLY);
            case BOTH -> {}
            case TO_ONLY -> requireNobody(Phase.FROM_ONLY);
        }
    }

    private void requireNobody(Phase other) {
        List<LockHolder> alive = Presence.alive(from, to, other);
        if (!alive.isEmpty()) {
            throw new LockConfigurationException(
                    "A client in the phase " + phase + " must not take locks while one in the phase "
                            + other + " is alive, as they would not exclude each other: " + Presence.shown(alive)
                            + "; restart these in the phase " + Phase.BOTH
                            + " first. One that has died counts as alive until its locks have ended for certain");
        }
    }

    /** Clients in one phase whose stores are exchanged do not exclude each other. */
    private void requireNobodyTheOtherWayRound() {
        List<LockHolder> alive = Presence.exchanged(from, to, phase);
        if (!alive.isEmpty()) {
            throw new LockConfigurationException("A client in the phase " + phase
                    + " takes the store that is the other one here: " + Presence.shown(alive)
                    + "; allowed are the same 'from' and the same 'to' for all clients of a fleet");
        }
    }

    private void carryOverTokens(LockProvider former, LockProvider next) {
        if (fenced) {
            long highest = former.highestToken();
            if (highest > 0) {
                next.raiseTokens(highest);
            }
        }
    }

    /**
     * Whether clients in other phases can know that this client is alive, for as long as a claim that was just granted or
     * renewed.
     *
     * @param since what {@link #begin} returned before the claim was granted
     */
    boolean isKnownFor(Duration lease, Object since) {
        return presences.stream().allMatch(presence -> presence.covers(lease, this::requireNobodyTwoPhasesAway))
                && term == since;
    }

    /** What ends the stay, a step for each store. */
    List<Runnable> closings() {
        List<Runnable> closings = new ArrayList<>();
        presences.forEach(presence -> closings.add(presence::close));
        return closings;
    }
}
