package io.holdfast.wrong.memory;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest.Claimant;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.lock.tck.LockHarness;
import io.holdfast.wrong.WrongProvider;
import io.holdfast.wrong.memory.PlainLock.Entry;
import io.holdfast.wrong.memory.PlainLock.Grant;
import io.holdfast.wrong.memory.PlainLock.Waiter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Faults on the side of the server. */
enum LastFaultsOfStores implements WrongProvider {

    /**
     * The store deletes a record with all below its path: who releases "orders" frees "orders/7" under its holder's hands (5.1,
     * 1.1).
     */
    RELEASE_FREES_WHAT_LIES_BELOW(() -> new PlainStore(Traits.PLAIN) {
        @Override
        Release free(PlainLock lock, PlainClaim claim) {
            Release answer = super.free(lock, claim);
            if (answer == Release.RELEASED) {
                locks.values().stream()
                        .filter(other -> other.grant != null && other.key.startsWith(lock.key + "/"))
                        .forEach(other -> end(other, other.key));
            }
            return answer;
        }
    }),

    /**
     * The store counts the holds of an owner, but only in one process: a workflow that moves to another process locks itself out
     * until its lease ends (4.6).
     */
    REENTRY_STOPS_AT_THE_PROCESS(() -> new PlainStore(Traits.SHARED) {
        @Override
        boolean admits(PlainLock lock, PlainClaim claim) {
            return super.admits(lock, claim)
                    && (lock.grant == null || lock.isHeldBy(claim) || isNear(lock.grant.claimant, claim.claimant()));
        }

        private boolean isNear(Claimant one, Claimant other) {
            return one.host().equals(other.host()) && one.pid() == other.pid();
        }
    }),

    /**
     * One expiry stands for all holds of an owner: an inner acquire with a short lease cuts the outer hold's lease, and a rival
     * gets in (4.3, 2.2).
     */
    JOINING_SETS_ONE_LEASE_FOR_ALL(() -> new PlainStore(Traits.SHARED) {
        @Override
        void enter(PlainLock lock, Grant grant, PlainClaim claim) {
            super.enter(lock, grant, claim);
            grant.entries.replaceAll((id, entry) -> entry.until(now + leaseNanos(claim)));
        }
    }),

    /**
     * The milliseconds of a lease go through an int: a lease of 25 to 49 days is over at once and two hold the lock; one of 365
     * days lasts 17 (2.2, 1.1).
     */
    LEASE_OF_A_MONTH_IS_OVER_AT_ONCE(() -> new PlainStore(Traits.PLAIN) {
        @Override
        long leaseNanos(PlainClaim claim) {
            int millis = (int) claim.lease().toMillis();
            return millis * 1_000_000L;
        }
    }),

    /**
     * A renewal that comes early saves the write but promises the full validity: the holder believes in its lock for up to half
     * of the lease too long (2.5).
     */
    EARLY_RENEWAL_IS_ANSWERED_BUT_NOT_WRITTEN(() -> new PlainStore(Traits.PLAIN) {
        @Override
        Renewal prolong(PlainLock lock, PlainClaim claim) {
            Entry entry = lock.grant == null ? null : lock.grant.entries.get(claim.id());
            if (entry != null && entry.ends() - now > leaseNanos(claim) / 2) {
                return new Renewal.Held(validFor(claim));
            }
            return super.prolong(lock, claim);
        }
    }),

    /**
     * The answers of a batch are filed by lock name: a holder whose lock was removed and went to its neighbour in the client is
     * told that it still holds it (8.5, 3.2).
     */
    BATCH_ANSWERS_BY_NAME(() -> new PlainStore(Traits.PLAIN) {
        @Override
        List<Renewal> renewAll(List<PlainClaim> claims) {
            Map<String, Renewal> answers = new HashMap<>();
            claims.forEach(claim -> answers.put(claim.name(), renew(claim)));
            return claims.stream()
                    .map(claim -> Objects.requireNonNull(answers.get(claim.name())))
                    .toList();
        }
    }),

