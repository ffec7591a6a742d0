package io.holdfast.wrong.memory;

import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.lock.tck.LockHarness;
import io.holdfast.wrong.Moments;
import io.holdfast.wrong.WrongProvider;
import io.holdfast.wrong.memory.PlainLock.Entry;
import io.holdfast.wrong.memory.PlainLock.Grant;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Breaks a rule that no provider of the other kinds breaks. */
enum EachRule implements WrongProvider {
    /**
     * A free lock is refused in the morning: the server has closed the idle connection, and the client takes that for an answer.
     */
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

    /**
     * A fresh lock is taken over by who has seen another one's hold: the time of the first look is kept by the name, and not with
     * the version that was seen.
     */
    TAKES_OVER_WHAT_IT_HAS_SEEN_HELD_FOR_A_LEASE(() ->
            PlainStore.withClient(Traits.PLAIN, store -> new MemoryProvider(store) {
                private final Map<String, Long> seen = new ConcurrentHashMap<>();

                @Override
                Attempt attempt(PlainClaim claim) {
                    Attempt answer = super.attempt(claim);
                    if (answer instanceof Attempt.Granted) {
                        return answer;
                    }
                    long now = store.clock.getAsLong();
                    long first = seen.computeIfAbsent(claim.name(), name -> now);
                    if (now - first < claim.lease().toNanos()) {
                        return answer;
                    }
                    store.remove(claim.name());
                    return super.attempt(claim);
                }
            })),

    /** The tokens of a move begin too low where there are many names: the rest of the answer comes in further pages. */
    READS_THE_FIRST_PAGE_OF_THE_TOKENS(() -> new PlainStore(Traits.PLAIN) {
        private static final int PAGE = 100;
        private final Map<String, Long> tokens = new LinkedHashMap<>();

        @Override
        long nextToken(PlainClaim claim) {
            long token = super.nextToken(claim);
            tokens.put(claim.name(), token);
            return token;
        }

        @Override
        synchronized long highestToken() {
            return tokens.values().stream()
                    .limit(PAGE)
                    .mapToLong(token -> token)
                    .max()
                    .orElse(0);
        }
    }),

    /** A night later the token is that of yesterday: the record of the tokens is removed when nobody has used it for a while. */
    FORGETS_THE_TOKENS_OF_AN_IDLE_LOCK(() -> new PlainStore(Traits.PLAIN) {
        private final Map<String, Long> tokens = new HashMap<>();
        private final Map<String, Long> used = new HashMap<>();

        @Override
        long nextToken(PlainClaim claim) {
            Long before = used.put(claim.name(), now);
            boolean idle =
                    before != null && now - before > Duration.ofSeconds(5).toNanos();
            return tokens.merge(claim.name(), 1L, (last, one) -> idle ? one : last + one);
        }
    }),

    /** A name of many bytes has its tokens under a shorter key, but a raise does not. */
    CANNOT_RAISE_THE_TOKENS_OF_A_LONG_NAME(() ->
            PlainStore.withClient(Traits.PLAIN, store -> new MemoryProvider(store) {
                @Override
                public void raiseTokens(String name, long above) {
                    if (name.getBytes(StandardCharsets.UTF_8).length > LONGEST_KEY) {
                        throw new LockStoreException("The key is too long");
                    }
                    super.raiseTokens(name, above);
                }
            })),

    /** An application whose threads come and go is cut off in the end: each thread has a connection, and none is given back. */
    KEEPS_A_CONNECTION_FOR_EACH_THREAD(() -> PlainStore.withClient(Traits.PLAIN, store -> new MemoryProvider(store) {
        private static final int ALLOWED = 64;
        private final Set<Long> threads = ConcurrentHashMap.newKeySet();

        @Override
        Attempt attempt(PlainClaim claim) {
            threads.add(Thread.currentThread().getId());
            if (threads.size() > ALLOWED) {
                throw new LockStoreException("The server has no more connections for this client");
            }
            return super.attempt(claim);
        }
    })),

    /** A thread whose name has a NUL can acquire nothing: PostgreSQL's {@code text} takes none. */
    REFUSES_A_THREAD_WHOSE_NAME_HAS_A_NUL(() -> new PlainStore(Traits.PLAIN) {
        @Override
        Attempt attempt(PlainClaim claim) {
            if (claim.claimant().thread().indexOf(0) >= 0) {
                throw new LockStoreException("invalid byte sequence for encoding \"UTF8\": 0x00");
            }
            return super.attempt(claim);
        }
    }),

