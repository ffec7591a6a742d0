package io.holdfast.wrong.memory;

import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.spi.Attempt;
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
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** More faults on the side of the server. */
enum NewFaultsOfStores implements WrongProvider {

    /**
     * The store takes the part of a name in braces, which only chooses its server, for the whole key: "stock{7}" and "price{7}"
     * stop each other (1.4).
     */
    NAMES_WITH_THE_SAME_HASH_TAG_ARE_ONE_LOCK(() -> new PlainStore(Traits.PLAIN) {
        private final Pattern tag = Pattern.compile("\\{([^}]+)\\}");

        @Override
        String key(String name) {
            Matcher found = tag.matcher(name);
            return found.find() ? found.group(1) : name;
        }
    }),

    /**
     * The column of the owner is a little too short and the database cuts what does not fit: two workflows whose long ids differ
     * at the end hold the lock together (4.4, 1.1).
     */
    OWNER_IDS_ARE_CUT_AT_255_CHARACTERS(() -> new PlainStore(Traits.SHARED) {
        @Override
        String ownerKey(String ownerId) {
            return ownerId.substring(0, Math.min(255, ownerId.length()));
        }
    }),

    /**
     * In the name of fairness an owner that re-enters from another process has to let those pass who wait already, and they wait
     * for that owner: a deadlock until the outer hold gives up (4.6).
     */
    RE_ENTRY_QUEUES_BEHIND_STRANGERS(() -> new PlainStore(Traits.SHARED) {
        @Override
        boolean admits(PlainLock lock, PlainClaim claim) {
            boolean strangersWait = lock.line.values().stream()
                    .anyMatch(waiter -> !waiter.claim.ownerId().equals(claim.ownerId()));
            boolean reenters = lock.grant != null && !lock.isHeldBy(claim);
            return super.admits(lock, claim) && !(reenters && strangersWait);
        }
    }),

    /**
     * The one expiry of the record belongs to the oldest hold: where the process dies that began a workflow, the process that
     * goes on with it loses the lock although it renews, and a stranger comes in beside it (2.2, 2.5, 4.2).
     */
    THE_RECORD_ENDS_WITH_THE_OLDEST_HOLD(() -> new PlainStore(Traits.SHARED) {
        @Override
        void dropEnded(PlainLock lock) {
            if (lock.grant != null
                    && lock.grant.entries.values().stream()
                            .findFirst()
                            .filter(this::hasEnded)
                            .isPresent()) {
                lock.grant = null;
            }
            super.dropEnded(lock);
        }
    }),

    /**
     * A renewal prolongs the owner's record as a whole: the hold of a process that died is renewed by its sister, and the lock is
     * not free after the last release (3.1, 2.1).
     */
    A_RENEWAL_PROLONGS_ALL_HOLDS_OF_ITS_OWNER(() -> new PlainStore(Traits.SHARED) {
        @Override
        Renewal prolong(PlainLock lock, PlainClaim claim) {
            Renewal answer = super.prolong(lock, claim);
            if (answer instanceof Renewal.Held && lock.grant != null) {
                long ends = now + leaseNanos(claim);
                lock.grant.entries.replaceAll((id, entry) -> entry.until(Math.max(entry.ends(), ends)));
            }
            return answer;
        }
    }),

    /**
     * The store deletes where the claim's id begins with that of the release: a late or repeated release of a client's first
     * claim frees the lock that its 36th claim holds, and a rival comes in (5.1, 5.2, 5.3).
     */
    CLAIM_IDS_ARE_COMPARED_BY_THEIR_BEGINNING(() -> new PlainStore(Traits.PLAIN) {
        @Override
        Release free(PlainLock lock, PlainClaim claim) {
            Release answer = super.free(lock, claim);
            if (answer == Release.NOT_HELD
                    && lock.grant != null
                    && lock.grant.entries.keySet().removeIf(id -> id.startsWith(claim.id()))) {
                end(lock, claim.name());
                return Release.RELEASED;
            }
            return answer;
        }
    }),

    /**
     * One request carries one lease for the whole batch, that of the first claim: a long lease that is renewed beside a short one
     * ends with the short one, while its holder counts on the long one (2.5, 2.2).
     */
    A_BATCH_IS_RENEWED_FOR_THE_LEASE_OF_ITS_FIRST(() -> new PlainStore(Traits.PLAIN) {
        @Override
        List<Renewal> renewAll(List<PlainClaim> claims) {
            return claims.stream()
                    .map(claim -> alone(claim.name(), lock -> prolong(lock, claim, leaseNanos(claims.get(0)))))
                    .toList();
        }

        private Renewal prolong(PlainLock lock, PlainClaim claim, long lease) {
            Renewal answer = prolong(lock, claim);
            if (answer instanceof Renewal.Held && lock.grant != null) {
                lock.grant.put(new Entry(claim, sessionOf(claim), now + lease));
            }
            return answer;
        }
    }),

