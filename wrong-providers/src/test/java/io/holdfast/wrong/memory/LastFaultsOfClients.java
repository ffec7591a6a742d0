package io.holdfast.wrong.memory;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.lock.tck.LockHarness;
import io.holdfast.wrong.WrongProvider;
import io.holdfast.wrong.memory.PlainLock.Session;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** Faults on the side of the client. */
enum LastFaultsOfClients implements WrongProvider {

    /**
     * A claim goes on using the session in which it was made: a waiter that outlived the session is granted a lock that ends at
     * once, and a second one gets it, too (1.1, 2.2).
     */
    CLAIM_KEEPS_THE_SESSION_IT_WAS_MADE_IN(() -> new PlainStore(Traits.SESSION) {
        private final Map<Claim, Session> sessions = Collections.synchronizedMap(new WeakHashMap<>());

        @Override
        MemoryProvider newClient() {
            return new MemoryProvider(this) {
                @Override
                public Claim newClaim(ClaimRequest request, ClaimSignals signals) {
                    Claim claim = super.newClaim(request, signals);
                    sessions.put(claim, session);
                    return claim;
                }
            };
        }

        @Override
        Session sessionOf(PlainClaim claim) {
            return sessions.getOrDefault(claim, super.sessionOf(claim));
        }
    }),

    /**
     * The call of an interrupted thread ends before it is sent, and says that there was nothing to release: the place stays (5.4,
     * 7.4).
     */
    RELEASE_OF_AN_INTERRUPTED_THREAD_IS_LEFT_OUT(() ->
            PlainStore.withClient(Traits.LINE, store -> new MemoryProvider(store) {
                @Override
                Release release(PlainClaim claim) {
                    return Thread.currentThread().isInterrupted() ? Release.NOT_HELD : super.release(claim);
                }
            })),

    /**
     * An attempt that failed in an outage stays in the buffer and is sent after the release that should undo it: nobody holds the
     * lock, and nobody gets it before its lease ends (5.6, 7.6).
     */
    BUFFERED_ATTEMPT_IS_SENT_AFTER_ITS_RELEASE(() ->
            PlainStore.withClient(Traits.PLAIN, store -> new MemoryProvider(store) {
                private final Set<PlainClaim> unsent = ConcurrentHashMap.newKeySet();

                @Override
                Attempt attempt(PlainClaim claim) {
                    if (store.down && !closed) {
                        unsent.add(claim);
                    }
                    Attempt answer = super.attempt(claim);
                    unsent.remove(claim);
                    return answer;
                }

                @Override
                Release release(PlainClaim claim) {
                    Release answer = super.release(claim);
                    if (unsent.remove(claim)) {
                        store.attempt(claim);
                    }
                    return answer;
                }
            })),

    /**
     * While the store is down, the last answer serves on: callers hear that somebody else has the lock, for as long as the outage
     * lasts (1.6).
     */
    OUTAGE_IS_ANSWERED_WITH_THE_LAST_CONTENTION(() ->
            PlainStore.withClient(Traits.POLLING, store -> new MemoryProvider(store) {
                private final Map<String, Attempt> contentions = new ConcurrentHashMap<>();

                @Override
                Attempt attempt(PlainClaim claim) {
                    Attempt known = contentions.get(claim.name());
                    if (store.down && !closed && known != null) {
                        return known;
                    }
                    Attempt answer = super.attempt(claim);
                    if (answer instanceof Attempt.Contended) {
                        contentions.put(claim.name(), answer);
                    } else {
                        contentions.remove(claim.name());
                    }
                    return answer;
                }
            })),

    /**
     * While the store is down, an operator is shown the holder of before the outage, and a health check that asks twice finds
     * nothing wrong (9.5, 9.7).
     */
    HOLDER_IS_REMEMBERED_DURING_AN_OUTAGE(() -> PlainStore.withClient(Traits.PLAIN, store -> new MemoryProvider(store) {
        private final Map<String, Optional<LockHolder>> answers = new ConcurrentHashMap<>();

        @Override
        public Optional<LockHolder> holder(String name) {
            DistributedLock.requireValidName(name);
            Optional<LockHolder> known = answers.get(name);
            if (store.down && !closed && known != null) {
                return known;
            }
            Optional<LockHolder> answer = super.holder(name);
            answers.put(name, answer);
            return answer;
        }
    })),

