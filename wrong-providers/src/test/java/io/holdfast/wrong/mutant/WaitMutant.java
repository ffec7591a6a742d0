package io.holdfast.wrong.mutant;

import io.holdfast.lock.LockCapabilities;
import io.holdfast.lock.LockCapabilities.Ordering;
import io.holdfast.lock.LockException;
import io.holdfast.lock.core.memory.MemoryLockProvider;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Attempt.Contended;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimRequest.Intent;
import io.holdfast.lock.spi.Release;
import io.holdfast.wrong.Moments;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Waiters that are not woken, or not in their order. */
enum WaitMutant implements Mutant {
    WAKES_NOBODY {
        @Override
        public boolean wakes(ClaimRequest request) {
            return false;
        }
    },
    WAKES_THE_FIRST_AND_FORGETS_THE_OTHERS {
        @Override
        public boolean wakes(ClaimRequest request) {
            return Claims.of(request.name()).count() < 2;
        }
    },
    WAKES_BEFORE_THE_RELEASE {
        @Override
        public Release release(MutantClaim claim) {
            List<MutantClaim> waiting =
                    Claims.of(claim.request.name()).filter(MutantClaim::waits).toList();
            waiting.forEach(each -> each.signals.mayBeFree());
            Moments.pass(Duration.ofMillis(2));
            waiting.forEach(each -> each.deaf = true);
            Release release = claim.delegate.release();
            waiting.forEach(each -> each.deaf = false);
            return release;
        }
    },
    /** A message has the name and the claim, with a bar between them. */
    HEARS_NOTHING_OF_A_NAME_WITH_A_BAR {
        @Override
        public boolean hears(MutantClaim claim) {
            return !claim.request.name().contains("|");
        }
    },
    HEARS_ONLY_OTHER_CLIENTS {
        @Override
        public Release release(MutantClaim claim) {
            SPEAKER.set(claim.provider.delegate());
            try {
                return claim.delegate.release();
            } finally {
                SPEAKER.remove();
            }
        }

        @Override
        public boolean hears(MutantClaim claim) {
            return SPEAKER.get() != claim.provider.delegate();
        }
    },
    HEARS_OF_ITS_LATEST_NAME_ONLY {
        @Override
        public Attempt attempt(MutantClaim claim) {
            Attempt attempt = claim.delegate.attempt();
            if (attempt instanceof Contended) {
                LATEST.put(claim.provider.delegate(), claim.request.name());
            }
            return attempt;
        }

        @Override
        public boolean hears(MutantClaim claim) {
            return claim.request.name().equals(LATEST.get(claim.provider.delegate()));
        }
    },
    HEARS_NOTHING_AFTER_AN_OUTAGE {
        @Override
        public Attempt attempt(MutantClaim claim) {
            try {
                return claim.delegate.attempt();
            } catch (LockException down) {
                LATEST.put(claim.provider.delegate(), "");
                throw down;
            }
        }

        @Override
        public boolean hears(MutantClaim claim) {
            return !LATEST.containsKey(claim.provider.delegate());
        }
    },
    LISTENS_NO_MORE_WHEN_ONE_OF_MANY_LEAVES {
        @Override
        public Release release(MutantClaim claim) {
            Release release = claim.delegate.release();
            Claims.of(claim.request.name())
                    .filter(each -> each.provider.delegate() == claim.provider.delegate())
                    .forEach(each -> each.deaf = true);
            return release;
        }
    },
    SILENCES_ALL_CLIENTS_AT_ITS_CLOSE {
        @Override
        public void close(MutantProvider provider) {
            provider.claims().forEach(claim -> Claims.of(claim.request.name()).forEach(each -> each.deaf = true));
        }
    },
    LISTENS_FOR_ONE_RELEASE_ONLY {
        @Override
        public LockCapabilities declared(LockCapabilities capabilities) {
            return capabilities.withOrdering(Ordering.NONE);
        }

        @Override
        public ClaimRequest request(ClaimRequest request, MutantProvider provider) {
            return KEEPS_NO_ORDER.request(request, provider);
        }

        @Override
        public Release release(MutantClaim claim) {
            Release release = claim.delegate.release();
            Claims.of(claim.request.name())
                    .filter(each -> each.waits() && each.hints++ == 0)
                    .forEach(each -> each.signals.mayBeFree());
            return release;
        }
    },
    LISTENS_SOME_TIME_AFTER_ITS_ANSWER {
        @Override
        public Attempt attempt(MutantClaim claim) {
            Attempt attempt = claim.delegate.attempt();
            if (attempt instanceof Contended && !claim.contended) {
                claim.listensFrom = Moments.now() + Duration.ofMillis(20).toNanos();
            }
            return attempt;
        }

        @Override
        public boolean hears(MutantClaim claim) {
            return Moments.now() - claim.listensFrom >= 0;
        }
    },
    KEEPS_NO_ORDER {
        @Override
        public ClaimRequest request(ClaimRequest request, MutantProvider provider) {
            return new ClaimRequest(
                    request.name(),
                    request.claimId(),
                    request.ownerId(),
                    request.leaseTime(),
                    Intent.TRY_ONCE,
                    request.claimant());
        }
    },
    LOSES_THE_ORDER_WHEN_A_CLAIM_IS_WITHDRAWN {
        @Override
        public Attempt attempt(MutantClaim claim) {
            int withdrawals = WITHDRAWALS.getOrDefault(claim.request.name(), 0);
            if (withdrawals > claim.withdrawals && !claim.granted) {
                claim.withdrawals = withdrawals;
                claim.delegate.release();
                claim.delegate = claim.provider.delegate().newClaim(claim.sent, claim.signals);
            }
            return claim.delegate.attempt();
        }

        @Override
        public Release release(MutantClaim claim) {
            Release release = claim.delegate.release();
            if (release == Release.NOT_HELD) {
                WITHDRAWALS.merge(claim.request.name(), 1, Integer::sum);
            }
            return release;
        }
    },
    LOSES_THE_ORDER_WHEN_A_LEASE_ENDS {
        @Override
        public Attempt attempt(MutantClaim claim) {
            if (claim.followsADeadHolder()) {
                Claims.of(claim.request.name()).forEach(other -> other.delegate.release());
            }
            return claim.delegate.attempt();
        }
    },
    RETURNS_TOO_LONG_A_RETRY_AFTER {
        @Override
        public Attempt attempt(MutantClaim claim) {
            return claim.delegate.attempt() instanceof Contended contended
                    ? new Contended(contended.retryAfter().map(time -> time.multipliedBy(10)))
                    : claim.delegate.attempt();
        }
    };

    private static final Map<String, Integer> WITHDRAWALS = new ConcurrentHashMap<>();
    private static final Map<MemoryLockProvider, String> LATEST = new ConcurrentHashMap<>();
    private static final ThreadLocal<MemoryLockProvider> SPEAKER = new ThreadLocal<>();
}