    /**
     * One statement renews a batch, with the lease of its first claim: a lock with a longer lease ends early behind its holder's
     * back (2.2, 2.5, 2.1).
     */
    BATCH_GIVES_ALL_THE_LEASE_OF_THE_FIRST(() -> new PlainStore(Traits.PLAIN) {
        @Override
        List<Renewal> renewAll(List<PlainClaim> claims) {
            List<Renewal> answers = new ArrayList<>();
            claims.forEach(claim ->
                    answers.add(alone(claim.name(), lock -> prolongFor(leaseNanos(claims.get(0)), lock, claim))));
            return answers;
        }

        private Renewal prolongFor(long nanos, PlainLock lock, PlainClaim claim) {
            Renewal answer = prolong(lock, claim);
            if (lock.grant != null) {
                lock.grant.entries.computeIfPresent(claim.id(), (id, entry) -> entry.until(now + nanos));
            }
            return answer;
        }
    }),

    /**
     * The store counts the holds of an owner and not the claims: a release that is repeated takes away the hold that the owner
     * has through another client (5.3, 4.2, 4.6).
     */
    REPEATED_RELEASE_GIVES_BACK_ANOTHER_HOLD(() -> new PlainStore(Traits.SHARED) {
        @Override
        Release free(PlainLock lock, PlainClaim claim) {
            Grant grant = lock.grant;
            if (grant == null || lock.isHeldBy(claim) || !grant.ownerId.equals(claim.ownerId())) {
                return super.free(lock, claim);
            }
            grant.entries.remove(grant.entries.keySet().iterator().next());
            if (grant.entries.isEmpty()) {
                end(lock, claim.name());
            }
            return Release.RELEASED;
        }
    }),

    /**
     * A renewal asks for the owner and not for the claim: a late renewal brings a released hold back while the owner holds the
     * lock elsewhere, and the last release does not free it (3.2, 3.5, 4.6).
     */
    RENEWAL_COMPARES_THE_OWNER(() -> new PlainStore(Traits.SHARED) {
        @Override
        Renewal prolong(PlainLock lock, PlainClaim claim) {
            if (lock.grant != null && lock.grant.ownerId.equals(claim.ownerId())) {
                enter(lock, lock.grant, claim);
            }
            return super.prolong(lock, claim);
        }
    }),

    /**
     * To spread the attempts, the pause grows with the number of waiters: behind a dead holder a crowd sleeps far past the end of
     * its lease (7.3).
     */
    RETRY_AFTER_GROWS_WITH_THE_QUEUE(() -> new PlainStore(Traits.PLAIN) {
        @Override
        Optional<Duration> retryAfter(PlainLock lock, PlainClaim claim) {
            return super.retryAfter(lock, claim).map(left -> left.multipliedBy(Math.max(1, lock.line.size())));
        }
    }),

    /**
     * The lease runs from the moment when the first in line was told, its validity from the attempt: a waiter that was slow to
     * come believes in its lock for too long (2.5, 2.6).
     */
    LEASE_BEGINS_WITH_THE_RESERVATION(() -> new PlainStore(Traits.LINE) {
        @Override
        Attempt grant(PlainLock lock, PlainClaim claim) {
            Waiter waiter = lock.line.get(claim.id());
            Attempt answer = super.grant(lock, claim);
            if (waiter != null && waiter.told && lock.grant != null) {
                long ends = waiter.toldAt + leaseNanos(claim);
                lock.grant.entries.computeIfPresent(claim.id(), (id, entry) -> entry.until(ends));
            }
            return answer;
        }
    }),

    /** Long names are kept without their middle: two jobs whose names differ only there exclude each other (1.4). */
    LONG_NAMES_LOSE_THEIR_MIDDLE(() -> new PlainStore(Traits.PLAIN) {
        @Override
        String key(String name) {
            return name.length() <= 200 ? name : name.substring(0, 100) + "..." + name.substring(name.length() - 100);
        }
    }),

