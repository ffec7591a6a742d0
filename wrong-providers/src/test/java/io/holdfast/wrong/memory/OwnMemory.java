package io.holdfast.wrong.memory;

import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.lock.tck.LockHarness;
import io.holdfast.wrong.WrongProvider;
import io.holdfast.wrong.memory.PlainLock.Entry;
import io.holdfast.wrong.memory.PlainLock.Grant;
import io.holdfast.wrong.memory.PlainLock.Session;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Decides by a clock or by a memory that is not the store's; or changes the store by looking at it. */
enum OwnMemory implements WrongProvider {
    /**
     * A claimant with a short lease takes the lock from a holder with a long one: age of the record against one's own setting.
     */
    MEASURES_THE_HOLDER_BY_THE_CLAIMANTS_LEASE(() -> new PlainStore(Traits.PLAIN) {
        @Override
        Attempt attempt(PlainClaim claim) {
            raw(claim.name(), lock -> {
                if (lock.grant != null && !lock.isHeldBy(claim)) {
                    lock.grant.entries.values().removeIf(entry -> now - began(entry) >= leaseNanos(claim));
                }
                return true;
            });
            return super.attempt(claim);
        }

        private long began(Entry entry) {
            return entry.ends() - leaseNanos(entry.claim());
        }
    }),

    /**
     * A client whose host is ahead takes the lock early: an end by the wall clock of the one, compared with that of the other.
     * Each client is here 400 ms ahead of the one that was opened before it.
     */
    COMPARES_THE_CLOCKS_OF_HOSTS(() -> new PlainStore(Traits.PLAIN) {
        private final Map<MemoryProvider, Long> ahead = new ConcurrentHashMap<>();

        @Override
        MemoryProvider newClient() {
            MemoryProvider client = super.newClient();
            ahead.put(client, Duration.ofMillis(400).toNanos() * ahead.size());
            return client;
        }

        @Override
        Attempt attempt(PlainClaim claim) {
            raw(claim.name(), lock -> {
                if (lock.grant != null) {
                    long hostTime = now + ahead(claim);
                    lock.grant.entries.values().removeIf(entry -> entry.ends() - hostTime <= 0);
                }
                return true;
            });
            return super.attempt(claim);
        }

        @Override
        void enter(PlainLock lock, Grant grant, PlainClaim claim) {
            grant.put(new Entry(claim, sessionOf(claim), now + ahead(claim) + leaseNanos(claim)));
        }

        private long ahead(PlainClaim claim) {
            return ahead.getOrDefault(claim.provider, 0L);
        }
    }),

    /**
     * A waiter that outlived its session is told that it holds the lock, and the next one is, too: the id of a session kept in
     * the claim.
     */
    GRANTS_IN_A_SESSION_THAT_HAS_ENDED(() -> new PlainStore(Traits.SESSION) {
        private final Map<String, Session> sessions = new ConcurrentHashMap<>();

        @Override
        MemoryProvider newClient() {
            return new MemoryProvider(this) {
                @Override
                public Claim newClaim(ClaimRequest request, ClaimSignals signals) {
                    sessions.put(request.claimId(), session);
                    return super.newClaim(request, signals);
                }
            };
        }

        @Override
        Session sessionOf(PlainClaim claim) {
            return sessions.getOrDefault(claim.id(), claim.provider.session);
        }
    }),

    /** An owner has a lock by two clients, and the session of one of them ends: the lock is free although the other holds it. */
    THE_END_OF_ONE_SESSION_FREES_WHAT_ANOTHER_SHARES(() -> new PlainStore(Traits.SHARED_SESSION) {
        @Override
        void dropEnded(PlainLock lock) {
            if (lock.grant != null && lock.grant.entries.values().stream().anyMatch(entry -> entry.session().ended)) {
                lock.grant.entries.clear();
            }
            super.dropEnded(lock);
        }
    }),

    /**
     * The session of a client ends that holds a lock and waits for it, too: its own dead claim is woken, and not the one behind
     * it.
     */
    WAKES_THE_DEAD_WAITER_OF_ITS_HOLDER(() -> new PlainStore(Traits.SESSION) {
        private final Map<String, MemoryProvider> holders = new HashMap<>();

        @Override
        void enter(PlainLock lock, Grant grant, PlainClaim claim) {
            super.enter(lock, grant, claim);
            holders.put(lock.key, claim.provider);
        }

        @Override
        void announce(PlainLock lock, String name) {
            Optional<PlainClaim> first = lock.first().map(waiter -> waiter.claim);
            if (first.filter(claim -> claim.provider == holders.get(lock.key)).isPresent()) {
                later(first.get().signals::mayBeFree);
            } else {
                super.announce(lock, name);
            }
        }
    }),

    /** A client tells the end of its session some requests later, and to all its claims: also to one of the new session. */
    TELLS_THE_END_OF_A_SESSION_LATE_AND_TO_ALL(() ->
            PlainStore.withClient(Traits.SESSION, store -> new GrantKeepingProvider(store) {
                private static final int LATER = 3;
                private final AtomicInteger requests = new AtomicInteger();

                @Override
                void reach() {
                    super.reach();
                    if (requests.get() > 0 && requests.decrementAndGet() == 0) {
                        this.granted.forEach(claim -> claim.signals.lost(LossCause.SESSION_ENDED));
                    }
                }

                @Override
                void sessionEnded(List<PlainClaim> ended) {
                    requests.set(LATER);
                }
            })),

