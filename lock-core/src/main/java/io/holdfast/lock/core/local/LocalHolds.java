package io.holdfast.lock.core.local;

import io.holdfast.lock.core.claim.OwnerId;
import io.holdfast.lock.core.hold.Hold;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The holds of one lock in this client, one for each owner, and their releases that are under way. Guarded by the mutex of the
 * {@link LocalLock}. Mostly there is one hold: a store has one holder, and others here are about to end. So there is one, and
 * lists, which each change replaces.
 */
final class LocalHolds {

    /** The latest of the holds; null if that has ended. */
    private @Nullable Hold newest;

    /** The others. */
    private List<Hold> older = List.of();

    private List<Releasing> releases = List.of();

    /** A release, which completes its future when it ends. */
    private record Releasing(Hold hold, CompletableFuture<Void> ended) {}

    void add(Hold hold) {
        List<Hold> all = all();
        older = all.isEmpty()
                ? all
                : all.stream()
                        .filter(other -> !other.owner().equals(hold.owner()))
                        .toList();
        newest = hold;
    }

    void remove(Hold hold) {
        newest = newest == hold ? null : newest;
        older = older.isEmpty()
                ? older
                : older.stream().filter(other -> other != hold).toList();
    }

    /** The hold of an owner; null if there is none. */
    @Nullable
    Hold of(OwnerId owner) {
        for (Hold hold : older) {
            if (hold.owner().equals(owner)) {
                return hold;
            }
        }
        return newest != null && newest.owner().equals(owner) ? newest : null;
    }

    /** The hold that an owner may share; null if there is none. */
    @Nullable
    Hold toShareWith(OwnerId owner) {
        return owner.mayReenter() ? of(owner) : null;
    }

    List<Hold> all() {
        if (newest == null || older.isEmpty()) {
            return newest == null ? older : List.of(newest);
        }
        List<Hold> all = new ArrayList<>(older);
        all.add(newest);
        return all;
    }

    /** Whether this client certainly holds the lock at a reading of the clock. */
    boolean isHeldAt(long now) {
        if (newest != null && newest.isHeldAt(now)) {
            return true;
        }
        for (Hold hold : older) {
            if (hold.isHeldAt(now)) {
                return true;
            }
        }
        return false;
    }

    /** Whether a hold is the only one: beside a later grant, its claim is over at the store. */
    boolean isOnly(Hold hold) {
        return newest == hold && older.isEmpty();
    }

    /** The only hold; null if there is none, or more than one. */
    @Nullable
    Hold only() {
        return older.isEmpty() ? newest : null;
    }

    /** The last handle of a hold is being released. */
    void beginRelease(Hold hold) {
        remove(hold);
        if (releaseOf(hold) == null) {
            List<Releasing> more = new ArrayList<>(releases);
            more.add(new Releasing(hold, new CompletableFuture<>()));
            releases = List.copyOf(more);
        }
    }

    /** A release has ended. Returns what is to be completed, without the mutex; null if it was returned before. */
    @Nullable
    CompletableFuture<Void> endRelease(Hold hold) {
        Releasing ended = releaseOf(hold);
        if (ended == null) {
            return null;
        }
        List<Releasing> left = new ArrayList<>(releases);
        left.remove(ended);
        releases = List.copyOf(left);
        return ended.ended();
    }

    private @Nullable Releasing releaseOf(Hold hold) {
        for (Releasing release : releases) {
            if (release.hold() == hold) {
                return release;
            }
        }
        return null;
    }

    /** The reading of the clock at which a release that is under way must have ended; empty if there is none. */
    OptionalLong releaseEndsBy(long now) {
        for (Releasing release : releases) {
            long deadline = release.hold().deadline();
            if (deadline - now > 0) {
                return OptionalLong.of(deadline);
            }
        }
        return OptionalLong.empty();
    }

    /** Each completes with the end of a release. */
    List<CompletableFuture<Void>> releases() {
        return releases.stream().map(Releasing::ended).toList();
    }

    boolean isEmpty() {
        return newest == null && older.isEmpty() && releases.isEmpty();
    }
}
