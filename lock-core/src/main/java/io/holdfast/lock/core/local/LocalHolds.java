package io.holdfast.lock.core.local;

import io.holdfast.lock.core.claim.OwnerId;
import io.holdfast.lock.core.hold.Hold;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The holds of one lock in this client, by owner, and their releases that are under way. Guarded by the mutex of the {@link LocalLock}. */
final class LocalHolds {

    private final Map<String, Hold> byOwner = new HashMap<>();
    private final Map<Hold, CompletableFuture<Void>> releases = new LinkedHashMap<>();

    /** The latest of the holds; null if that has ended. */
    private @Nullable Hold newest;

    void add(Hold hold) {
        newest = hold;
        byOwner.put(hold.owner().id(), hold);
    }

    void remove(Hold hold) {
        newest = newest == hold ? null : newest;
        byOwner.remove(hold.owner().id(), hold);
    }

    /** The hold of an owner; null if there is none. */
    @Nullable
    Hold of(OwnerId owner) {
        return byOwner.get(owner.id());
    }

    /** The hold that an owner may share; null if there is none. */
    @Nullable
    Hold toShareWith(OwnerId owner) {
        return owner.mayReenter() ? of(owner) : null;
    }

    Collection<Hold> all() {
        return byOwner.values();
    }

    /** Whether this client certainly holds the lock at a reading of the clock. */
    boolean isHeldAt(long now) {
        return byOwner.values().stream().anyMatch(hold -> hold.isHeldAt(now));
    }

    /** Whether a hold is the only one: beside a later grant, its claim is over at the store. */
    boolean isOnly(Hold hold) {
        return newest == hold && byOwner.size() == 1;
    }

    /** The only hold; null if there is none, or more than one. */
    @Nullable
    Hold only() {
        return byOwner.size() == 1 ? newest : null;
    }

    /** The last handle of a hold is being released. */
    void beginRelease(Hold hold) {
        remove(hold);
        releases.putIfAbsent(hold, new CompletableFuture<>());
    }

    /** A release has ended. Returns what is to be completed, without the mutex; null if it was returned before. */
    @Nullable
    CompletableFuture<Void> endRelease(Hold hold) {
        return releases.remove(hold);
    }

    /** The reading of the clock at which a release that is under way must have ended; empty if there is none. */
    OptionalLong releaseEndsBy(long now) {
        return releases.keySet().stream()
                .mapToLong(Hold::deadline)
                .filter(deadline -> deadline - now > 0)
                .findFirst();
    }

    /** Each completes with the end of a release. */
    List<CompletableFuture<?>> releases() {
        return new ArrayList<>(releases.values());
    }

    boolean isEmpty() {
        return byOwner.isEmpty() && releases.isEmpty();
    }
}
