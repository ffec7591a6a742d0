package io.holdfast.lock.tck;

import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Attempt.Granted;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.lock.tck.FlawedProvider.FlawedClaim;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** What is wrong with a provider that works while nothing fails. */
enum Flaw {
    NONE,
    ASKS_UNDER_A_NEW_ID_AFTER_A_FAILURE {
        @Override
        Attempt attempt(FlawedClaim claim) {
            if (claim.failed) {
                claim.replace();
            }
            return claim.claim.attempt();
        }
    },
    RELEASES_ONLY_WHAT_IT_KNOWS_TO_HOLD {
        @Override
        Release release(FlawedClaim claim) {
            return claim.failed ? Release.NOT_HELD : claim.claim.release();
        }
    },
    TAKES_A_FAILED_RENEWAL_FOR_A_LOSS {
        @Override
        Renewal renew(FlawedClaim claim) {
            try {
                return claim.claim.renew();
            } catch (LockStoreException unknown) {
                return new Renewal.Lost(LossCause.TAKEN_OVER);
            }
        }
    },
    TAKES_AN_ERROR_FOR_CONTENTION {
        @Override
        Attempt attempt(FlawedClaim claim) {
            return unlessRefused(claim.claim::attempt, new Attempt.Contended(Optional.empty()));
        }
    },
    TAKES_ANOTHER_KIND_OF_ERROR_FOR_CONTENTION {
        @Override
        Attempt attempt(FlawedClaim claim) {
            return unlessAnswered(
                    FaultyStore::isLoading, claim.claim::attempt, new Attempt.Contended(Optional.empty()));
        }
    },
    TAKES_ANOTHER_KIND_OF_ERROR_FOR_A_LOSS {
        @Override
        Renewal renew(FlawedClaim claim) {
            return unlessAnswered(FaultyStore::isLoading, claim.claim::renew, new Renewal.Lost(LossCause.TAKEN_OVER));
        }
    },
    TAKES_ANOTHER_KIND_OF_ERROR_FOR_A_LATE_RELEASE {
        @Override
        Release release(FlawedClaim claim) {
            return unlessAnswered(FaultyStore::isLoading, claim.claim::release, Release.NOT_HELD);
        }
    },
    SWALLOWS_THE_INTERRUPT_OF_A_CALL_THAT_FAILS {
        @Override
        Attempt attempt(FlawedClaim claim) {
            try {
                return claim.claim.attempt();
            } catch (LockStoreException failure) {
                boolean unused = Thread.interrupted();
                throw failure;
            }
        }
    },
    TAKES_AN_ERROR_FOR_A_REPEATED_GRANT {
        @Override
        Attempt attempt(FlawedClaim claim) {
            return unlessRefused(claim.claim::attempt, new Granted(Optional.empty(), claim.request.leaseTime()));
        }
    },
    TAKES_AN_ERROR_FOR_A_RAISE {
        @Override
        void raiseTokens(FlawedProvider provider, long above) {
            long unused = unlessRefused(
                    () -> {
                        provider.provider().raiseTokens(above);
                        return above;
                    },
                    0L);
        }
    },
    TAKES_AN_ERROR_FOR_A_RENEWAL {
        @Override
        Renewal renew(FlawedClaim claim) {
            return unlessRefused(claim.claim::renew, new Renewal.Held(claim.request.leaseTime()));
        }
    },
    TAKES_AN_ERROR_FOR_A_LATE_RELEASE {
        @Override
        Release release(FlawedClaim claim) {
            return unlessRefused(claim.claim::release, Release.NOT_HELD);
        }
    },
    KEEPS_A_CONNECTION_WITH_EACH_ERROR {
        @Override
        Attempt attempt(FlawedClaim claim) {
            if (claim.owner().taken().get() >= POOL_SIZE) {
                throw new LockStoreException("The pool has no free connection");
            }
            try {
                return claim.claim.attempt();
            } catch (LockStoreException failure) {
                claim.owner().taken().incrementAndGet();
                throw failure;
            }
        }
    },
    LOSES_A_CONNECTION_WITH_EACH_RENEWAL_THAT_FAILS {
        @Override
        Renewal renew(FlawedClaim claim) {
            if (claim.owner().taken().get() >= FEW) {
                throw new LockStoreException("The pool has no free connection");
            }
            try {
                return claim.claim.renew();
            } catch (LockStoreException failure) {
                claim.owner().taken().incrementAndGet();
                throw failure;
            }
        }
    },
    SWALLOWS_THE_INTERRUPT_OF_A_CALL_THAT_WAITS_FOR_A_CONNECTION {
        @Override
        Attempt attempt(FlawedClaim claim) {
            AtomicInteger taken = claim.owner().taken();
            try {
                boolean unused = taken.incrementAndGet() > POOL_SIZE
                        && new CountDownLatch(1).await(POOL_WAIT.toMillis(), TimeUnit.MILLISECONDS);
                return claim.claim.attempt();
            } catch (InterruptedException swallowed) {
                throw new LockStoreException("The pool has no free connection", swallowed);
            } finally {
                taken.decrementAndGet();
            }
        }
    },
    KEEPS_THE_PLACE_OF_A_CALL_THAT_IS_INTERRUPTED_WHILE_IT_WAITS_FOR_A_CONNECTION {
        @Override
        Attempt attempt(FlawedClaim claim) {
            AtomicInteger taken = claim.owner().taken();
            if (taken.incrementAndGet() > POOL_SIZE) {
                try {
                    boolean unused = new CountDownLatch(1).await(POOL_WAIT.toMillis(), TimeUnit.MILLISECONDS);
                    taken.decrementAndGet();
                } catch (InterruptedException kept) {
                    Thread.currentThread().interrupt();
                }
                throw new LockStoreException("The pool has no free connection");
            }
            try {
                return claim.claim.attempt();
            } finally {
                taken.decrementAndGet();
            }
        }
    },
    KEEPS_THE_PLACES_OF_CONNECTIONS_THAT_WERE_CUT_WHILE_THEY_WERE_IDLE {
        private static final Map<AtomicInteger, Long> HEARD = new ConcurrentHashMap<>();

        @Override
        Attempt attempt(FlawedClaim claim) {
            AtomicInteger taken = claim.owner().taken();
            Long before = HEARD.put(taken, Pace.now());
            boolean looks = before != null && Pace.since(before).compareTo(POOL_WAIT) > 0;
            if (looks && DistantProvider.of(claim.owner()).outages() > 0) {
                taken.set(POOL_SIZE);
            }
            if (taken.get() >= POOL_SIZE) {
                throw new LockStoreException("The pool has no free connection");
            }
            return claim.claim.attempt();
        }
    },
    TAKES_A_LATE_REPLY_FOR_THAT_OF_THE_NEXT_RENEWAL {
        @Override
        Renewal renew(FlawedClaim claim) {
            if (claim.failed) {
                claim.failed = false;
                return new Renewal.Held(claim.request.leaseTime());
            }
            return claim.claim.renew();
        }
    },
    TAKES_A_FULL_POOL_FOR_CONTENTION {
        @Override
        Attempt attempt(FlawedClaim claim) {
            AtomicInteger taken = claim.owner().taken();
            try {
                return taken.incrementAndGet() > POOL_SIZE
                        ? new Attempt.Contended(Optional.empty())
                        : claim.claim.attempt();
            } finally {
                taken.decrementAndGet();
            }
        }
    },
    REPEATS_AN_ATTEMPT_UNDER_A_NEW_ID {
        @Override
        Attempt attempt(FlawedClaim claim) {
            return repeating(() -> claim.claim.attempt(), claim::replace);
        }
    },
    BELIEVES_THE_ANSWER_TO_A_REPEATED_RELEASE {
        @Override
        Release release(FlawedClaim claim) {
            return repeating(claim.claim::release, () -> {});
        }
    },
    SETS_THE_LEASE_ONLY_AFTER_THE_GRANT {
        @Override
        Attempt attempt(FlawedClaim claim) {
            claim.replace(claim.request.leaseTime().multipliedBy(100));
            Attempt answer = claim.claim.attempt();
            if (answer instanceof Granted) {
                Release unused = claim.claim.release();
                claim.replace(claim.request.leaseTime());
                answer = claim.claim.attempt();
            }
            return answer;
        }
    },
    /** Behind it no claim is granted the lock that was refused it once. */
    LEAVES_A_PLACE_FOR_GOOD_WITH_EACH_ATTEMPT_THAT_FAILS {
        private static final Set<String> PLACES = ConcurrentHashMap.newKeySet();
        private static final Set<FlawedClaim> BEHIND = ConcurrentHashMap.newKeySet();

        @Override
        Attempt attempt(FlawedClaim claim) {
            Attempt answer;
            try {
                answer = claim.claim.attempt();
            } catch (LockStoreException failure) {
                PLACES.add(claim.request.name());
                throw failure;
            }
            if (!PLACES.contains(claim.request.name())) {
                return answer;
            }
            if (answer instanceof Attempt.Contended) {
                BEHIND.add(claim);
            } else if (BEHIND.contains(claim)) {
                Release unused = claim.claim.release();
                return new Attempt.Contended(Optional.empty());
            }
            return answer;
        }
    },
    IS_NOT_WOKEN_AFTER_A_FAILURE {
        @Override
        void mayBeFree(FlawedClaim claim, ClaimSignals signals) {
            if (!claim.failed) {
                signals.mayBeFree();
            }
        }
    },
    /** It tries to listen again for so long. */
    LISTENS_NO_MORE_AFTER_A_LONG_OUTAGE {
        @Override
        void mayBeFree(FlawedClaim claim, ClaimSignals signals) {
            boolean gaveUp = DistantProvider.of(claim.owner()).outages() > 0
                    && Pace.since(claim.madeAt).compareTo(Duration.ofSeconds(20)) > 0;
            if (!gaveUp) {
                signals.mayBeFree();
            }
        }
    },
    /** It asks for changes after the last one that it has seen, and the store counts them anew. */
    WAITS_FOR_A_CHANGE_THAT_WAS_LOST_WITH_THE_DATA {
        @Override
        void mayBeFree(FlawedClaim claim, ClaimSignals signals) {
            if (!DistantProvider.of(claim.owner()).hasLostData()) {
                signals.mayBeFree();
            }
        }
    },
    /** The releasing client sends the one message, after the reply. */
    WAKES_NOBODY_BY_A_RELEASE_WITHOUT_A_REPLY {
        @Override
        void mayBeFree(FlawedClaim claim, ClaimSignals signals) {
            if (!DistantProvider.of(claim.owner()).losesReplies()) {
                signals.mayBeFree();
            }
        }
    },
    COUNTS_A_TOKEN_BY_A_SECOND_REQUEST {
        @Override
        Attempt attempt(FlawedClaim claim) {
            boolean again = claim.token != 0;
            claim.token = again ? claim.token : COUNTED.get() + 1;
            if (!(claim.claim.attempt() instanceof Granted granted)) {
                claim.token = 0;
                return new Attempt.Contended(Optional.empty());
            }
            if (!again) {
                COUNTED.set(claim.token);
            }
            return new Granted(Optional.of(new FencingToken(claim.token)), granted.validFor());
        }
    },
    RELEASES_BY_NAME_AFTER_A_FAILURE {
        @Override
        Release release(FlawedClaim claim) {
            if (claim.failed) {
                claim.owner().operator().remove(claim.request.name());
                return Release.RELEASED;
            }
            return claim.claim.release();
        }
    },
    COUNTS_THE_LEASE_FROM_THE_REPLY {
        @Override
        Attempt attempt(FlawedClaim claim) {
            long called = Pace.now();
            Attempt attempt = claim.claim.attempt();
            return attempt instanceof Granted granted
                    ? new Granted(
                            granted.fencingToken(), claim.request.leaseTime().plus(Pace.since(called)))
                    : attempt;
        }
    },
    RENEWS_WHAT_IT_REMEMBERS {
        @Override
        void lost(ClaimSignals signals, LossCause cause) {
            // It does not believe the store.
        }

        @Override
        Renewal renew(FlawedClaim claim) {
            claim.claim.renew();
            return new Renewal.Held(claim.request.leaseTime());
        }
    },
    PROMISES_A_MULTIPLE_OF_THE_LEASE {
        @Override
        Attempt attempt(FlawedClaim claim) {
            Attempt attempt = claim.claim.attempt();
            return attempt instanceof Granted granted
                    ? new Granted(
                            granted.fencingToken(), claim.request.leaseTime().multipliedBy(10))
                    : attempt;
        }
    },
    CONNECTS_FOR_EACH_CALL {
        @Override
        Renewal renew(FlawedClaim claim) {
            DistantProvider.of(claim.owner()).connected().set(false);
            return claim.claim.renew();
        }
    },
    HAS_ONE_CONNECTION {
        @Override
        Attempt attempt(FlawedClaim claim) {
            synchronized (claim.owner().provider()) {
                return claim.claim.attempt();
            }
        }

        @Override
        Renewal renew(FlawedClaim claim) {
            synchronized (claim.owner().provider()) {
                return claim.claim.renew();
            }
        }
    },
    GIVES_UP_SLOW_RENEWALS {
        @Override
        Renewal renew(FlawedClaim claim) {
            long called = Pace.now();
            Renewal renewal = claim.claim.renew();
            if (Pace.since(called).compareTo(Duration.ofMillis(10)) > 0) {
                throw new LockStoreException("The reply came late");
            }
            return renewal;
        }
    },
    NEVER_CONNECTS_AGAIN {
        @Override
        Attempt attempt(FlawedClaim claim) {
            return connectedStill(claim, claim.claim.attempt());
        }

        @Override
        Renewal renew(FlawedClaim claim) {
            return connectedStill(claim, claim.claim.renew());
        }

        @Override
        Release release(FlawedClaim claim) {
            return connectedStill(claim, claim.claim.release());
        }

        private <T> T connectedStill(FlawedClaim claim, T reply) {
            if (DistantProvider.of(claim.owner()).outages() > 0) {
                throw new LockStoreException("The connection is closed");
            }
            return reply;
        }
    },
    CONNECTS_AGAIN_ONLY_ONCE {
        @Override
        Renewal renew(FlawedClaim claim) {
            if (DistantProvider.of(claim.owner()).outages() > 1) {
                throw new LockStoreException("The connection is closed");
            }
            return claim.claim.renew();
        }
    },
    BEGINS_A_NEW_SESSION_ONLY_ONCE {
        @Override
        Attempt attempt(FlawedClaim claim) {
            if (DistantProvider.of(claim.owner()).endedSessions() > 1) {
                throw new LockStoreException("The session has ended");
            }
            return claim.claim.attempt();
        }
    },
    GRANTS_IN_A_SESSION_THAT_HAS_ENDED {
        @Override
        Attempt attempt(FlawedClaim claim) {
            Attempt attempt = claim.claim.attempt();
            if (attempt instanceof Attempt.Granted
                    && DistantProvider.of(claim.owner()).endedSessions() > 0) {
                Release unused = claim.claim.release();
            }
            return attempt;
        }
    },
    LEAVES_A_THREAD_WHEN_CLOSED_DURING_AN_OUTAGE {
        @Override
        void close(FlawedProvider provider) {
            if (DistantProvider.of(provider).isDown()) {
                Thread reconnects = new Thread(() -> Pace.pass(Duration.ofMinutes(1)), "reconnects");
                reconnects.setDaemon(true);
                reconnects.start();
            }
            provider.provider().close();
        }
    },
    LEAVES_THE_CONNECTION_OF_A_CALL_THAT_IS_UNDER_WAY_WHEN_IT_IS_CLOSED {
        private static final Queue<Closeable> LEFT = new ConcurrentLinkedQueue<>();

        @Override
        Attempt attempt(FlawedClaim claim) {
            AtomicInteger taken = claim.owner().taken();
            taken.incrementAndGet();
            try {
                return claim.claim.attempt();
            } finally {
                taken.decrementAndGet();
            }
        }

        @Override
        void close(FlawedProvider provider) {
            for (int i = 0; i < provider.taken().get(); i++) {
                try {
                    LEFT.add(new ServerSocket(0));
                } catch (IOException impossible) {
                    throw new UncheckedIOException(impossible);
                }
            }
            provider.provider().close();
        }
    },
    /** Nothing was sent, so there is nothing to release. */
    FORGETS_AN_ATTEMPT_WITH_ONE_THAT_CANNOT_BE_SENT {
        private static final Set<FlawedClaim> FORGOTTEN = ConcurrentHashMap.newKeySet();

        @Override
        Attempt attempt(FlawedClaim claim) {
            if (DistantProvider.of(claim.owner()).isDown()) {
                FORGOTTEN.add(claim);
            }
            return claim.claim.attempt();
        }

        @Override
        Release release(FlawedClaim claim) {
            return FORGOTTEN.contains(claim) ? Release.NOT_HELD : claim.claim.release();
        }
    },
    /** The first request was carried out, and the connection broke before its reply. */
    BELIEVES_THAT_A_RELEASE_WAS_CARRIED_OUT_WHOSE_CONNECTION_BROKE {
        @Override
        Release release(FlawedClaim claim) {
            Release answer = claim.claim.release();
            return DistantProvider.of(claim.owner()).outages() > 0 ? Release.RELEASED : answer;
        }
    },
    BEGINS_ITS_TOKENS_AGAIN_AFTER_AN_OUTAGE {
        @Override
        Attempt attempt(FlawedClaim claim) {
            Attempt attempt = claim.claim.attempt();
            return attempt instanceof Granted granted
                            && DistantProvider.of(claim.owner()).outages() > 0
                    ? new Granted(new FencingToken(1), granted.validFor())
                    : attempt;
        }
    };

