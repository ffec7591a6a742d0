package io.holdfast.wrong.spoilt;

import io.holdfast.lock.LockException;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.wrong.Moments;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/** What works the first time and not the next, or is decided by what the provider remembers. */
enum SecondTimeMutant implements Spoilt {
    LOSES_EVERY_TENTH_WAKE_UP {
        @Override
        public Release release(SpoiltClaim claim) {
            boolean tenth = claim.granted && claim.provider.calls.incrementAndGet() % 10 == 0;
            return tenth ? inSilence(claim.delegate::release) : claim.delegate.release();
        }
    },
    LOSES_THE_WAKE_UP_AFTER_A_REPEATED_ATTEMPT {
        @Override
        public Release release(SpoiltClaim claim) {
            return claim.granted && claim.attempts > 1 ? inSilence(claim.delegate::release) : claim.delegate.release();
        }
    },
    LOSES_THE_WAKE_UP_AFTER_A_RENEWAL {
        @Override
        public Release release(SpoiltClaim claim) {
            return claim.renewals > 0 ? inSilence(claim.delegate::release) : claim.delegate.release();
        }
    },
    LOSES_THE_WAKE_UP_AFTER_NESTED_HOLDS {
        @Override
        public Attempt attempt(SpoiltClaim claim) {
            Attempt attempt = claim.delegate.attempt();
            if (attempt instanceof Attempt.Granted && WAITERS.containsKey(claim.request.ownerId())) {
                claim.provider.memory.put(claim.request.ownerId(), "nested");
            }
            WAITERS.computeIfAbsent(claim.request.ownerId(), owner -> new ConcurrentLinkedQueue<>());
            return attempt;
        }

        @Override
        public Release release(SpoiltClaim claim) {
            return claim.provider.memory.containsKey(claim.request.ownerId())
                    ? inSilence(claim.delegate::release)
                    : claim.delegate.release();
        }
    },
    LOSES_THE_WAKE_UP_IN_THE_LAST_SECOND_OF_A_LEASE {
        @Override
        public Release release(SpoiltClaim claim) {
            long left = claim.grantedAt + claim.request.leaseTime().toNanos() - Moments.now();
            return claim.granted && left < Duration.ofSeconds(1).toNanos()
                    ? inSilence(claim.delegate::release)
                    : claim.delegate.release();
        }
    },
    WAKES_ONE_CLIENT_ONLY {
        private static final Map<String, SpoiltProvider> first = new ConcurrentHashMap<>();

        @Override
        public boolean hears(SpoiltClaim claim) {
            return first.computeIfAbsent(claim.name(), name -> claim.provider) == claim.provider;
        }
    },
    REMEMBERS_THAT_A_LOCK_IS_FREE {
        @Override
        public Optional<LockHolder> holder(SpoiltProvider provider, String name) {
            Optional<LockHolder> holder = provider.delegate.holder(name);
            if (holder.isEmpty()) {
                provider.memory.put(name, "free");
            }
            return holder;
        }

        @Override
        public Attempt attempt(SpoiltClaim claim) {
            if (claim.provider.memory.remove(claim.name()) != null) {
                claim.provider.delegate.remove(claim.name());
            }
            return claim.delegate.attempt();
        }
    },
    REMEMBERS_WHO_HOLDS_A_LOCK {
        @Override
        public Optional<LockHolder> holder(SpoiltProvider provider, String name) {
            Optional<LockHolder> seen = Optional.ofNullable((LockHolder) provider.memory.get(name));
            Optional<LockHolder> holder = seen.or(() -> provider.delegate.holder(name));
            holder.ifPresent(known -> provider.memory.put(name, known));
            return holder;
        }
    },
    TAKES_A_NEW_CLAIM_OF_AN_OWNER_FOR_ITS_LAST_ONE {
        @Override
        public Renewal renew(SpoiltClaim claim) {
            Renewal renewal = claim.delegate.renew();
            return renewal instanceof Renewal.Lost && claim.isShownAsHolder()
                    ? new Renewal.Held(claim.request.leaseTime())
                    : renewal;
        }
    },
    RENEWS_FOR_LESS_AFTER_A_REPEATED_ATTEMPT {
        @Override
        public Renewal renew(SpoiltClaim claim) {
            return claim.attempts > 1 && claim.isShownAsHolder()
                    ? new Renewal.Held(claim.request.leaseTime())
                    : claim.delegate.renew();
        }
    },
    REVIVES_WHAT_ITS_OWNER_LOST {
        @Override
        public Release release(SpoiltClaim claim) {
            Release release = claim.delegate.release();
            if (release == Release.NOT_HELD && claim.granted && !claim.released && claim.isShownAsHolder()) {
                claim.provider.delegate.remove(claim.name());
                return Release.RELEASED;
            }
            return release;
        }
    },
    THROWS_AT_THE_THIRD_CLOSE {
        @Override
        public void close(SpoiltProvider provider) {
            if (provider.calls.incrementAndGet() > 2) {
                throw new IllegalStateException("closed too often");
            }
            provider.delegate.close();
        }
    },
    TAKES_THE_SECOND_OUTAGE_FOR_CONTENTION {
        @Override
        public Attempt attempt(SpoiltClaim claim) {
            try {
                return claim.delegate.attempt();
            } catch (LockException down) {
                if (claim.provider.calls.incrementAndGet() > 1) {
                    return new Attempt.Contended(Optional.empty());
                }
                throw down;
            }
        }
    },
    ANSWERS_A_REPEATED_ATTEMPT_FROM_MEMORY {
        @Override
        public Attempt attempt(SpoiltClaim claim) {
            if (claim.granted) {
                return claim.provider
                        .delegate
                        .holder(claim.name())
                        .flatMap(LockHolder::fencingToken)
                        .<Attempt>map(token -> new Attempt.Granted(token, claim.request.leaseTime()))
                        .orElseGet(() -> new Attempt.Granted(Optional.empty(), claim.request.leaseTime()));
            }
            return claim.delegate.attempt();
        }
    },
    GRANTS_AGAIN_WITHOUT_A_RECORD {
        @Override
        public Attempt attempt(SpoiltClaim claim) {
            boolean removed = claim.granted
                    && claim.provider.delegate.holder(claim.name()).isEmpty();
            return removed
                    ? new Attempt.Granted(Optional.empty(), claim.request.leaseTime())
                    : claim.delegate.attempt();
        }
    },
    /** A waiter asks the store again when that lease has ended, or when it hears of a release. */
    BELIEVES_IN_THE_LEASE_THAT_IT_SAW {
        private static final ThreadLocal<Boolean> releasing = ThreadLocal.withInitial(() -> false);

        @Override
        public Attempt attempt(SpoiltClaim claim) {
            if (claim.provider.memory.get(claim.request.claimId()) instanceof Long until && Moments.now() - until < 0) {
                return new Attempt.Contended(Optional.of(Duration.ofNanos(until - Moments.now())));
            }
            Attempt attempt = claim.delegate.attempt();
            if (attempt instanceof Attempt.Contended contended && claim.request.intent() == ClaimRequest.Intent.WAIT) {
                contended
                        .retryAfter()
                        .ifPresent(after ->
                                claim.provider.memory.put(claim.request.claimId(), Moments.now() + after.toNanos()));
            }
            return attempt;
        }

        @Override
        public Release release(SpoiltClaim claim) {
            releasing.set(true);
            try {
                return claim.delegate.release();
            } finally {
                releasing.remove();
            }
        }

        /** The store's signals come on the thread of the caller: here a release, or the removal by an operator. */
        @Override
        public boolean hears(SpoiltClaim claim) {
            if (releasing.get()) {
                claim.provider.memory.remove(claim.request.claimId());
            }
            return true;
        }
    },
    TAKES_OVER_BY_THE_LEASE_THAT_IT_SAW {
        @Override
        public Attempt attempt(SpoiltClaim claim) {
            if (claim.provider.memory.get(claim.request.claimId()) instanceof Long until
                    && Moments.now() - until >= 0) {
                claim.provider.delegate.remove(claim.name());
            }
            Attempt attempt = claim.delegate.attempt();
            if (attempt instanceof Attempt.Contended contended) {
                contended
                        .retryAfter()
                        .ifPresent(after -> claim.provider.memory.putIfAbsent(
                                claim.request.claimId(), Moments.now() + after.toNanos()));
            }
            return attempt;
        }
    },
    RELEASES_BY_ITS_OWN_CLOCK {
        @Override
        public Release release(SpoiltClaim claim) {
            boolean over =
                    Moments.now() - claim.grantedAt > claim.request.leaseTime().toNanos();
            return claim.granted && over ? Release.NOT_HELD : claim.delegate.release();
        }
    },
    RENEWS_BY_ITS_OWN_CLOCK {
        @Override
        public Renewal renew(SpoiltClaim claim) {
            boolean over =
                    Moments.now() - claim.grantedAt > claim.request.leaseTime().toNanos();
            return claim.granted && claim.renewals == 0 && over
                    ? new Renewal.Lost(LossCause.EXPIRED)
                    : claim.delegate.renew();
        }
    },
    RELEASES_BY_ITS_OWN_MEMORY {
        @Override
        public Release release(SpoiltClaim claim) {
            if (claim.granted && !claim.released && claim.renewals == 0) {
                claim.delegate.release();
                return Release.RELEASED;
            }
            return claim.delegate.release();
        }
    };

    private static final Map<String, Queue<SpoiltClaim>> WAITERS = new ConcurrentHashMap<>();
    private static final ThreadLocal<Boolean> SILENT = ThreadLocal.withInitial(() -> false);

    private interface Quietly {
        Release release();
    }

    /** Nobody hears of the release: the store's signals come on the thread of the caller. */
    private static Release inSilence(Quietly call) {
        SILENT.set(true);
        try {
            return call.release();
        } finally {
            SILENT.remove();
        }
    }

    @Override
    public boolean hears(SpoiltClaim claim) {
        return !SILENT.get();
    }
}