    /** The client that held a lock last gets it back past the line: one that works in a loop starves all others (7.5). */
    LAST_HOLDER_PASSES_THE_LINE(() -> new PlainStore(Traits.LINE) {
        private final Map<String, MemoryProvider> last = new HashMap<>();

        @Override
        boolean admits(PlainLock lock, PlainClaim claim) {
            return super.admits(lock, claim) || (lock.grant == null && last.get(lock.key) == claim.provider);
        }

        @Override
        Grant newGrant(PlainLock lock, PlainClaim claim) {
            last.put(lock.key, claim.provider);
            // Who was passed is told again of the next release.
            lock.line.values().forEach(waiter -> waiter.told = false);
            return super.newGrant(lock, claim);
        }
    }),

    /**
     * Every attempt of another claim prolongs the time that is left to the first in line: on a busy lock a dead waiter stops all
     * others without end (7.2).
     */
    RESERVATION_IS_PROLONGED_BY_EVERY_ATTEMPT(() -> new PlainStore(Traits.LINE) {
        @Override
        Attempt contend(PlainLock lock, PlainClaim claim) {
            if (lock.grant == null) {
                first(lock).filter(waiter -> waiter.told).ifPresent(waiter -> waiter.toldAt = now);
            }
            return super.contend(lock, claim);
        }
    }),

    /**
     * A waiter draws its token when it begins to wait, in a store without order: one that others overtake is granted a token
     * below theirs, and its writes are refused (6.1, 6.7).
     */
    TOKEN_IS_DRAWN_WHEN_THE_WAIT_BEGINS(() -> new PlainStore(Traits.PLAIN) {
        private final Map<String, Long> drawn = new HashMap<>();

        @Override
        Attempt contend(PlainLock lock, PlainClaim claim) {
            if (claim.waits()) {
                drawn.computeIfAbsent(claim.id(), id -> super.nextToken(claim));
            }
            return super.contend(lock, claim);
        }

        @Override
        long nextToken(PlainClaim claim) {
            Long token = drawn.remove(claim.id());
            return token != null ? token : super.nextToken(claim);
        }

        @Override
        void withdraw(PlainLock lock, PlainClaim claim) {
            drawn.remove(claim.id());
            super.withdraw(lock, claim);
        }
    }),

    /**
     * Only the claim that began a hold sends the message: when the last release of a workflow comes from another process, waiters
     * sleep on beside a free lock (7.2, 4.6).
     */
    RELEASE_BY_A_JOINED_CLAIM_WAKES_NOBODY(() -> new PlainStore(Traits.SHARED) {
        private final Map<Grant, PlainClaim> founders = new WeakHashMap<>();
        private boolean silent;

        @Override
        Grant newGrant(PlainLock lock, PlainClaim claim) {
            Grant grant = super.newGrant(lock, claim);
            founders.put(grant, claim);
            return grant;
        }

        @Override
        Release free(PlainLock lock, PlainClaim claim) {
            silent = lock.grant != null && founders.get(lock.grant) != claim;
            Release answer = super.free(lock, claim);
            silent = false;
            return answer;
        }

        @Override
        void announce(PlainLock lock, String name) {
            if (!silent) {
                super.announce(lock, name);
            }
        }
    }),

    /**
     * Taking over an expired record leaves its columns for host, process and thread as they were: the operator kills or searches
     * the wrong process (9.8).
     */
    TAKEOVER_SHOWS_THE_PROCESS_OF_THE_DEAD(() -> new RecordKeepingStore() {
        @Override
        Grant newGrant(PlainLock lock, PlainClaim claim) {
            Grant grant = super.newGrant(lock, claim);
            Grant before = takeEnded(lock);
            if (before != null) {
                grant.claimant = before.claimant;
            }
            return grant;
        }
    }),