    /**
     * A request of an interrupted thread closes the channel, and nothing opens it again: one cancelled task costs the whole
     * client all its locks until a restart (9.5, 7.4).
     */
    INTERRUPT_BREAKS_THE_CONNECTION_FOR_GOOD(() ->
            PlainStore.withClient(Traits.PLAIN, store -> new MemoryProvider(store) {
                private volatile boolean broken;

                @Override
                void reach() {
                    super.reach();
                    if (broken || Thread.currentThread().isInterrupted()) {
                        broken = true;
                        throw new LockStoreException("The channel was closed by an interrupt");
                    }
                }
            })),

    /**
     * When the waiters of one name have gone, the connection of the feed is given up for all names: the waiters of the others are
     * not woken (7.2).
     */
    UNSUBSCRIBING_ONE_NAME_ENDS_THE_FEED(() -> PlainStore.withClient(Traits.FEED, store -> new MemoryProvider(store) {
        @Override
        void unsubscribe(String name) {
            names.clear();
        }
    })),

    /**
     * A subscription that is asked for in an outage is noted as under way and never made: waiters of that name are not woken,
     * also long after the outage (7.2, 9.5).
     */
    SUBSCRIPTION_OF_AN_OUTAGE_STAYS_PENDING(() ->
            PlainStore.withClient(Traits.FEED, store -> new MemoryProvider(store) {
                private final Set<String> pending = ConcurrentHashMap.newKeySet();

                @Override
                void subscribe(String name) {
                    if (store.down && !closed && !names.contains(name)) {
                        pending.add(name);
                    }
                    if (!pending.contains(name)) {
                        super.subscribe(name);
                    }
                }

                @Override
                void unsubscribe(String name) {
                    pending.remove(name);
                    super.unsubscribe(name);
                }
            })),

    /**
     * The handler that subscribes again works for one reconnect: from the second outage on the feed says that it listens, and
     * hears nothing (7.2, 9.5).
     */
    SECOND_RECONNECT_LEAVES_THE_FEED_DEAF(() -> PlainStore.withClient(Traits.FEED, store -> new MemoryProvider(store) {
        private final Set<String> deaf = ConcurrentHashMap.newKeySet();
        private volatile boolean wasBack;

        @Override
        void comeBack() {
            if (wasBack) {
                deaf.addAll(List.copyOf(names));
            }
            wasBack = true;
            super.comeBack();
        }

        @Override
        void deliver(String name) {
            if (!deaf.contains(name)) {
                super.deliver(name);
            }
        }

        @Override
        void unsubscribe(String name) {
            deaf.remove(name);
            super.unsubscribe(name);
        }
    })),

    /**
     * Messages of one name that follow each other within 20 ms are taken for repeats: after a short hold of a rival the waiter is
     * not woken (7.2).
     */
    RELEASES_IN_QUICK_SUCCESSION_ARE_MERGED(() ->
            PlainStore.withClient(Traits.FEED, store -> new MemoryProvider(store) {
                private final Map<String, Long> heard = new ConcurrentHashMap<>();

                @Override
                void deliver(String name) {
                    long at = store.clock.getAsLong();
                    Long before = heard.put(name, at);
                    if (before == null || at - before >= Duration.ofMillis(20).toNanos()) {
                        super.deliver(name);
                    }
                }
            })),

    /**
     * Names are subscribed to as patterns: a name with brackets, such as "job[7]", does not match itself, and its waiters are not
     * woken (7.2).
     */
    FEED_TAKES_NAMES_FOR_PATTERNS(() -> PlainStore.withClient(Traits.FEED, store -> new MemoryProvider(store) {
        @Override
        void deliver(String name) {
            int opening = name.indexOf('[');
            if (opening < 0 || name.indexOf(']', opening) < 0) {
                super.deliver(name);
            }
        }
    })),

