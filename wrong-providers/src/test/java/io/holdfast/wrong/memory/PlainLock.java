package io.holdfast.wrong.memory;

import io.holdfast.lock.spi.ClaimRequest.Claimant;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** One lock: the record of its grant, if it is held, and the claims that wait for it. Guarded by the store's monitor. */
final class PlainLock {

    final String key;

    /** The claims that wait, by id, in the order in which they came. */
    final Map<String, Waiter> line = new LinkedHashMap<>();

    @Nullable
    Grant grant;

    private int arrivals;

    PlainLock(String key) {
        this.key = key;
    }

    boolean isHeldBy(PlainClaim claim) {
        return grant != null && grant.entries.containsKey(claim.id());
    }

    void addWaiter(PlainClaim claim) {
        if (!line.containsKey(claim.id())) {
            line.put(claim.id(), new Waiter(claim, ++arrivals, line.size()));
        }
    }

    Optional<Waiter> first() {
        return line.values().stream().findFirst();
    }

    boolean isUnused() {
        return grant == null && line.isEmpty();
    }

    /** The record of a grant. It lives as long as one claim of the owner is in force. */
    static final class Grant {
        final String ownerId;
        final long token;
        final long began;
        final Map<String, Entry> entries = new LinkedHashMap<>();
        Claimant claimant;
        Instant since;
        int entered;

        Grant(PlainClaim claim, long token, long began) {
            this.ownerId = claim.ownerId();
            this.claimant = claim.claimant();
            this.token = token;
            this.began = began;
            this.since = Instant.now();
        }

        void put(Entry entry) {
            if (entries.put(entry.claim.id(), entry) == null) {
                entered++;
            }
        }
    }

    /** One claim in force, until a reading of the store's clock or the end of its session. */
    record Entry(PlainClaim claim, Session session, long ends) {

        Entry until(long time) {
            return new Entry(claim, session, time);
        }
    }

    /** One connection of a client with the store, as long as the store remembers it. */
    static final class Session {
        boolean ended;

        /** When the store last heard of the client. */
        long heard;

        /** The claims with a lease that is no longer than the session: while there are some, the client sends no heartbeats. */
        final Set<PlainClaim> mortal = ConcurrentHashMap.newKeySet();

        boolean isSilent(long now, long timeout) {
            return !mortal.isEmpty() && now - heard >= timeout;
        }
    }

    /** A claim that waits. */
    static final class Waiter {
        final PlainClaim claim;
        /** The number in the order of arrival, from 1. */
        final int number;
        /** How many were before it when it came. */
        final int place;

        boolean told;
        long toldAt;

        Waiter(PlainClaim claim, int number, int place) {
            this.claim = claim;
            this.number = number;
            this.place = place;
        }
    }
}