    /**
     * An owner that comes back to the record of its own expired hold is taken to re-enter it: late writes of the lost hold pass
     * the fence of the new one (4.5, 6.1).
     */
    OWNER_COMES_BACK_UNDER_ITS_OLD_TOKEN(() -> new RecordKeepingStore() {
        @Override
        Grant newGrant(PlainLock lock, PlainClaim claim) {
            Grant before = takeEnded(lock);
            return before != null && before.ownerId.equals(claim.ownerId())
                    ? new Grant(claim, before.token, now)
                    : super.newGrant(lock, claim);
        }
    }),

    /**
     * A new leader starts each lease again, also those that ended while there was none: after an outage a dead holder's lock is
     * kept for a whole lease more (2.1, 7.3).
     */
    OUTAGE_GIVES_EVERY_LEASE_AGAIN(() -> new PlainStore(Traits.PLAIN) {
        @Override
        void beginOutage() {
            synchronized (this) {
                now = clock.getAsLong();
                locks.values().forEach(this::dropEnded);
            }
            super.beginOutage();
        }

        @Override
        void endOutage() {
            synchronized (this) {
                now = clock.getAsLong();
                locks.values().forEach(this::startAgain);
            }
            super.endOutage();
        }

        private void startAgain(PlainLock lock) {
            if (lock.grant != null) {
                lock.grant.entries.replaceAll((id, entry) -> entry.until(now + leaseNanos(entry.claim())));
            }
        }
    }),

    /**
     * The log is written to disk once a second: a release just before an outage is undone, and the lock stays held by nobody
     * until its lease ends (5.4).
     */
    OUTAGE_UNDOES_THE_RELEASES_OF_THE_LAST_SECOND(() -> new PlainStore(Traits.PLAIN) {
        private final Map<String, Released> unwritten = new LinkedHashMap<>();

        @Override
        Release free(PlainLock lock, PlainClaim claim) {
            Grant grant = lock.grant;
            Entry entry = grant == null ? null : grant.entries.get(claim.id());
            Release answer = super.free(lock, claim);
            if (grant != null && entry != null) {
                unwritten.put(lock.key, new Released(grant, entry, now));
            }
            return answer;
        }

        @Override
        void beginOutage() {
            synchronized (this) {
                now = clock.getAsLong();
                unwritten.values().removeIf(released -> now - released.at() >= RESERVED);
            }
            super.beginOutage();
        }

        @Override
        void endOutage() {
            synchronized (this) {
                unwritten.forEach(this::undo);
                unwritten.clear();
            }
            super.endOutage();
        }

        private void undo(String key, Released released) {
            PlainLock lock = locks.computeIfAbsent(key, PlainLock::new);
            if (lock.grant == null) {
                released.grant().put(released.entry());
                lock.grant = released.grant();
            }
        }
    }),

    /**
     * No lease can be prolonged past ten times its length, and the answers do not say so: a long job loses its lock and goes on
     * working (2.5, 3.4).
     */
    RENEWALS_END_AT_A_SILENT_MAXIMUM(() -> new PlainStore(Traits.PLAIN) {
        @Override
        void enter(PlainLock lock, Grant grant, PlainClaim claim) {
            super.enter(lock, grant, claim);
            long latest = grant.began + 10 * leaseNanos(claim);
            grant.entries.computeIfPresent(
                    claim.id(), (id, entry) -> entry.ends() > latest ? entry.until(latest) : entry);
        }
    }),

    /**
     * A renewal counts as a sign of life for all locks of its client: a hold that was left behind without renewal never ends
     * while the client renews another one (3.1, 2.1).
     */
    RENEWAL_PROLONGS_ALL_LOCKS_OF_THE_CLIENT(() -> new PlainStore(Traits.PLAIN) {
        @Override
        Renewal prolong(PlainLock lock, PlainClaim claim) {
            Renewal answer = super.prolong(lock, claim);
            if (answer instanceof Renewal.Held) {
                locks.values().forEach(other -> prolongAll(other.grant, claim.provider));
            }
            return answer;
        }

        private void prolongAll(@Nullable Grant grant, MemoryProvider client) {
            if (grant != null) {
                grant.entries.replaceAll((id, entry) -> entry.claim().provider == client && !hasEnded(entry)
                        ? entry.until(now + leaseNanos(entry.claim()))
                        : entry);
            }
        }
    }),