    /**
     * Each close gives back one share of a connection that several clients use: a second close of one client cuts off another,
     * which loses its locks (5.5, 9.5).
     */
    CLOSING_TWICE_CUTS_OFF_A_NEIGHBOUR(() -> PlainStore.withClient(Traits.PLAIN, store -> new MemoryProvider(store) {
        @Override
        public void close() {
            if (closed) {
                store.clients.stream().findFirst().ifPresent(neighbour -> neighbour.closed = true);
            }
            super.close();
        }
    })),

    /**
     * Raising the tokens of one name sets them, also to a lower number: after a repeated move the next holder's token is below
     * the last one's (6.1, 6.7).
     */
    RAISING_FOR_ONE_NAME_LOWERS_THE_TOKENS(() ->
            PlainStore.withClient(Traits.PLAIN, store -> new MemoryProvider(store) {
                @Override
                public void raiseTokens(String name, long above) {
                    super.raiseTokens(name, above);
                    synchronized (store) {
                        store.lastToken = Math.max(0, above);
                    }
                }
            })),

    /**
     * A broken connection is taken for the end of the session: a blink of the network takes all locks from their holders,
     * although the store still has them (1.8).
     */
    DISCONNECT_IS_TAKEN_FOR_A_LOSS(() ->
            PlainStore.withClient(Traits.SESSION, store -> new GrantKeepingProvider(store) {
                @Override
                void breakOff() {
                    super.breakOff();
                    List.copyOf(granted).forEach(claim -> claim.signals.lost(LossCause.SESSION_ENDED));
                }
            })),

    /**
     * After a renewal that failed the claim is written off, and its release is not sent: a job that ends soon after a blink of
     * the network leaves its lock behind until the lease ends (5.4, 3.3).
     */
    RELEASE_AFTER_A_FAILED_RENEWAL_IS_NOT_SENT(() ->
            PlainStore.withClient(Traits.PLAIN, store -> new MemoryProvider(store) {
                private final Set<Claim> writtenOff = ConcurrentHashMap.newKeySet();

                @Override
                Renewal renew(PlainClaim claim) {
                    return sent(List.of(claim), () -> super.renew(claim));
                }

                @Override
                public List<Renewal> renewAll(List<Claim> claims) {
                    return sent(claims, () -> super.renewAll(claims));
                }

                @Override
                Release release(PlainClaim claim) {
                    return writtenOff.contains(claim) ? Release.NOT_HELD : super.release(claim);
                }

                private <T> T sent(List<? extends Claim> claims, Supplier<T> request) {
                    try {
                        T answer = request.get();
                        claims.forEach(writtenOff::remove);
                        return answer;
                    } catch (LockStoreException failure) {
                        writtenOff.addAll(claims);
                        throw failure;
                    }
                }
            })),

    /**
     * The client forgets a claim before it sends the release: one that failed is not sent again, and the lock stays held by
     * nobody until its lease ends (5.4, 5.6).
     */
    FAILED_RELEASE_IS_NOT_REPEATED(() -> PlainStore.withClient(Traits.PLAIN, store -> new MemoryProvider(store) {
        private final Set<PlainClaim> forgotten = ConcurrentHashMap.newKeySet();

        @Override
        Attempt attempt(PlainClaim claim) {
            forgotten.remove(claim);
            return super.attempt(claim);
        }

        @Override
        Release release(PlainClaim claim) {
            return forgotten.add(claim) ? super.release(claim) : Release.NOT_HELD;
        }
    })),

    /**
     * A batch is sent and answered with what came back for the last one: a holder whose lock was removed learns of it a renewal
     * too late (8.5).
     */
    BATCH_IS_ANSWERED_WITH_THE_LAST_ANSWERS(() ->
            PlainStore.withClient(Traits.PLAIN, store -> new MemoryProvider(store) {
                private final Map<Claim, Renewal> answers = Collections.synchronizedMap(new WeakHashMap<>());

                @Override
                public List<Renewal> renewAll(List<Claim> claims) {
                    List<Renewal> fresh = super.renewAll(claims);
                    List<Renewal> late = new ArrayList<>();
                    for (int i = 0; i < claims.size(); i++) {
                        Renewal before = answers.put(claims.get(i), fresh.get(i));
                        late.add(Objects.requireNonNullElse(before, fresh.get(i)));
                    }
                    return late;
                }
            })),