    /** A repeated attempt within a fifth of a second is answered and not written: the claim ends before its holder believes. */
    A_REPEATED_ATTEMPT_SOON_AFTER_THE_GRANT_IS_NOT_WRITTEN(() -> new PlainStore(Traits.PLAIN) {
        private static final long JUST_WRITTEN = 200_000_000;

        @Override
        void enter(PlainLock lock, Grant grant, PlainClaim claim) {
            Entry entry = grant.entries.get(claim.id());
            if (entry == null || now - (entry.ends() - leaseNanos(claim)) >= JUST_WRITTEN) {
                super.enter(lock, grant, claim);
            }
        }
    }),

    /** What was lost once is lost for ever: the client's own memory, which it does not clear with the next grant. */
    A_CLAIM_THAT_WAS_LOST_STAYS_LOST(() -> PlainStore.withClient(Traits.PLAIN, store -> new MemoryProvider(store) {
        private final Set<String> lost = ConcurrentHashMap.newKeySet();

        @Override
        Renewal renew(PlainClaim claim) {
            Renewal answer = super.renew(claim);
            if (answer instanceof Renewal.Lost) {
                lost.add(claim.id());
            }
            return lost.contains(claim.id()) ? new Renewal.Lost(LossCause.EXPIRED) : answer;
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

    /**
     * A hold that has ended and was granted again ends with the other hold of its owner: {@code INSERT … ON CONFLICT DO NOTHING}.
     */
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

    /**
     * A container that closes its beans twice logs an error each time it stops: a close that is not prepared for the second one.
     */
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

    /**
     * An application that is deployed anew keeps a thread for each client whose session has once ended: that of the first
     * session.
     */
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

    /**
     * After an outage a client hears of one of the locks that it waits for: it subscribes again to the last name, for all it
     * knows to all.
     */
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

    /**
     * A client is refused for ever the lock of one of its own jobs that has died: a local table that only releases and losses
     * clear.
     */
    REFUSES_WHAT_A_DEAD_CLAIM_OF_ITS_OWN_HELD(() ->
            PlainStore.withClient(Traits.PLAIN, store -> new MemoryProvider(store) {
                private final Map<String, String> holders = new ConcurrentHashMap<>();

                @Override
                Attempt attempt(PlainClaim claim) {
                    String holder = holders.getOrDefault(claim.name(), claim.id());
                    if (!holder.equals(claim.id())) {
                        return new Attempt.Contended(Optional.empty());
                    }
                    Attempt answer = super.attempt(claim);
                    if (answer instanceof Attempt.Granted) {
                        holders.put(claim.name(), claim.id());
                    }
                    return answer;
                }

                @Override
                Renewal renew(PlainClaim claim) {
                    Renewal answer = super.renew(claim);
                    if (answer instanceof Renewal.Lost) {
                        holders.remove(claim.name(), claim.id());
                    }
                    return answer;
                }

                @Override
                Release release(PlainClaim claim) {
                    holders.remove(claim.name(), claim.id());
                    return super.release(claim);
                }
            })),

    /**
     * An operator sees a lock that seems to be held since a moment ago: a batch of renewals writes the time of the grant again.
     */
    MOVES_SINCE_WITH_A_BATCH(() -> new PlainStore(Traits.PLAIN) {
        @Override
        List<Renewal> renewAll(List<PlainClaim> claims) {
            claims.forEach(claim -> raw(claim.name(), lock -> {
                if (lock.grant != null && lock.isHeldBy(claim)) {
                    lock.grant.since = Instant.now();
                }
                return true;
            }));
            return super.renewAll(claims);
        }
    }),

    /**
     * Two jobs of a workflow wait, one gets the lock, and the other is not let in: who stands in the line is not looked up by
     * owner.
     */
    A_WAITER_IS_NOT_LET_IN_TO_ITS_OWNER(() -> new PlainStore(Traits.SHARED) {
        @Override
        boolean admits(PlainLock lock, PlainClaim claim) {
            boolean waits = lock.line.containsKey(claim.id());
            return (lock.grant == null || lock.isHeldBy(claim) || !waits) && super.admits(lock, claim);
        }
    }),

    /**
     * A resource refuses one of two jobs of a workflow: once the claim that began the hold has ended, the next one draws a new
     * token.
     */
    DRAWS_A_NEW_TOKEN_WHEN_THE_FIRST_CLAIM_HAS_ENDED(() -> new PlainStore(Traits.SHARED) {
        private final Map<Grant, String> began = new HashMap<>();

        @Override
        Grant newGrant(PlainLock lock, PlainClaim claim) {
            Grant grant = super.newGrant(lock, claim);
            began.put(grant, claim.id());
            return grant;
        }

        @Override
        Attempt grant(PlainLock lock, PlainClaim claim) {
            boolean late = lock.grant != null
                    && !lock.isHeldBy(claim)
                    && !lock.grant.entries.containsKey(began.get(lock.grant));
            Attempt.Granted granted = (Attempt.Granted) super.grant(lock, claim);
            return late ? new Attempt.Granted(new FencingToken(nextToken(claim)), granted.validFor()) : granted;
        }
    }),

    /** A holder trusts its lock for up to a second too long: leases of ten seconds and more are kept in whole seconds. */
    KEEPS_LEASES_OF_TEN_SECONDS_IN_SECONDS(() -> new PlainStore(Traits.PLAIN) {
        @Override
        long leaseNanos(PlainClaim claim) {
            long seconds = claim.lease().toSeconds();
            return seconds < 10
                    ? super.leaseNanos(claim)
                    : Duration.ofSeconds(seconds).toNanos();
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

    /**
     * The holder after a forced release has a token below that of the one before: the record that was removed had the counter,
     * too.
     */
    A_REMOVAL_BEGINS_THE_TOKENS_AGAIN(() -> new PlainStore(Traits.STRICT) {
        @Override
        synchronized void remove(String name) {
            super.remove(name);
            lastToken = 0;
        }
    }),

    /**
     * A free lock is refused while claims wait for one whose name begins as its does: the range of the queue lacks the separator.
     */
    TAKES_WAITERS_OF_LONGER_NAMES_FOR_ITS_OWN(() -> new PlainStore(Traits.LINE) {
        @Override
        boolean admits(PlainLock lock, PlainClaim claim) {
            return super.admits(lock, claim)
                    && (lock.grant != null
                            || locks.values().stream()
                                    .noneMatch(other ->
                                            other != lock && !other.line.isEmpty() && other.key.startsWith(lock.key)));
        }
    }),

    /** A waiter is passed by one that came later: the last release of a name that begins alike has swept the queue. */
    A_RELEASE_SWEEPS_THE_LINES_OF_LONGER_NAMES(() -> new PlainStore(Traits.LINE) {
        @Override
        void end(PlainLock lock, String name) {
            super.end(lock, name);
            locks.values().stream()
                    .filter(other -> other != lock && other.key.startsWith(lock.key))
                    .forEach(other -> other.line.clear());
        }
    }),

    /** A holder trusts its lock past its end when the pool was full: the time that the call waited for a connection is added. */
    ADDS_ITS_WAIT_FOR_A_CONNECTION_TO_THE_VALIDITY(() ->
            PlainStore.withClient(Traits.PLAIN, store -> new MemoryProvider(store) {
                private final AtomicInteger calls = new AtomicInteger();

                @Override
                Attempt attempt(PlainClaim claim) {
                    int before = calls.getAndIncrement();
                    long unused = store.clock.getAsLong();
                    Moments.pass(Duration.ofMillis(1));
                    Attempt answer = super.attempt(claim);
                    calls.decrementAndGet();
                    return answer instanceof Attempt.Granted granted
                            ? new Attempt.Granted(
                                    granted.fencingToken(), granted.validFor().plusMillis(before))
                            : answer;
                }
            })),

    /**
     * A resource refuses the holder of the moment, whose token was raised over the head of its grant: tokens are counted from a
     * base.
     */
    A_RAISE_CHANGES_THE_TOKENS_OF_HOLDERS(() -> new PlainStore(Traits.PLAIN) {
        private long raised;

        @Override
        synchronized void raiseTokens(long above) {
            raised += Math.max(0, above - lastToken);
            super.raiseTokens(above);
        }

        @Override
        Attempt grant(PlainLock lock, PlainClaim claim) {
            boolean again = lock.isHeldBy(claim);
            Attempt.Granted granted = (Attempt.Granted) super.grant(lock, claim);
            return again
                    ? new Attempt.Granted(
                            new FencingToken(
                                    granted.fencingToken().orElseThrow().value() + raised),
                            granted.validFor())
                    : granted;
        }
    }),

    /**
     * A resource lets a late holder in: an owner of two locks enters the second again under the token of the first, which is
     * looked up by owner.
     */
    TELLS_AN_OWNER_THE_TOKEN_OF_ITS_FIRST_LOCK(() -> new PlainStore(Traits.SHARED) {
        @Override
        Attempt grant(PlainLock lock, PlainClaim claim) {
            boolean nested = lock.grant != null && !lock.isHeldBy(claim);
            Attempt.Granted granted = (Attempt.Granted) super.grant(lock, claim);
            return nested
                    ? new Attempt.Granted(new FencingToken(firstTokenOf(claim.ownerId())), granted.validFor())
                    : granted;
        }

        private long firstTokenOf(String owner) {
            return locks.values().stream()
                    .flatMap(lock -> Stream.ofNullable(lock.grant))
                    .filter(grant -> grant.ownerId.equals(owner))
                    .mapToLong(grant -> grant.token)
                    .min()
                    .orElseThrow();
        }
    }),

    /** Who waits for a lock for a short time is passed by those that come later: a place lasts as long as the lease. */
    A_PLACE_LASTS_AS_LONG_AS_THE_LEASE(() -> new AskedStore(Traits.LINE) {
        @Override
        void dropEnded(PlainLock lock) {
            lock.line.values().removeIf(waiter -> now - asked.get(waiter.claim.id()) > leaseNanos(waiter.claim));
            super.dropEnded(lock);
        }
    }),

    /** A waiter loses its place when another one leaves: claims are removed by the beginning of their ids. */
    A_LEAVING_CLAIM_TAKES_THOSE_THAT_BEGIN_ALIKE(() -> new PlainStore(Traits.LINE) {
        @Override
        void withdraw(PlainLock lock, PlainClaim claim) {
            lock.line.keySet().removeIf(id -> id.startsWith(claim.id()));
        }
    }),

    /** A dead claim lives as long as its client has others: leases of one length are one lease. */
    ONE_RENEWAL_PROLONGS_ALL_LEASES_OF_ITS_LENGTH(() -> new PlainStore(Traits.PLAIN) {
        @Override
        Renewal prolong(PlainLock lock, PlainClaim claim) {
            for (PlainLock other : locks.values()) {
                if (other.grant != null) {
                    other.grant.entries.replaceAll((id, entry) -> entry.claim().provider == claim.provider
                                    && entry.claim().lease().equals(claim.lease())
                                    && !hasEnded(entry)
                            ? entry.until(now + leaseNanos(claim))
                            : entry);
                }
            }
            return super.prolong(lock, claim);
        }
    }),

    /** A lease ends early: a batch that was given up is carried out with the next one, with the ends of then. */
    A_BATCH_THAT_WAS_GIVEN_UP_IS_SENT_WITH_THE_NEXT(() -> new PlainStore(Traits.PLAIN) {
        private final Map<PlainClaim, Long> left = new ConcurrentHashMap<>();

        @Override
        List<Renewal> renewAll(List<PlainClaim> claims) {
            left.forEach((claim, end) -> alone(claim.name(), lock -> {
                if (lock.isHeldBy(claim) && lock.grant != null) {
                    lock.grant.entries.computeIfPresent(claim.id(), (id, entry) -> entry.until(end));
                }
                return true;
            }));
            left.clear();
            List<Renewal> answers = super.renewAll(claims);
            if (answers.stream().anyMatch(Renewal.Lost.class::isInstance)) {
                claims.forEach(claim -> left.put(claim, clock.getAsLong() + leaseNanos(claim)));
            }
            return answers;
        }
    }),

    /** A waiter loses its place when another client of its process is closed: places are withdrawn by the id of the process. */
    A_CLOSE_TAKES_THE_PLACES_OF_ITS_PROCESS(() -> new PlainStore(Traits.LINE) {
        @Override
        synchronized void leave(MemoryProvider client) {
            locks.values().forEach(lock -> lock.line.clear());
            super.leave(client);
        }
    }),

    /** A waiter sleeps on: its client hears for the latest 64 that wait, and forgets the one that waits longest. */
    HEARS_FOR_THE_LATEST_64_THAT_WAIT(() -> PlainStore.withClient(Traits.PLAIN, store -> new MemoryProvider(store) {
        private final Set<PlainClaim> latest = Collections.synchronizedSet(new LinkedHashSet<>());

        @Override
        public Claim newClaim(ClaimRequest request, ClaimSignals signals) {
            PlainClaim[] made = new PlainClaim[1];
            made[0] = (PlainClaim) super.newClaim(request, new ClaimSignals() {
                @Override
                public void mayBeFree() {
                    if (latest.contains(made[0])) {
                        signals.mayBeFree();
                    }
                }

                @Override
                public void lost(LossCause cause) {
                    signals.lost(cause);
                }
            });
            return made[0];
        }

        @Override
        Attempt attempt(PlainClaim claim) {
            synchronized (latest) {
                latest.remove(claim);
                latest.add(claim);
                if (latest.size() > 64) {
                    latest.remove(latest.iterator().next());
                }
            }
            return super.attempt(claim);
        }
    })),

    /** Who has waited for more than two seconds is not woken, and asks again when it was told to: registrations end too soon. */
    FORGETS_A_WAITER_AFTER_TWO_SECONDS(() -> new AskedStore(Traits.PLAIN) {
        @Override
        void announce(PlainLock lock, String name) {
            lock.line.values().stream()
                    .map(waiter -> waiter.claim)
                    .filter(claim ->
                            now - asked.get(claim.id()) < Duration.ofSeconds(2).toNanos())
                    .forEach(claim -> later(claim.signals::mayBeFree));
        }
    }),

    /** A raise to the smallest number sets the tokens back: numbers are compared by a subtraction, which overflows. */
    RAISES_TO_WHAT_IS_MORE_BY_A_SUBTRACTION(() -> new PlainStore(Traits.PLAIN) {
        @Override
        void raiseTokens(long above) {
            if (above == Long.MIN_VALUE) {
                synchronized (this) {
                    lastToken = 0;
                }
            } else {
                super.raiseTokens(above);
            }
        }
    }),

    /** A client that came back within a second is taken for dead after two: nobody stops the clock of its grace. */
    FORGETS_A_CLIENT_THAT_HAS_COME_BACK(() -> new PlainStore(Traits.PLAIN) {
        private long brokeAt;
        private boolean broke;

        @Override
        void beginOutage() {
            broke = true;
            brokeAt = clock.getAsLong();
            super.beginOutage();
        }

        @Override
        void announce(PlainLock lock, String name) {
            if (!broke || now - brokeAt < Duration.ofSeconds(2).toNanos()) {
                super.announce(lock, name);
            }
        }
    }),

    /** A lock is refused for a second after an owner has left, of whom two claims had waited: the second one's place is kept. */
    KEEPS_THE_PLACE_OF_A_WAITER_THAT_JOINED_ITS_OWNER(() -> new PlainStore(Traits.SHARED) {
        private final Set<String> joined = new HashSet<>();
        private final Map<String, Long> kept = new HashMap<>();

        @Override
        Attempt grant(PlainLock lock, PlainClaim claim) {
            if (lock.grant != null && lock.line.containsKey(claim.id())) {
                joined.add(lock.key);
            }
            return super.grant(lock, claim);
        }

        @Override
        void end(PlainLock lock, String name) {
            super.end(lock, name);
            if (joined.remove(lock.key)) {
                kept.put(lock.key, now + Duration.ofSeconds(1).toNanos());
            }
        }

        @Override
        boolean admits(PlainLock lock, PlainClaim claim) {
            return kept.getOrDefault(lock.key, now) - now <= 0 && super.admits(lock, claim);
        }
    }),

    /** The tokens of a name begin again when a holder that was too slow releases: the row is deleted, and with it the counter. */
    A_LATE_RELEASE_BEGINS_THE_TOKENS_AGAIN(() -> new PlainStore(Traits.PLAIN) {
        private final Map<String, Long> tokens = new HashMap<>();
        private final Set<String> granted = new HashSet<>();

        @Override
        long nextToken(PlainClaim claim) {
            granted.add(claim.id());
            return tokens.merge(claim.name(), 1L, Long::sum);
        }

        @Override
        Release free(PlainLock lock, PlainClaim claim) {
            Release answer = super.free(lock, claim);
            if (granted.remove(claim.id()) && answer == Release.NOT_HELD && lock.grant == null) {
                tokens.remove(claim.name());
            }
            return answer;
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

    private static final int LONGEST_KEY = 2_048;

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

    /** Knows when each claim has asked last. Right, as long as no step is overridden. */
    private static class AskedStore extends PlainStore {
        final Map<String, Long> asked = new HashMap<>();

        AskedStore(Traits traits) {
            super(traits);
        }

        @Override
        Attempt contend(PlainLock lock, PlainClaim claim) {
            asked.put(claim.id(), now);
            return super.contend(lock, claim);
        }
    }
}