    /** A new leader reads the line from its newest record on: after an outage who came last is served first (7.5). */
    OUTAGE_TURNS_THE_LINE_AROUND(() -> new PlainStore(Traits.LINE) {
        @Override
        void endOutage() {
            synchronized (this) {
                locks.values().forEach(this::turn);
            }
            super.endOutage();
        }

        private void turn(PlainLock lock) {
            List<Waiter> waiters = new ArrayList<>(lock.line.values());
            Collections.reverse(waiters);
            lock.line.clear();
            waiters.forEach(waiter -> {
                waiter.told = false;
                lock.line.put(waiter.claim.id(), waiter);
            });
        }
    }),

    /**
     * The queue of the lock "jobs" has the key "jobs:queue": a lock of that name cannot be had while the other has waiters (1.4).
     */
    KEEPS_A_QUEUE_WHERE_A_LOCK_MAY_BE(() -> new PlainStore(Traits.PLAIN) {
        @Override
        boolean admits(PlainLock lock, PlainClaim claim) {
            String suffix = ":queue";
            PlainLock other = claim.name().endsWith(suffix)
                    ? locks.get(claim.name().substring(0, claim.name().length() - suffix.length()))
                    : null;
            return (other == null || other.line.isEmpty()) && super.admits(lock, claim);
        }
    }),

    /**
     * Renewals go in portions of 16, and the last one is forgotten behind a full one: a client with 17 to 31 locks loses some
     * (2.2, 3.1).
     */
    FORGETS_THE_LAST_PORTION_OF_RENEWALS(() -> new PlainStore(Traits.PLAIN) {
        @Override
        List<Renewal> renewAll(List<PlainClaim> claims) {
            int full = claims.size() - claims.size() % 16;
            List<Renewal> answers = new ArrayList<>();
            for (PlainClaim claim : claims) {
                boolean forgotten = full > 0 && answers.size() >= full;
                answers.add(forgotten ? new Renewal.Held(validFor(claim)) : renew(claim));
            }
            return answers;
        }
    }),

    /**
     * Only a single renewal looks at the time: with others, a claim comes back after its lease if nobody has asked meanwhile
     * (2.1, 3.2).
     */
    BATCH_REVIVES_ENDED_CLAIMS(() -> new PlainStore(Traits.PLAIN) {
        private boolean revives;

        @Override
        synchronized List<Renewal> renewAll(List<PlainClaim> claims) {
            revives = true;
            try {
                return super.renewAll(claims);
            } finally {
                revives = false;
            }
        }

        @Override
        void dropEnded(PlainLock lock) {
            if (!revives) {
                super.dropEnded(lock);
            }
        }
    }),

    /** A claim is woken once in its life: one that missed its turn and waits again sleeps when its turn comes again (7.2). */
    WAKES_A_CLAIM_ONCE(() -> new PlainStore(Traits.LINE) {
        private final Set<PlainClaim> told = Collections.newSetFromMap(new WeakHashMap<>());

        @Override
        void tell(Waiter waiter) {
            if (told.add(waiter.claim)) {
                super.tell(waiter);
            } else {
                waiter.told = true;
                waiter.toldAt = now;
            }
        }
    }),

    /**
     * The end of a lease is told to the owner's latest claim: who loses a lock and takes it again is told that this one is lost
     * (8.1).
     */
    TELLS_THE_NEXT_CLAIM_OF_THE_END(() -> new PlainStore(Traits.PLAIN) {
        @Override
        Attempt attempt(PlainClaim claim) {
            Grant before = raw(claim.name(), lock -> lock.grant);
            Attempt answer = super.attempt(claim);
            if (before != null
                    && before.ownerId.equals(claim.ownerId())
                    && raw(claim.name(), lock -> lock.isHeldBy(claim) && lock.grant != before)) {
                claim.signals.lost(LossCause.EXPIRED);
            }
            return answer;
        }
    }),