    /** After the end of a session the client sends no heartbeats any more: what it is granted in the new one it loses. */
    SENDS_HEARTBEATS_FOR_ITS_FIRST_SESSION(() ->
            PlainStore.withClient(Traits.SESSION, store -> new MemoryProvider(store) {
                private boolean ended;

                @Override
                Attempt attempt(PlainClaim claim) {
                    Attempt answer = super.attempt(claim);
                    if (ended && answer instanceof Attempt.Granted) {
                        session.mortal.add(claim);
                    }
                    return answer;
                }

                @Override
                void sessionEnded(List<PlainClaim> granted) {
                    ended = true;
                    super.sessionEnded(granted);
                }
            })),

    /**
     * A client dies after its session had ended once, and its lock lasts three times as long as it should: the next session has
     * other settings.
     */
    ASKS_FOR_A_LONGER_SECOND_SESSION(() -> PlainStore.withClient(Traits.SESSION, store -> new MemoryProvider(store) {
        private boolean ended;

        @Override
        void reach() {
            super.reach();
            if (ended) {
                session.heard += 2 * PlainStore.SESSION.toNanos();
            }
        }

        @Override
        void sessionEnded(List<PlainClaim> granted) {
            ended = true;
            super.sessionEnded(granted);
        }
    })),

    /**
     * A lock that its holder has given up for lost stays taken for ever: records made again in a new session, as Curator's
     * PersistentNode does.
     */
    MAKES_ITS_RECORDS_AGAIN_IN_A_NEW_SESSION(() ->
            PlainStore.withClient(Traits.SESSION, store -> new MemoryProvider(store) {
                @Override
                void sessionEnded(List<PlainClaim> granted) {
                    granted.forEach(store::attempt);
                }
            })),

    /**
     * A dead holder blocks the others for as long as a monitor watches it: {@code expireAfterAccess}, {@code GETEX}, a sliding
     * expiration.
     */
    LOOKING_AT_THE_HOLDER_PROLONGS_ITS_LEASE(() -> new PlainStore(Traits.PLAIN) {
        @Override
        Optional<LockHolder> describe(PlainLock lock) {
            touch(this, lock);
            return super.describe(lock);
        }
    }),

    /** A dead holder blocks the others for as long as they ask: the same at an attempt. */
    ASKING_FOR_THE_LOCK_PROLONGS_ITS_LEASE(() -> new PlainStore(Traits.PLAIN) {
        @Override
        Attempt contend(PlainLock lock, PlainClaim claim) {
            touch(this, lock);
            return super.contend(lock, claim);
        }
    }),

    /** A move of a store ends with tokens below those of before: the raise is a setting of the session, and ends with it. */
    A_RAISE_ENDS_WITH_ITS_CLIENT(() -> new PlainStore(Traits.PLAIN) {
        private final Map<MemoryProvider, Long> floors = new ConcurrentHashMap<>();

        @Override
        MemoryProvider newClient() {
            return new MemoryProvider(this) {
                @Override
                public void raiseTokens(long above) {
                    reach();
                    floors.merge(this, above, Math::max);
                }

                @Override
                public void close() {
                    super.close();
                    floors.remove(this);
                }
            };
        }

        @Override
        long nextToken(PlainClaim claim) {
            floors.values().forEach(super::raiseTokens);
            return super.nextToken(claim);
        }

        @Override
        synchronized long highestToken() {
            floors.values().forEach(super::raiseTokens);
            return super.highestToken();
        }
    }),

    /** Clients that run while tokens are raised go on below that: each reads once how far they were raised. */
    READS_ONCE_HOW_FAR_TOKENS_WERE_RAISED(() -> new PlainStore(Traits.PLAIN) {
        private final Map<MemoryProvider, Long> floors = new HashMap<>();
        private long raised;

        @Override
        synchronized void raiseTokens(long above) {
            raised = Math.max(raised, above);
        }

        @Override
        long nextToken(PlainClaim claim) {
            super.raiseTokens(floors.computeIfAbsent(claim.provider, first -> raised));
            return super.nextToken(claim);
        }

        @Override
        synchronized long highestToken() {
            return Math.max(raised, super.highestToken());
        }
    }),

    /** A move is begun below the tokens of the other clients: the highest token that this client has seen. */
    KNOWS_THE_HIGHEST_TOKEN_OF_ITS_OWN_GRANTS(() ->
            PlainStore.withClient(Traits.PLAIN, store -> new MemoryProvider(store) {
                private final AtomicLong highest = new AtomicLong();

                @Override
                Attempt attempt(PlainClaim claim) {
                    Attempt answer = super.attempt(claim);
                    if (answer instanceof Attempt.Granted granted) {
                        granted.fencingToken().ifPresent(token -> highest.accumulateAndGet(token.value(), Math::max));
                    }
                    return answer;
                }

                @Override
                public void raiseTokens(long above) {
                    super.raiseTokens(above);
                    highest.accumulateAndGet(above, Math::max);
                }

                @Override
                public long highestToken() {
                    reach();
                    return highest.get();
                }
            })),

