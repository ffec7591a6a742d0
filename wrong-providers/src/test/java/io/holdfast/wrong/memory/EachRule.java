package io.holdfast.wrong.memory;

import io.holdfast.lock.LossCause;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.lock.tck.LockHarness;
import io.holdfast.wrong.Moments;
import io.holdfast.wrong.WrongProvider;
import io.holdfast.wrong.memory.PlainLock.Grant;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Breaks a rule that no provider of the other kinds breaks. */
enum EachRule implements WrongProvider {
    /** A free lock is refused in the morning: the server has closed the idle connection, and the client takes that for an answer. */
    TAKES_AN_IDLE_CONNECTION_FOR_CONTENTION(() ->
            PlainStore.withClient(Traits.PLAIN, store -> new MemoryProvider(store) {
                private volatile long heard = store.clock.getAsLong();

                @Override
                Attempt attempt(PlainClaim claim) {
                    long idle = store.clock.getAsLong() - heard;
                    Attempt answer = idle < IDLE.toNanos()
                            ? super.attempt(claim)
                            : new Attempt.Contended(Optional.of(Duration.ofMillis(1)));
                    heard = store.clock.getAsLong();
                    return answer;
                }
            })),

    /** All locks of a client are lost with the one whose session has ended: a transaction that fails as a whole. */
    A_BATCH_FAILS_WITH_A_CLAIM_OF_AN_ENDED_SESSION(() ->
            PlainStore.withClient(Traits.SESSION, store -> new MemoryProvider(store) {
                private volatile boolean ended;

                @Override
                public List<Renewal> renewAll(List<Claim> claims) {
                    List<Renewal> answers = super.renewAll(claims);
                    return ended && answers.stream().anyMatch(Renewal.Lost.class::isInstance)
                            ? answers.stream()
                                    .map(each -> (Renewal) new Renewal.Lost(LossCause.TAKEN_OVER))
                                    .toList()
                            : answers;
                }

                @Override
                void sessionEnded(List<PlainClaim> granted) {
                    ended = true;
                    super.sessionEnded(granted);
                }
            })),

    /** A hold that has ended and was granted again ends with the other hold of its owner: {@code INSERT … ON CONFLICT DO NOTHING}. */
    A_CLAIM_THAT_COMES_AGAIN_IS_NOT_WRITTEN(() -> new PlainStore(Traits.SHARED) {
        private final Set<String> ended = new HashSet<>();

        @Override
        void dropEnded(PlainLock lock) {
            if (lock.grant != null) {
                lock.grant.entries.forEach((id, entry) -> {
                    if (hasEnded(entry)) {
                        ended.add(id);
                    }
                });
            }
            super.dropEnded(lock);
        }

        @Override
        void enter(PlainLock lock, Grant grant, PlainClaim claim) {
            if (!ended.contains(claim.id())) {
                super.enter(lock, grant, claim);
            }
        }
    }),

    /** An operator who frees a lock that is free already blocks it: a mark for the holder, which nobody takes away. */
    A_REMOVAL_BLOCKS_A_FREE_LOCK(() -> new PlainStore(Traits.PLAIN) {
        private final Set<String> marked = ConcurrentHashMap.newKeySet();

        @Override
        void remove(String name) {
            if (!locks.containsKey(name)) {
                marked.add(name);
            }
            super.remove(name);
        }

        @Override
        boolean admits(PlainLock lock, PlainClaim claim) {
            return !marked.contains(lock.key) && super.admits(lock, claim);
        }
    }),

    /** A client that is closed a second time frees the locks of a later one: numbers of clients that are given again. */
    A_SECOND_CLOSE_FREES_THE_LOCKS_OF_A_LATER_CLIENT(() -> new PlainStore(Traits.PLAIN) {
        private final Map<Integer, MemoryProvider> numbers = new ConcurrentHashMap<>();

        @Override
        synchronized MemoryProvider newClient() {
            int number = 1;
            while (numbers.containsKey(number)) {
                number++;
            }
            int mine = number;
            MemoryProvider client = new MemoryProvider(this) {
                @Override
                public void close() {
                    leave(mine);
                    super.close();
                }
            };
            numbers.put(number, client);
            return client;
        }

        private synchronized void leave(int number) {
            MemoryProvider client = numbers.remove(number);
            for (PlainLock lock : locks.values()) {
                if (lock.grant != null) {
                    lock.grant.entries.values().removeIf(entry -> entry.claim().provider == client);
                }
            }
        }
    }),