    /** An attempt that finds less than 100 ms of a lease waits for its end: an acquire that does not wait blocks (1.2). */
    WAITS_FOR_A_LEASE_THAT_ENDS_SOON(() -> new PlainStore(Traits.PLAIN) {
        @Override
        Attempt attempt(PlainClaim claim) {
            Attempt answer = super.attempt(claim);
            Optional<Duration> left =
                    answer instanceof Attempt.Contended contended ? contended.retryAfter() : Optional.empty();
            if (left.isEmpty() || left.get().toMillis() >= 100) {
                return answer;
            }
            LockSupport.parkNanos(left.get().toNanos());
            return super.attempt(claim);
        }
    }),

    /**
     * Messages are read in another encoding than they are written: waiters of names with other letters than those of ASCII sleep
     * on (7.2).
     */
    WAKES_ONLY_NAMES_OF_ASCII(() -> new PlainStore(Traits.FEED) {
        @Override
        void announce(PlainLock lock, String name) {
            super.announce(lock, new String(name.getBytes(UTF_8), ISO_8859_1));
        }
    }),

    /**
     * Who is refused is told the length of the lease in place of what is left of it: who comes late behind a dead holder sleeps
     * too long (7.3).
     */
    TELLS_THE_LENGTH_OF_THE_LEASE(() -> new PlainStore(Traits.PLAIN) {
        @Override
        Optional<Duration> retryAfter(PlainLock lock, PlainClaim claim) {
            Optional<Duration> left = super.retryAfter(lock, claim);
            return lock.grant == null
                    ? left
                    : lock.grant.entries.values().stream()
                            .map(entry -> Duration.ofNanos(leaseNanos(entry.claim())))
                            .findFirst();
        }
    }),

    /** The line has room for 100: who comes later gets an error in place of "held" (1.6). */
    LINE_HAS_ROOM_FOR_A_HUNDRED(() -> new PlainStore(Traits.LINE) {
        @Override
        Attempt contend(PlainLock lock, PlainClaim claim) {
            if (lock.line.size() >= 100 && !lock.line.containsKey(claim.id())) {
                throw new LockStoreException("The line of " + lock.key + " is full");
            }
            return super.contend(lock, claim);
        }
    }),

    /**
     * A claim that joins its owner's lock is told the end of the longest lease: if its own is shorter, its holder believes in it
     * for too long (2.5).
     */
    JOINING_IS_VALID_FOR_THE_LONGEST_LEASE(() -> new PlainStore(Traits.SHARED) {
        @Override
        Attempt grant(PlainLock lock, PlainClaim claim) {
            Attempt answer = super.grant(lock, claim);
            long left = lock.grant == null
                    ? 0
                    : lock.grant.entries.values().stream()
                            .mapToLong(entry -> entry.ends() - now)
                            .max()
                            .orElse(0);
            return answer instanceof Attempt.Granted granted && left > leaseNanos(claim)
                    ? new Attempt.Granted(granted.fencingToken().orElseThrow(), Duration.ofNanos(left))
                    : answer;
        }
    }),

    /**
     * A renewal within a fifth of a second after the last write is answered and not written: the claim ends before its holder
     * believes (2.5).
     */
    RENEWAL_SOON_AFTER_A_WRITE_IS_NOT_WRITTEN(() -> new PlainStore(Traits.PLAIN) {
        private static final long JUST_WRITTEN = 200_000_000;

        @Override
        Renewal prolong(PlainLock lock, PlainClaim claim) {
            Entry entry = lock.grant == null ? null : lock.grant.entries.get(claim.id());
            return entry != null && now - (entry.ends() - leaseNanos(claim)) < JUST_WRITTEN
                    ? new Renewal.Held(validFor(claim))
                    : super.prolong(lock, claim);
        }
    }),