    /** The tokens of which the store knows. */
    private static final AtomicLong COUNTED = new AtomicLong();

    private static final int POOL_SIZE = 10;
    /** So many outages there are also on a machine that is slow. */
    private static final int FEW = 3;

    private static final Duration POOL_WAIT = Duration.ofSeconds(5);

    /** The answer to a call, which is made once more if it fails. */
    private static <T> T repeating(Supplier<T> call, Runnable before) {
        try {
            return call.get();
        } catch (LockStoreException unknown) {
            before.run();
            return call.get();
        }
    }

    /** The answer of the store, or another one if that was an error. */
    private static <T> T unlessRefused(Supplier<T> call, T otherwise) {
        return unlessAnswered(FaultyStore::isAnswer, call, otherwise);
    }

    private static <T> T unlessAnswered(Predicate<LockStoreException> by, Supplier<T> call, T otherwise) {
        try {
            return call.get();
        } catch (LockStoreException failure) {
            if (by.test(failure)) {
                return otherwise;
            }
            throw failure;
        }
    }

    void mayBeFree(FlawedClaim claim, ClaimSignals signals) {
        signals.mayBeFree();
    }

    void lost(ClaimSignals signals, LossCause cause) {
        signals.lost(cause);
    }

    void raiseTokens(FlawedProvider provider, long above) {
        provider.provider().raiseTokens(above);
    }

    void close(FlawedProvider provider) {
        provider.provider().close();
    }

    Attempt attempt(FlawedClaim claim) {
        return claim.claim.attempt();
    }

    Renewal renew(FlawedClaim claim) {
        return claim.claim.renew();
    }

    Release release(FlawedClaim claim) {
        return claim.claim.release();
    }
}