    /** A close takes the locks of the other clients of the process away: a table of the holds that is static. */
    A_CLOSE_FREES_THE_LOCKS_OF_THE_PROCESS(() -> new PlainStore(Traits.PLAIN) {
        @Override
        synchronized void leave(MemoryProvider client) {
            locks.values().forEach(lock -> lock.grant = null);
            super.leave(client);
        }
    }),

    /** A container that closes its beans twice logs an error each time it stops: a close that is not prepared for the second one. */
    CANNOT_BE_CLOSED_TWICE(() -> PlainStore.withClient(Traits.PLAIN, store -> new MemoryProvider(store) {
        @Override
        public void close() {
            if (closed) {
                throw new IllegalStateException("The pool is closed");
            }
            super.close();
        }
    })),

    /** An asynchronous job goes on after it was cancelled: a closed client clears the interrupt before it throws. */
    A_CLOSED_CLIENT_SWALLOWS_INTERRUPTS(() -> PlainStore.withClient(Traits.PLAIN, store -> new MemoryProvider(store) {
        @Override
        void reach() {
            if (closed) {
                boolean unused = Thread.interrupted();
            }
            super.reach();
        }
    })),

    /** A waiter sleeps on whose session had ended: it asked again, but is signalled only in the session of its first attempt. */
    A_WAITER_IS_DEAF_AFTER_THE_END_OF_ITS_SESSION(() -> new PlainStore(Traits.SESSION) {
        private final Map<String, PlainLock.Session> sessions = new ConcurrentHashMap<>();

        @Override
        Attempt contend(PlainLock lock, PlainClaim claim) {
            sessions.putIfAbsent(claim.id(), claim.provider.session);
            return super.contend(lock, claim);
        }

        @Override
        void announce(PlainLock lock, String name) {
            lock.line.values().stream()
                    .map(waiter -> waiter.claim)
                    .filter(claim -> sessions.get(claim.id()) == claim.provider.session)
                    .forEach(claim -> later(claim.signals::mayBeFree));
        }
    }),

    /** A lock that an operator has freed is reported as lost with the session, which lasts: what the latest end was about. */
    TELLS_OF_EACH_LOSS_AS_OF_THE_LATEST(() -> PlainStore.withClient(Traits.SESSION, store -> new MemoryProvider(store) {
        private volatile boolean ended;

        @Override
        Renewal renew(PlainClaim claim) {
            Renewal answer = super.renew(claim);
            return ended && answer instanceof Renewal.Lost ? new Renewal.Lost(LossCause.SESSION_ENDED) : answer;
        }

        @Override
        void sessionEnded(List<PlainClaim> granted) {
            ended = true;
            super.sessionEnded(granted);
        }
    })),

    /** A job that has ended long ago is told that it has lost its lock: claims that are not forgotten when they are released. */
    TELLS_RELEASED_CLAIMS_OF_THE_END_OF_A_SESSION(() ->
            PlainStore.withClient(Traits.SESSION, store -> new GrantKeepingProvider(store) {
                @Override
                Release release(PlainClaim claim) {
                    Release answer = super.release(claim);
                    granted.add(claim);
                    return answer;
                }

                @Override
                void sessionEnded(List<PlainClaim> ended) {
                    super.sessionEnded(List.copyOf(this.granted));
                }
            })),

    /** An application that is deployed anew keeps a thread for each client whose session has once ended: that of the first session. */
    LEAVES_THE_THREAD_OF_AN_ENDED_SESSION(() ->
            PlainStore.withClient(Traits.SESSION, store -> new MemoryProvider(store) {
                private CountDownLatch heartbeats = new CountDownLatch(1);

                @Override
                void sessionEnded(List<PlainClaim> granted) {
                    StaysBehind.sleeper(heartbeats).start();
                    heartbeats = new CountDownLatch(1);
                    super.sessionEnded(granted);
                }

                @Override
                public void close() {
                    heartbeats.countDown();
                    super.close();
                }
            })),