    /**
     * The statement of a batch writes host, process and thread, too, of its first claim: after that all locks of a client show
     * these (9.8).
     */
    BATCH_WRITES_THE_CLAIMANT_OF_THE_FIRST(() -> new PlainStore(Traits.PLAIN) {
        @Override
        List<Renewal> renewAll(List<PlainClaim> claims) {
            List<Renewal> answers = super.renewAll(claims);
            claims.forEach(claim -> raw(claim.name(), lock -> {
                if (lock.grant != null) {
                    lock.grant.claimant = claims.get(0).claimant();
                }
                return lock;
            }));
            return answers;
        }
    }),

    /** A batch is one transaction, which a claim that is lost rolls back; but the others have been answered (2.5, 3.1). */
    LOST_CLAIM_ROLLS_THE_BATCH_BACK(() -> new PlainStore(Traits.PLAIN) {
        @Override
        List<Renewal> renewAll(List<PlainClaim> claims) {
            Map<PlainClaim, Entry> before = new HashMap<>();
            claims.forEach(claim -> raw(claim.name(), lock -> {
                Entry entry = lock.grant == null ? null : lock.grant.entries.get(claim.id());
                return entry == null ? null : before.put(claim, entry);
            }));
            List<Renewal> answers = super.renewAll(claims);
            if (answers.stream().anyMatch(Renewal.Lost.class::isInstance)) {
                before.forEach((claim, entry) -> raw(
                        claim.name(),
                        lock -> lock.grant == null
                                ? null
                                : lock.grant.entries.computeIfPresent(claim.id(), (id, now) -> entry)));
            }
            return answers;
        }
    }),

    /**
     * A claim that waited and gets in as its owner has got in meanwhile keeps its place in the line: nobody else comes (1.5,
     * 5.4).
     */
    PLACE_OF_A_NESTED_CLAIM_STAYS(() -> new PlainStore(Traits.SHARED) {
        private final Map<String, Long> occupiedUntil = new HashMap<>();

        @Override
        boolean admits(PlainLock lock, PlainClaim claim) {
            boolean occupied = occupiedUntil.getOrDefault(lock.key, now) - now > 0;
            return super.admits(lock, claim) && (lock.grant != null || !occupied);
        }

        @Override
        Attempt grant(PlainLock lock, PlainClaim claim) {
            if (lock.grant != null && lock.line.containsKey(claim.id())) {
                occupiedUntil.put(lock.key, now + Duration.ofSeconds(8).toNanos());
            }
            return super.grant(lock, claim);
        }
    }),

    /** A nested attempt that is repeated, as its answer was lost, counts as one more hold, which nobody releases (1.3, 4.2). */
    REPEATED_NESTED_ATTEMPT_COUNTS(() -> new PlainStore(Traits.SHARED) {
        private final Set<String> nested = new HashSet<>();

        @Override
        Attempt grant(PlainLock lock, PlainClaim claim) {
            boolean again = lock.isHeldBy(claim) && nested.contains(claim.id());
            if (lock.grant != null && !lock.isHeldBy(claim)) {
                nested.add(claim.id());
            }
            Attempt granted = super.grant(lock, claim);
            if (again && lock.grant != null) {
                lock.grant.entries.put(
                        claim.id() + " again", Objects.requireNonNull(lock.grant.entries.get(claim.id())));
            }
            return granted;
        }
    });

    @SuppressWarnings("ImmutableEnumChecker") // The supplier keeps nothing: each call makes a new store.
    private final Supplier<PlainStore> store;

    LastFaultsOfStores(Supplier<PlainStore> store) {
        this.store = store;
    }

    @Override
    public LockHarness harness() {
        return new PlainHarness(store.get());
    }

    /** A release that is not on disk yet. */
    private record Released(Grant grant, Entry entry, long at) {}
}
