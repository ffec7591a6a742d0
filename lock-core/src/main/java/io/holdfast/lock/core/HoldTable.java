package io.holdfast.lock.core;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The holds in force of one client, by lock name and owner: what an owner re-enters, and what close gives up. */
final class HoldTable {

    private final ConcurrentHashMap<HoldKey, Hold> holds = new ConcurrentHashMap<>();

    Optional<Hold> find(HoldKey key) {
        return Optional.ofNullable(holds.get(key));
    }

    /** Enters a hold, unless its owner has one already: then that one is returned and nothing changes. */
    Optional<Hold> putIfAbsent(Hold hold) {
        return Optional.ofNullable(holds.putIfAbsent(hold.key(), hold));
    }

    /** Removes this very hold; a newer one of the same owner stays. */
    void remove(Hold hold) {
        holds.remove(hold.key(), hold);
    }

    List<Hold> all() {
        return List.copyOf(holds.values());
    }
}
