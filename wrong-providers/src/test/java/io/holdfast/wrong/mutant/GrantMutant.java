package io.holdfast.wrong.mutant;

import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Attempt.Contended;
import io.holdfast.lock.spi.Attempt.Granted;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.wrong.Moments;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;

/** A wrong answer to an attempt, or to who the holder is. */
enum GrantMutant implements Mutant {
    GRANTS_ALWAYS {
        @Override
        public Attempt attempt(MutantClaim claim) {
            return new Granted(new FencingToken(Claims.newToken()), claim.request.leaseTime());
        }
    },
    CHECKS_THEN_ACTS {
        @Override
        public Attempt attempt(MutantClaim claim) {
            if (claim.provider.holder(claim.request.name()).isPresent()) {
                return new Contended(Optional.of(Duration.ofMillis(1)));
            }
            // Wide enough for two threads to overlap soon on any machine.
            Moments.pass(Duration.ofMillis(20));
            claim.provider.delegate().remove(claim.request.name());
            return claim.delegate.attempt();
        }
    },
    TAKES_OVER_IN_TWO_STEPS {
        @Override
        public Attempt attempt(MutantClaim claim) {
            if (claim.followsADeadHolder()) {
                Moments.pass(Duration.ofMillis(3));
                claim.provider.delegate().remove(claim.request.name());
            }
            return claim.delegate.attempt();
        }
    },
    ADMITS_ANYBODY_OF_THE_CLIENT {
        @Override
        public ClaimRequest request(ClaimRequest request, MutantProvider provider) {
            return Mutant.with(
                    request, request.name(), "client-" + System.identityHashCode(provider), request.leaseTime());
        }
    },
    WAITS_IN_THE_ATTEMPT {
        @Override
        public Attempt attempt(MutantClaim claim) {
            Attempt first = claim.delegate.attempt();
            if (first instanceof Granted) {
                return first;
            }
            // Eight of them are longer than the limit by two seconds: a machine that stands still
            // for a part of that hides the wait.
            Moments.pass(Duration.ofMillis(400));
            return claim.delegate.attempt();
        }
    },
    COUNTS_A_REPEATED_ATTEMPT_TWICE {
        @Override
        public Attempt attempt(MutantClaim claim) {
            ClaimRequest sent = claim.sent;
            ClaimRequest again = new ClaimRequest(
                    sent.name(),
                    UUID.randomUUID().toString(),
                    sent.ownerId(),
                    sent.leaseTime(),
                    sent.intent(),
                    sent.claimant());
            claim.delegate = claim.provider.delegate().newClaim(again, claim.signals);
            return claim.delegate.attempt();
        }
    },
    TAKES_ERRORS_FOR_CONTENTION {
        @Override
        public Attempt attempt(MutantClaim claim) {
            try {
                return claim.delegate.attempt();
            } catch (LockException error) {
                return new Contended(Optional.empty());
            }
        }
    },
    LETS_LOCAL_MEMORY_DECIDE {
        @Override
        public Attempt attempt(MutantClaim claim) {
            boolean known = claim.provider.local().contains(claim.request.name());
            return known && !claim.granted ? new Contended(Optional.empty()) : claim.delegate.attempt();
        }
    },
    REFUSES_REENTRY {
        @Override
        public ClaimRequest request(ClaimRequest request, MutantProvider provider) {
            return Mutant.with(request, request.name(), request.claimId(), request.leaseTime());
        }
    },
    PUTS_THE_HOLDER_BEHIND_WAITERS {
        @Override
        public Attempt attempt(MutantClaim claim) {
            return claim.isShownAsHolder() && Claims.of(claim.request.name()).anyMatch(MutantClaim::waits)
                    ? new Contended(Optional.of(Duration.ofMillis(1)))
                    : claim.delegate.attempt();
        }
    },
    SHOWS_HOLDERS_PAST_THEIR_LEASES {
        @Override
        public Optional<LockHolder> holder(MutantProvider provider, String name) {
            return super.holder(provider, name)
                    .or(() -> Claims.of(name)
                            .filter(MutantClaim::isInForce)
                            .findFirst()
                            .map(claim -> LockHolder.of(claim.request.ownerId())));
        }
    },
    SHOWS_THE_HOLDER_BEFORE {
        @Override
        public Optional<LockHolder> holder(MutantProvider provider, String name) {
            return super.holder(provider, name)
                    .map(holder -> Claims.of(name)
                            .filter(MutantClaim::isInForce)
                            .findFirst()
                            .map(claim -> LockHolder.of(claim.request.ownerId()))
                            .orElse(holder));
        }
    },
    SHOWS_NO_OWNER_WHERE_A_THREAD_HAS_AN_ODD_NAME {
        @Override
        public Optional<LockHolder> holder(MutantProvider provider, String name) {
            return super.holder(provider, name)
                    .map(holder -> holder.thread().orElse("").contains("\"") ? LockHolder.of("") : holder);
        }
    },
    TAKES_AN_INTERRUPT_FOR_CONTENTION {
        @Override
        public Attempt attempt(MutantClaim claim) {
            return Thread.currentThread().isInterrupted()
                    ? new Attempt.Contended(Optional.empty())
                    : claim.delegate.attempt();
        }
    },
    SWALLOWS_INTERRUPTS {
        @Override
        public Attempt attempt(MutantClaim claim) {
            Attempt attempt = claim.delegate.attempt();
            LockSupport.parkNanos(Duration.ofMillis(2).toNanos());
            Thread.interrupted();
            return attempt;
        }
    };
}
