package io.holdfast.wrong.memory;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.lock.tck.LockHarness;
import io.holdfast.wrong.WrongProvider;
import io.holdfast.wrong.memory.PlainLock.Grant;
import io.holdfast.wrong.memory.PlainLock.Waiter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Right with a few locks, claims and clients, and wrong with many at once. */
enum ManyAtOnce implements WrongProvider {
    /** With 201 locks one is reported lost, though the store has it: a cache of the client's grants that evicts. */
    TAKES_FOR_LOST_WHAT_ITS_TABLE_OF_200_HAS_EVICTED(() ->
            PlainStore.withClient(Traits.PLAIN, store -> new MemoryProvider(store) {
                private final Map<String, String> granted = Collections.synchronizedMap(new LinkedHashMap<>() {
                    @Override
                    protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
                        return size() > 200;
                    }
                });

                @Override
                public int renewalBatch() {
                    return 1;
                }

                @Override
                Attempt attempt(PlainClaim claim) {
                    Attempt answer = super.attempt(claim);
                    if (answer instanceof Attempt.Granted) {
                        granted.put(claim.id(), claim.name());
                    }
                    return answer;
                }

                @Override
                Renewal renew(PlainClaim claim) {
                    return granted.containsKey(claim.id()) ? super.renew(claim) : new Renewal.Lost(LossCause.EXPIRED);
                }

                @Override
                Release release(PlainClaim claim) {
                    granted.remove(claim.id());
                    return super.release(claim);
                }
            })),

    /** With 401 locks the oldest one is free: a Redis with a limit of memory and the policy {@code allkeys-lru}. */
    EVICTS_THE_OLDEST_OF_400_LOCKS(() -> new PlainStore(Traits.PLAIN) {
        @Override
        Grant newGrant(PlainLock lock, PlainClaim claim) {
            if (locks.size() > 400) {
                locks.values().iterator().next().grant = null;
            }
            return super.newGrant(lock, claim);
        }
    }),

    /** Waits for ten names stop the client's renewals and releases: each listens on a connection of the pool that all need. */
    WAITS_USE_UP_A_POOL_OF_TEN(() -> PlainStore.withClient(Traits.PLAIN, store -> new MemoryProvider(store) {
        private final Semaphore pool = new Semaphore(10);
        private final Set<String> waiting = ConcurrentHashMap.newKeySet();

        @Override
        void reach() {
            super.reach();
            try {
                if (!pool.tryAcquire(1, TimeUnit.SECONDS)) {
                    throw new LockStoreException("No connection was free within 1 s");
                }
                pool.release();
            } catch (InterruptedException interrupt) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        Attempt attempt(PlainClaim claim) {
            leave(claim);
            Attempt answer = super.attempt(claim);
            if (claim.waits() && answer instanceof Attempt.Contended && pool.tryAcquire()) {
                waiting.add(claim.id());
            }
            return answer;
        }

        @Override
        Release release(PlainClaim claim) {
            leave(claim);
            return super.release(claim);
        }

        private void leave(PlainClaim claim) {
            if (waiting.remove(claim.id())) {
                pool.release();
            }
        }
    })),

    /** The tenth client in a line is served second: places without leading zeros, in an index of text. */
    SORTS_THE_LINE_AS_TEXT(() -> new PlainStore(Traits.LINE) {
        @Override
        Optional<Waiter> first(PlainLock lock) {
            return lock.line.values().stream().min(Comparator.comparing(waiter -> Integer.toString(waiter.number)));
        }
    }),

    /**
     * The seventeenth client in a line has no place, and starves behind later ones: a queue with a capacity, and {@code offer}.
     */
    HAS_SIXTEEN_PLACES_IN_A_LINE(() -> new PlainStore(Traits.LINE) {
        @Override
        Attempt contend(PlainLock lock, PlainClaim claim) {
            return lock.line.size() < 16 ? super.contend(lock, claim) : new Attempt.Contended(retryAfter(lock, claim));
        }
    }),

    /** The same with 64 places, which suffice for all tests but one. */
    HAS_64_PLACES_IN_A_LINE(() -> new PlainStore(Traits.LINE) {
        @Override
        Attempt contend(PlainLock lock, PlainClaim claim) {
            return lock.line.size() < 64 ? super.contend(lock, claim) : new Attempt.Contended(retryAfter(lock, claim));
        }
    }),

    /** The oldest locks of a client with more than a hundred outlive it for good: a bounded list of what has to end. */
    ENDS_THE_LAST_HUNDRED_LEASES(() -> new PlainStore(Traits.PLAIN) {
        private final Deque<String> ending = new ArrayDeque<>();

        @Override
        void enter(PlainLock lock, Grant grant, PlainClaim claim) {
            super.enter(lock, grant, claim);
            ending.remove(lock.key);
            ending.add(lock.key);
            PlainLock oldest = ending.size() > 100 ? locks.get(ending.remove()) : null;
            if (oldest != null && oldest.grant != null) {
                oldest.grant.entries.replaceAll((id, entry) -> entry.until(Long.MAX_VALUE));
            }
        }
    }),

    /** A client with 80 locks dies, and 16 of those who wait for them sleep on: a message has room for 64 events. */
    TELLS_OF_64_ENDS_AT_A_TIME(() -> new PlainStore(Traits.SESSION) {
        private long told;
        private int number;

        @Override
        void announce(PlainLock lock, String name) {
            number = now == told ? number + 1 : 1;
            told = now;
            if (number <= 64) {
                super.announce(lock, name);
            }
        }
    }),

    /** A client that waits for nine names hears nothing of the first: a limit of subscriptions for each connection. */
    LISTENS_TO_EIGHT_NAMES(() -> PlainStore.withClient(Traits.FEED, store -> new MemoryProvider(store) {
        @Override
        void subscribe(String name) {
            super.subscribe(name);
            synchronized (names) {
                if (names.size() > 8) {
                    names.remove(names.iterator().next());
                }
            }
        }
    })),

    /** A client that waits for two names is woken for the second only: one field for what the client waits for. */
    WAITS_FOR_ONE_NAME_AT_A_TIME(() -> new PlainStore(Traits.PLAIN) {
        @Override
        Attempt contend(PlainLock lock, PlainClaim claim) {
            locks.values().stream()
                    .filter(other -> other != lock && claim.waits())
                    .forEach(other -> other.line.values().removeIf(waiter -> waiter.claim.provider == claim.provider));
            return super.contend(lock, claim);
        }
    }),

    /** The eleventh in a line that gives up costs those behind it a second: a search in the first page of the queue. */
    LOOKS_FOR_A_WAITER_AMONG_THE_FIRST_TEN(() -> new PlainStore(Traits.LINE) {
        @Override
        void withdraw(PlainLock lock, PlainClaim claim) {
            lock.line.keySet().stream()
                    .limit(10)
                    .filter(claim.id()::equals)
                    .toList()
                    .forEach(lock.line::remove);
        }
    }),

    /** The seventh client of an owner loses what it was granted: ids in one column of 255 characters, cut when it is full. */
    KEEPS_SIX_ENTRIES_OF_AN_OWNER(() -> new PlainStore(Traits.SHARED) {
        @Override
        void enter(PlainLock lock, Grant grant, PlainClaim claim) {
            if (grant.entries.size() < 6 || grant.entries.containsKey(claim.id())) {
                super.enter(lock, grant, claim);
            }
        }
    }),

    /** An owner who has a lock by 64 claims is refused the next one: an array of a fixed size. */
    KEEPS_64_CLAIMS_OF_AN_OWNER(() -> new PlainStore(Traits.SHARED) {
        @Override
        boolean admits(PlainLock lock, PlainClaim claim) {
            boolean hasRoom = lock.grant == null || lock.grant.entries.size() < 64 || lock.isHeldBy(claim);
            return hasRoom && super.admits(lock, claim);
        }
    }),

    /** The loss of one lock is told to the holder of another: {@code WHERE name IN (...)} has no order, and the index has one. */
    ANSWERS_A_BATCH_IN_THE_ORDER_OF_THE_NAMES(() -> new PlainStore(Traits.PLAIN) {
        @Override
        List<Renewal> renewAll(List<PlainClaim> claims) {
            return super.renewAll(claims.stream()
                    .sorted(Comparator.comparing(PlainClaim::name))
                    .toList());
        }
    }),

    /** One lost lock costs a client those behind it in the batch: a driver that stops at the first update that failed. */
    TAKES_THE_REST_OF_A_BATCH_FOR_LOST(() -> new PlainStore(Traits.PLAIN) {
        @Override
        List<Renewal> renewAll(List<PlainClaim> claims) {
            List<Renewal> answers = new ArrayList<>();
            boolean stopped = false;
            for (PlainClaim claim : claims) {
                Renewal answer = stopped ? new Renewal.Lost(LossCause.TAKEN_OVER) : renew(claim);
                stopped = answer instanceof Renewal.Lost;
                answers.add(answer);
            }
            return answers;
        }
    });

    @SuppressWarnings("ImmutableEnumChecker") // The supplier keeps nothing: each call makes a new store.
    private final Supplier<PlainStore> store;

    ManyAtOnce(Supplier<PlainStore> store) {
        this.store = store;
    }

    @Override
    public LockHarness harness() {
        return new PlainHarness(store.get());
    }
}