    /**
     * The thread that waits for the store to come back does not end with the client: each redeployment during an outage leaks a
     * thread and all that it holds (9.3).
     */
    RECONNECTING_OUTLIVES_THE_CLIENT(() -> PlainStore.withClient(Traits.FEED, store -> new MemoryProvider(store) {
        private CountDownLatch back = new CountDownLatch(0);

        // A request finds the connection broken.
        @Override
        void reach() {
            if (store.down && !closed) {
                reconnect();
            }
            super.reach();
        }

        private synchronized void reconnect() {
            if (back.getCount() == 0) {
                CountDownLatch awaited = new CountDownLatch(1);
                back = awaited;
                Thread thread = new Thread(() -> await(awaited), "memory-reconnect");
                thread.setDaemon(true);
                thread.start();
            }
        }

        @Override
        synchronized void comeBack() {
            back.countDown();
            super.comeBack();
        }

        private void await(CountDownLatch awaited) {
            try {
                awaited.await();
            } catch (InterruptedException end) {
                Thread.currentThread().interrupt();
            }
        }
    })),

    /**
     * A client that waits for nothing lets its connection go after a second without a call. The next call opens another one,
     * which has no subscription: from then on no waiter of that client is woken (7.2).
     */
    IDLE_CLIENT_IS_DEAF_AFTERWARDS(() -> PlainStore.withClient(Traits.FEED, store -> new MemoryProvider(store) {
        private static final long PATIENCE = 1_000_000_000;

        private long used = store.clock.getAsLong();
        private volatile boolean deaf;

        @Override
        void reach() {
            super.reach();
            noteUse();
        }

        private synchronized void noteUse() {
            long now = store.clock.getAsLong();
            deaf |= names.isEmpty() && now - used > PATIENCE;
            used = now;
        }

        @Override
        void deliver(String name) {
            if (!deaf) {
                super.deliver(name);
            }
        }
    })),

    /**
     * An interrupt ends the wait for the answer, and the attempt counts as not sent: its release asks nobody, and the lock stays
     * held until its lease ends (5.6).
     */
    INTERRUPTED_ATTEMPT_COUNTS_AS_NOT_SENT(() ->
            PlainStore.withClient(Traits.PLAIN, store -> new MemoryProvider(store) {
                private final Set<Claim> unsent = ConcurrentHashMap.newKeySet();

                @Override
                Attempt attempt(PlainClaim claim) {
                    Attempt answer = super.attempt(claim);
                    if (Thread.currentThread().isInterrupted()) {
                        unsent.add(claim);
                        throw new LockStoreException("The attempt was interrupted");
                    }
                    unsent.remove(claim);
                    return answer;
                }

                @Override
                Release release(PlainClaim claim) {
                    return unsent.remove(claim) ? Release.NOT_HELD : super.release(claim);
                }
            })),

    /**
     * A renewal that is lost returns early, and its connection does not: after twenty losses every call of the client fails
     * (9.5).
     */
    LOST_RENEWAL_KEEPS_ITS_CONNECTION(() -> PlainStore.withClient(Traits.PLAIN, store -> new MemoryProvider(store) {
        private final AtomicInteger free = new AtomicInteger(20);

        @Override
        void reach() {
            super.reach();
            if (free.get() <= 0) {
                throw new LockStoreException("No connection is free");
            }
        }

        @Override
        Renewal renew(PlainClaim claim) {
            Renewal answer = super.renew(claim);
            if (answer instanceof Renewal.Lost) {
                free.decrementAndGet();
            }
            return answer;
        }
    }));

    @SuppressWarnings("ImmutableEnumChecker") // The supplier keeps nothing: each call makes a new store.
    private final Supplier<PlainStore> store;

    LastFaultsOfClients(Supplier<PlainStore> store) {
        this.store = store;
    }

    @Override
    public LockHarness harness() {
        return new PlainHarness(store.get());
    }
}