    /** After an outage a client hears of one of the locks that it waits for: it subscribes again to the last name, for all it knows to all. */
    SUBSCRIBES_AGAIN_TO_ONE_NAME(() -> new PlainStore(Traits.PLAIN) {
        private final Set<String> deaf = ConcurrentHashMap.newKeySet();

        @Override
        synchronized void endOutage() {
            super.endOutage();
            List<PlainLock> waitedFor =
                    locks.values().stream().filter(lock -> !lock.line.isEmpty()).toList();
            waitedFor.stream().limit(Math.max(0, waitedFor.size() - 1)).forEach(lock -> deaf.add(lock.key));
        }

        @Override
        void announce(PlainLock lock, String name) {
            if (!deaf.contains(lock.key)) {
                super.announce(lock, name);
            }
        }
    }),

    /** A lock of a millisecond is never free again: half of the lease, in whole milliseconds, and 0 is without end. */
    A_LEASE_OF_A_MILLISECOND_NEVER_ENDS(() -> new PlainStore(Traits.PLAIN) {
        @Override
        long leaseNanos(PlainClaim claim) {
            return claim.lease().toMillis() / 2 == 0 ? Long.MAX_VALUE / 4 : super.leaseNanos(claim);
        }
    }),

    /** A program that never had the lock is told that it has released it: no answer yet is taken for a grant. */
    RELEASES_WHAT_WAS_NEVER_ASKED_FOR(() -> PlainStore.withClient(Traits.PLAIN, store -> new MemoryProvider(store) {
        private final Set<String> asked = ConcurrentHashMap.newKeySet();

        @Override
        Attempt attempt(PlainClaim claim) {
            asked.add(claim.id());
            return super.attempt(claim);
        }

        @Override
        Release release(PlainClaim claim) {
            Release answer = super.release(claim);
            return asked.contains(claim.id()) ? answer : Release.RELEASED;
        }
    })),

    /** Nobody gets a lock that was just released: the release is sent with the next request of its client. */
    SENDS_A_RELEASE_WITH_THE_NEXT_REQUEST(() -> PlainStore.withClient(Traits.PLAIN, store -> new MemoryProvider(store) {
        private final Queue<PlainClaim> unsent = new ConcurrentLinkedQueue<>();

        @Override
        void reach() {
            super.reach();
            for (PlainClaim claim = unsent.poll(); claim != null; claim = unsent.poll()) {
                Release unused = store.release(claim);
            }
        }

        @Override
        Release release(PlainClaim claim) {
            boolean held = renew(claim) instanceof Renewal.Held;
            unsent.add(claim);
            return held ? Release.RELEASED : Release.NOT_HELD;
        }
    })),

    /** The holder after a forced release has a token below that of the one before: the record that was removed had the counter, too. */
    A_REMOVAL_BEGINS_THE_TOKENS_AGAIN(() -> new PlainStore(Traits.STRICT) {
        @Override
        synchronized void remove(String name) {
            super.remove(name);
            lastToken = 0;
        }
    }),

    /** Two threads use a client, and one gets the lock of the other: the request is built in a field. */
    THREADS_SHARE_ONE_REQUEST(() -> PlainStore.withClient(Traits.PLAIN, store -> new MemoryProvider(store) {
        private volatile @Nullable PlainClaim request;

        @Override
        Attempt attempt(PlainClaim claim) {
            request = claim;
            long unused = store.clock.getAsLong();
            Moments.pass(Duration.ofMillis(1));
            return super.attempt(request);
        }
    }));

    /** After so long without a request a connection is closed. */
    private static final Duration IDLE = Duration.ofMillis(400);

    @SuppressWarnings("ImmutableEnumChecker") // The supplier keeps nothing: each call makes a new store.
    private final Supplier<PlainStore> store;

    EachRule(Supplier<PlainStore> store) {
        this.store = store;
    }

    @Override
    public LockHarness harness() {
        return new PlainHarness(store.get());
    }
}