    /**
     * The later holder has the smaller token if the earlier one was of another client: blocks of a sequence, {@code CACHE 20},
     * hi/lo.
     */
    TAKES_TOKENS_IN_BLOCKS_OF_20(() -> new PlainStore(Traits.PLAIN) {
        private final Map<MemoryProvider, Long> latest = new HashMap<>();

        @Override
        long nextToken(PlainClaim claim) {
            long token = latest.getOrDefault(claim.provider, 0L) + 1;
            if (token % 20 == 1) {
                token = (lastToken + 19) / 20 * 20 + 1;
                lastToken = token + 19;
            }
            latest.put(claim.provider, token);
            return token;
        }
    }),

    /**
     * A lock that an operator has freed is free for all but the client that held it: a local table that is asked before the
     * store.
     */
    REFUSES_WHAT_IT_BELIEVES_IT_HOLDS(() ->
            PlainStore.withClient(Traits.PLAIN, store -> new RememberingProvider(store) {
                @Override
                Attempt attempt(PlainClaim claim) {
                    PlainClaim mine = held(claim.name());
                    return mine == null || mine == claim
                            ? super.attempt(claim)
                            : new Attempt.Contended(Optional.empty());
                }
            })),

    /**
     * An operator who looks by the client of an earlier holder sees that one, not the present one: a local table that is asked
     * before the store.
     */
    SHOWS_ITSELF_FROM_MEMORY(() -> PlainStore.withClient(Traits.PLAIN, store -> new RememberingProvider(store) {
        private final Map<String, LockHolder> shown = new ConcurrentHashMap<>();

        @Override
        public Optional<LockHolder> holder(String name) {
            PlainClaim mine = held(name);
            if (mine == null) {
                return super.holder(name);
            }
            Optional<LockHolder> known = Optional.ofNullable(shown.get(mine.id()));
            return known.isPresent() ? known : super.holder(name).map(found -> remember(mine, found));
        }

        private LockHolder remember(PlainClaim mine, LockHolder found) {
            shown.put(mine.id(), found);
            return found;
        }
    })),

    /** A place in the line stays behind: after a contended answer the client takes it that the store does not know the claim. */
    WITHDRAWS_NOTHING_AFTER_A_CONTENDED_ANSWER(() ->
            PlainStore.withClient(Traits.LINE, store -> new MemoryProvider(store) {
                private final Map<String, Attempt> answers = new ConcurrentHashMap<>();

                @Override
                Attempt attempt(PlainClaim claim) {
                    Attempt answer = super.attempt(claim);
                    answers.put(claim.id(), answer);
                    return answer;
                }

                @Override
                Release release(PlainClaim claim) {
                    return answers.remove(claim.id()) instanceof Attempt.Contended
                            ? Release.NOT_HELD
                            : super.release(claim);
                }
            }));

    @SuppressWarnings("ImmutableEnumChecker") // The supplier keeps nothing: each call makes a new store.
    private final Supplier<PlainStore> store;

    OwnMemory(Supplier<PlainStore> store) {
        this.store = store;
    }

    @Override
    public LockHarness harness() {
        return new PlainHarness(store.get());
    }

    private static void touch(PlainStore store, PlainLock lock) {
        if (lock.grant != null) {
            lock.grant.entries.replaceAll((id, entry) -> entry.until(store.now + store.leaseNanos(entry.claim())));
        }
    }

    /** Knows its own holds, until its own clock says that they have ended. Right, as long as nobody asks it. */
    private static class RememberingProvider extends MemoryProvider {
        private final Map<String, PlainClaim> holds = new ConcurrentHashMap<>();
        private final Map<String, Long> renewed = new ConcurrentHashMap<>();

        RememberingProvider(PlainStore store) {
            super(store);
        }

        @Nullable
        PlainClaim held(String name) {
            PlainClaim mine = holds.get(name);
            return mine != null
                            && store.clock.getAsLong() - renewed.getOrDefault(mine.id(), 0L)
                                    < mine.lease().toNanos()
                    ? mine
                    : null;
        }

        @Override
        public int renewalBatch() {
            return 1;
        }

        @Override
        Attempt attempt(PlainClaim claim) {
            long before = store.clock.getAsLong();
            Attempt answer = super.attempt(claim);
            if (answer instanceof Attempt.Granted) {
                holds.put(claim.name(), claim);
                renewed.put(claim.id(), before);
            }
            return answer;
        }

        @Override
        Renewal renew(PlainClaim claim) {
            long before = store.clock.getAsLong();
            Renewal answer = super.renew(claim);
            if (answer instanceof Renewal.Held) {
                renewed.put(claim.id(), before);
            } else {
                holds.remove(claim.name(), claim);
            }
            return answer;
        }

        @Override
        Release release(PlainClaim claim) {
            holds.remove(claim.name(), claim);
            return super.release(claim);
        }
    }
}