    /**
     * A batch answers with the records that it found, and a claim without one counts as not answered: after an operator has
     * removed the lock its holder goes on until the deadline, beside the next one (8.5, 3.2).
     */
    A_BATCH_TAKES_A_MISSING_RECORD_FOR_NO_ANSWER(() -> new PlainStore(Traits.PLAIN) {
        @Override
        List<Renewal> renewAll(List<PlainClaim> claims) {
            List<Renewal> answers = new ArrayList<>(super.renewAll(claims));
            answers.replaceAll(answer -> answer instanceof Renewal.Lost
                    ? new Renewal.Unknown(new LockStoreException("The batch has no answer for this claim"))
                    : answer);
            return answers;
        }
    }),

    /**
     * To save writes, a renewal writes nothing while more than half of the lease is left, and promises a whole lease all the
     * same: a holder that pauses after it believes in a lock that another one has (2.5).
     */
    A_RENEWAL_WRITES_NOTHING_WHILE_MUCH_IS_LEFT(() -> new PlainStore(Traits.PLAIN) {
        @Override
        Renewal prolong(PlainLock lock, PlainClaim claim) {
            Optional<Entry> entry = Optional.ofNullable(lock.grant)
                    .flatMap(grant -> Optional.ofNullable(grant.entries.get(claim.id())))
                    .filter(own -> own.ends() - now > leaseNanos(claim) / 2);
            return entry.isPresent() ? new Renewal.Held(validFor(claim)) : super.prolong(lock, claim);
        }
    }),

    /**
     * A waiter leaves a mark in the holder's record, and a renewal writes the record anew without it: the release after it wakes
     * nobody (7.2).
     */
    A_RENEWAL_FORGETS_THAT_SOMEBODY_WAITS(() -> new PlainStore(Traits.PLAIN) {
        private final Set<Grant> awaited = Collections.newSetFromMap(new WeakHashMap<>());

        @Override
        Attempt contend(PlainLock lock, PlainClaim claim) {
            if (claim.waits() && lock.grant != null) {
                awaited.add(lock.grant);
            }
            return super.contend(lock, claim);
        }

        @Override
        Renewal prolong(PlainLock lock, PlainClaim claim) {
            if (lock.grant != null && lock.isHeldBy(claim)) {
                awaited.remove(lock.grant);
            }
            return super.prolong(lock, claim);
        }

        @Override
        void end(PlainLock lock, String name) {
            if (lock.grant != null && awaited.remove(lock.grant)) {
                super.end(lock, name);
            } else {
                lock.grant = null;
            }
        }
    }),

    /**
     * Wake-ups of one name are sent at most every 50 ms: where a lock changes hands faster, a waiter sleeps on beside a free lock
     * (7.2).
     */
    QUICK_RELEASES_WAKE_ONLY_ONCE(() -> new PlainStore(Traits.PLAIN) {
        private final Map<String, Long> announced = new HashMap<>();

        @Override
        void announce(PlainLock lock, String name) {
            Long before = announced.get(name);
            if (before == null || now - before >= Duration.ofMillis(50).toNanos()) {
                announced.put(name, now);
                super.announce(lock, name);
            }
        }
    }),

    /**
     * A place in the line lapses after two seconds without a request, and a waiter sleeps for longer: those who came later are
     * served first, and it is not woken (7.5, 7.2).
     */
    A_PLACE_IN_THE_LINE_LAPSES_AFTER_TWO_SECONDS(() -> new PlainStore(Traits.LINE) {
        private final Map<Waiter, Long> seen = new WeakHashMap<>();

        @Override
        Attempt contend(PlainLock lock, PlainClaim claim) {
            Attempt answer = super.contend(lock, claim);
            Waiter waiter = lock.line.get(claim.id());
            if (waiter != null) {
                seen.put(waiter, now);
            }
            return answer;
        }

        @Override
        void dropEnded(PlainLock lock) {
            lock.line
                    .values()
                    .removeIf(waiter -> now - seen.getOrDefault(waiter, now)
                            >= Duration.ofSeconds(2).toNanos());
            super.dropEnded(lock);
        }
    }),

    /**
     * The line knows clients and not claims: a client that gave up and comes again gets its former place, before those who have
     * waited all the time, and so may starve them (7.5).
     */
    A_CLIENT_THAT_GAVE_UP_KEEPS_ITS_PLACE(() -> new PlainStore(Traits.LINE) {
        private final Map<Place, Integer> places = new HashMap<>();

        @Override
        void withdraw(PlainLock lock, PlainClaim claim) {
            Waiter waiter = lock.line.get(claim.id());
            super.withdraw(lock, claim);
            if (waiter != null) {
                places.merge(placeOf(claim), waiter.number, Math::min);
            }
        }

        @Override
        Attempt grant(PlainLock lock, PlainClaim claim) {
            places.remove(placeOf(claim));
            return super.grant(lock, claim);
        }

        @Override
        Optional<Waiter> first(PlainLock lock) {
            return lock.line.values().stream().min(Comparator.comparingInt(this::number));
        }

        private int number(Waiter waiter) {
            return Math.min(waiter.number, places.getOrDefault(placeOf(waiter.claim), waiter.number));
        }

        private Place placeOf(PlainClaim claim) {
            return new Place(claim.provider, claim.name());
        }
    }),

