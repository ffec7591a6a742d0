package io.holdfast.wrong.spoilt;

import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.wrong.Moments;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** A call in two steps, with nothing between them. */
enum RaceMutant implements Spoilt {
    LOOKS_AND_THEN_TAKES {
        @Override
        public Attempt attempt(SpoiltClaim claim) {
            if (!claim.isShownAsHolder()
                    && claim.provider.delegate.holder(claim.name()).isPresent()) {
                return new Attempt.Contended(Optional.of(Duration.ofMillis(1)));
            }
            claim.provider.delegate.remove(claim.name());
            return claim.delegate.attempt();
        }
    },
    TAKES_OVER_WHAT_IT_SAW_EXPIRED {
        private static final Map<String, String> last = new ConcurrentHashMap<>();

        @Override
        public Attempt attempt(SpoiltClaim claim) {
            boolean expired = last.containsKey(claim.name())
                    && claim.provider.delegate.holder(claim.name()).isEmpty();
            if (expired) {
                claim.provider.delegate.remove(claim.name());
            }
            Attempt attempt = claim.delegate.attempt();
            if (attempt instanceof Attempt.Granted) {
                last.put(claim.name(), claim.request.claimId());
            }
            return attempt;
        }

        @Override
        public Release release(SpoiltClaim claim) {
            last.remove(claim.name(), claim.request.claimId());
            return claim.delegate.release();
        }
    },
    LOOKS_AND_THEN_DELETES {
        @Override
        public Release release(SpoiltClaim claim) {
            if (claim.granted && claim.isShownAsHolder()) {
                claim.provider.delegate.remove(claim.name());
                return Release.RELEASED;
            }
            return claim.delegate.release();
        }
    },
    FREES_AND_THEN_CLEANS_UP {
        @Override
        public Release release(SpoiltClaim claim) {
            Release release = claim.delegate.release();
            if (release == Release.RELEASED
                    && claim.provider.delegate.holder(claim.name()).isPresent()) {
                claim.provider.delegate.remove(claim.name());
            }
            return release;
        }
    },
    CLEANS_UP_WHEN_ASKED_FOR_THE_HOLDER {
        private static final Map<String, Boolean> known = new ConcurrentHashMap<>();

        @Override
        public Optional<LockHolder> holder(SpoiltProvider provider, String name) {
            Optional<LockHolder> holder = provider.delegate.holder(name);
            if (holder.isEmpty() && known.put(name, true) == null) {
                provider.delegate.remove(name);
            }
            return holder;
        }
    },
    LOOKS_AND_THEN_PROLONGS {
        @Override
        public Renewal renew(SpoiltClaim claim) {
            if (!claim.isShownAsHolder()) {
                return new Renewal.Lost(LossCause.EXPIRED);
            }
            claim.delegate.renew();
            return new Renewal.Held(claim.request.leaseTime());
        }
    },
    LOOKS_AND_THEN_WRITES_THE_RECORD_AGAIN {
        @Override
        public Renewal renew(SpoiltClaim claim) {
            if (!claim.isShownAsHolder()) {
                return new Renewal.Lost(LossCause.EXPIRED);
            }
            return claim.delegate.attempt() instanceof Attempt.Granted granted
                    ? new Renewal.Held(granted.validFor())
                    : new Renewal.Lost(LossCause.TAKEN_OVER);
        }
    },
    RENEWS_ONE_AT_A_TIME {
        @Override
        public Renewal renew(SpoiltClaim claim) {
            boolean first = claim.provider.memory.putIfAbsent(claim.request.claimId(), true) == null;
            try {
                return first ? claim.delegate.renew() : new Renewal.Lost(LossCause.TAKEN_OVER);
            } finally {
                claim.provider.memory.remove(claim.request.claimId());
            }
        }
    },
    COUNTS_HOLDS_WITH_A_READ_AND_A_WRITE {
        private static final Map<String, Integer> holds = new ConcurrentHashMap<>();

        private String key(SpoiltClaim claim) {
            return claim.name() + claim.request.ownerId();
        }

        @Override
        public Attempt attempt(SpoiltClaim claim) {
            boolean repeated = claim.granted;
            int before = holds.getOrDefault(key(claim), 0);
            Attempt attempt = claim.delegate.attempt();
            if (attempt instanceof Attempt.Granted && !repeated) {
                holds.put(key(claim), before + 1);
            }
            return attempt;
        }

        @Override
        public Release release(SpoiltClaim claim) {
            int before = holds.getOrDefault(key(claim), 0);
            Release release = claim.delegate.release();
            if (release == Release.RELEASED) {
                holds.put(key(claim), before - 1);
                if (before == 1) {
                    claim.provider.delegate.remove(claim.name());
                    holds.remove(key(claim));
                }
            }
            return release;
        }
    },
    GIVES_EACH_COPY_ITS_OWN_TOKEN {
        private static final Map<String, Long> tokens = new ConcurrentHashMap<>();

        @Override
        public Attempt attempt(SpoiltClaim claim) {
            Long token = tokens.get(claim.request.claimId());
            Attempt attempt = claim.delegate.attempt();
            if (attempt instanceof Attempt.Granted && token == null) {
                token = TOKENS.incrementAndGet();
                tokens.put(claim.request.claimId(), token);
            }
            return SpoiltClaim.withToken(attempt, token == null ? 1 : token);
        }
    },
    WRITES_BACK_IN_A_RENEWAL_WHAT_IT_HAS_READ {
        private static final Map<String, Set<SpoiltClaim>> inForce = new ConcurrentHashMap<>();

        private static Set<SpoiltClaim> inForce(SpoiltClaim claim) {
            return inForce.computeIfAbsent(claim.name(), name -> ConcurrentHashMap.newKeySet());
        }

        @Override
        public Attempt attempt(SpoiltClaim claim) {
            Attempt attempt = claim.delegate.attempt();
            if (attempt instanceof Attempt.Granted) {
                inForce(claim).add(claim);
            }
            return attempt;
        }

        @Override
        public Renewal renew(SpoiltClaim claim) {
            Set<SpoiltClaim> read = Set.copyOf(inForce(claim));
            Renewal renewal = claim.delegate.renew();
            Moments.pass(Duration.ofNanos(50_000));
            read.stream().filter(each -> !inForce(claim).contains(each)).forEach(each -> each.delegate.attempt());
            return renewal;
        }

        @Override
        public Release release(SpoiltClaim claim) {
            inForce(claim).remove(claim);
            return claim.delegate.release();
        }
    },
    RAISES_TOKENS_WITH_A_READ_AND_A_WRITE {
        @Override
        public Attempt attempt(SpoiltClaim claim) {
            Attempt attempt = claim.delegate.attempt();
            return attempt instanceof Attempt.Granted && !claim.granted
                    ? SpoiltClaim.withToken(attempt, COUNTER.incrementAndGet())
                    : attempt;
        }

        @Override
        public long highestToken(SpoiltProvider provider) {
            return COUNTER.get();
        }

        @Override
        public void raiseTokens(SpoiltProvider provider, long above) {
            if (COUNTER.get() < above) {
                COUNTER.set(above);
            }
        }
    };

    private static final AtomicLong TOKENS = new AtomicLong();
    private static final AtomicLong COUNTER = new AtomicLong();
}