    /** After an outage the line is restored from its last entry on: those who waited longest are served last (7.5). */
    AN_OUTAGE_TURNS_THE_LINE_ROUND(() -> new PlainStore(Traits.LINE) {
        @Override
        void endOutage() {
            synchronized (this) {
                locks.values().forEach(lock -> turnRound(lock.line));
            }
            super.endOutage();
        }

        private void turnRound(Map<String, Waiter> line) {
            List<Waiter> waiters = new ArrayList<>(line.values());
            Collections.reverse(waiters);
            line.clear();
            waiters.forEach(waiter -> line.put(waiter.claim.id(), waiter));
        }
    }),

    /**
     * The store does not keep how much of a lease has passed: after an outage each lease begins again, and the lock of a dead
     * holder is kept for another whole lease (2.1, 7.3).
     */
    LEASES_BEGIN_AGAIN_AFTER_AN_OUTAGE(() -> new PlainStore(Traits.PLAIN) {
        @Override
        void endOutage() {
            synchronized (this) {
                long back = clock.getAsLong();
                locks.values().stream()
                        .map(lock -> Optional.ofNullable(lock.grant))
                        .flatMap(Optional::stream)
                        .forEach(grant -> grant.entries.replaceAll((id, entry) -> beginAgain(entry, back)));
            }
            super.endOutage();
        }

        private Entry beginAgain(Entry entry, long back) {
            return entry.ends() - back > 0 ? entry.until(back + leaseNanos(entry.claim())) : entry;
        }
    }),

    /**
     * The token of the next grant is drawn with the present one, to be fast: the first grant after the tokens were raised has one
     * from before, and the resource refuses its holder or lets a stale one pass (6.7).
     */
    THE_NEXT_TOKEN_IS_DRAWN_AHEAD(() -> new PlainStore(Traits.PLAIN) {
        private long ahead;

        @Override
        long nextToken(PlainClaim claim) {
            long token = ahead == 0 ? super.nextToken(claim) : ahead;
            ahead = super.nextToken(claim);
            return token;
        }
    }),

    /**
     * The highest token is looked up in the records of the locks that are held at the moment: a move to another store starts
     * below what resources have seen (6.7).
     */
    THE_HIGHEST_TOKEN_IS_THAT_OF_LOCKS_HELD_NOW(() -> new PlainStore(Traits.PLAIN) {
        @Override
        long highestToken() {
            synchronized (this) {
                return locks.values().stream()
                        .map(lock -> Optional.ofNullable(lock.grant))
                        .flatMap(Optional::stream)
                        .mapToLong(grant -> grant.token)
                        .max()
                        .orElse(0);
            }
        }
    }),

    /**
     * The holder is looked up by LIKE without an escape: an operator who asks for the free lock "job_1" is shown the holder of
     * "job-1", and stops the wrong process (9.8, 1.4).
     */
    THE_HOLDER_IS_LOOKED_UP_BY_A_PATTERN(() -> new PlainStore(Traits.PLAIN) {
        @Override
        Optional<LockHolder> holder(String name) {
            List<String> known;
            synchronized (this) {
                known = List.copyOf(locks.keySet());
            }
            Pattern pattern = like(name);
            return super.holder(name)
                    .or(() -> known.stream()
                            .filter(other -> pattern.matcher(other).matches())
                            .map(super::holder)
                            .flatMap(Optional::stream)
                            .findFirst());
        }

        private Pattern like(String name) {
            StringBuilder pattern = new StringBuilder();
            name.codePoints().forEach(character -> {
                switch (character) {
                    case '_' -> pattern.append('.');
                    case '%' -> pattern.append(".*");
                    default -> pattern.append(Pattern.quote(Character.toString(character)));
                }
            });
            return Pattern.compile(pattern.toString(), Pattern.DOTALL);
        }
    }),

    /**
     * A lock that an operator removes makes the store report the loss of each lock of that client: its other holders break off
     * their work although they hold their locks (1.8, 3.4).
     */
    A_REMOVAL_IS_REPORTED_FOR_ALL_LOCKS_OF_THE_CLIENT(() -> new PlainStore(Traits.PLAIN) {
        @Override
        void remove(String name) {
            List<PlainClaim> told = alone(
                    name,
                    lock -> claims(lock).stream()
                            .flatMap(removed -> locks.values().stream()
                                    .flatMap(other -> claims(other).stream())
                                    .filter(claim -> claim.provider == removed.provider))
                            .toList());
            super.remove(name);
            told.forEach(claim -> claim.signals.lost(LossCause.TAKEN_OVER));
        }

        private List<PlainClaim> claims(PlainLock lock) {
            return lock.grant == null
                    ? List.of()
                    : lock.grant.entries.values().stream().map(Entry::claim).toList();
        }
    });

    @SuppressWarnings("ImmutableEnumChecker") // The suppliers hold nothing.
    private final Supplier<PlainStore> store;

    NewFaultsOfStores(Supplier<PlainStore> store) {
        this.store = store;
    }

    @Override
    public LockHarness harness() {
        return new PlainHarness(store.get());
    }

    /** What a place in a line belongs to. */
    private record Place(MemoryProvider client, String name) {}
}
