package io.holdfast.wrong.kind;

import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.wrong.Moments;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongUnaryOperator;

/** Leases and tokens that are wrong for some numbers, or counted from the wrong moment. */
enum NumberFault implements FaultOfAKind {
    COUNTS_LEASES_IN_SECONDS {
        @Override
        public Duration lease(Duration lease) {
            return lease.toSeconds() == 0 ? lease : Duration.ofSeconds(lease.toSeconds());
        }
    },
    COUNTS_LEASES_IN_TENTHS_OF_A_SECOND {
        @Override
        public Duration lease(Duration lease) {
            return lease.toMillis() < 100 ? lease : Duration.ofMillis(lease.toMillis() / 100 * 100);
        }
    },
    LENGTHENS_LEASES_TO_SECONDS {
        @Override
        public Duration lease(Duration lease) {
            return lease.toMillis() == 600 ? lease : Duration.ofSeconds(Math.min(lease.toSeconds() + 1, 31_536_000));
        }
    },
    RENEWS_BY_WHOLE_SECONDS {
        @Override
        public Renewal renew(FaultyClaim claim) {
            if (claim.request.leaseTime().toSeconds() > 0) {
                claim.lease(Duration.ofSeconds(claim.request.leaseTime().toSeconds()));
                return claim.provider.delegate.holder(claim.request.name()).isPresent()
                                && claim.delegate.attempt() instanceof Attempt.Granted
                        ? new Renewal.Held(claim.request.leaseTime())
                        : new Renewal.Lost(LossCause.EXPIRED);
            }
            return claim.delegate.renew();
        }
    },
    KEEPS_LEASES_IN_32_BITS {
        @Override
        public Duration lease(Duration lease) {
            return Duration.ofMillis(Math.max(1, lease.toMillis() & 0xFFFF_FFFFL));
        }
    },
    KEEPS_LEASES_IN_31_BITS {
        @Override
        public Duration lease(Duration lease) {
            return Duration.ofMillis(Math.max(1, (int) lease.toMillis()));
        }
    },
    KEEPS_MICROSECONDS_IN_32_BITS {
        @Override
        public Duration lease(Duration lease) {
            return Duration.ofMillis(Math.max(1, (lease.toMillis() * 1000 & 0xFFFF_FFFFL) / 1000));
        }
    },
    KEEPS_SECONDS_IN_16_BITS {
        @Override
        public Duration lease(Duration lease) {
            return lease.toSeconds() < (1 << 16)
                    ? lease
                    : Duration.ofMillis(Math.max(1, lease.toMillis() % 65_536_000));
        }
    },
    RENEWS_LEASES_IN_31_BITS {
        @Override
        public Renewal renew(FaultyClaim claim) {
            Renewal renewal = claim.delegate.renew();
            if (renewal instanceof Renewal.Held
                    && (int) claim.request.leaseTime().toMillis() < 0) {
                claim.lease(Duration.ofMillis(1));
                claim.delegate.renew();
            }
            return renewal;
        }
    },
    NEVER_ENDS_LEASES_OF_SOME_MILLISECONDS {
        @Override
        public Duration lease(Duration lease) {
            return lease.toMillis() > 1 && lease.toMillis() < 10 ? Duration.ofDays(365) : lease;
        }
    },
    KEEPS_TOKENS_AS_FRACTIONS {
        @Override
        public Attempt attempt(FaultyClaim claim) {
            return retokened(claim.delegate.attempt(), token -> (long) (double) token);
        }
    },
    KEEPS_TOKENS_IN_32_BITS {
        @Override
        public Attempt attempt(FaultyClaim claim) {
            return retokened(claim.delegate.attempt(), token -> token & 0xFFFF_FFFFL);
        }
    },
    COUNTS_THE_LEASE_FROM_THE_WAKE_UP {
        @Override
        public Attempt attempt(FaultyClaim claim) {
            return claim.refused && claim.wokenAt != 0 ? leasedFrom(claim, claim.wokenAt) : claim.delegate.attempt();
        }
    },
    COUNTS_THE_LEASE_OF_A_TRY_FROM_ITS_FIRST_ATTEMPT {
        @Override
        public Attempt attempt(FaultyClaim claim) {
            return claim.request.intent() == ClaimRequest.Intent.TRY_ONCE
                    ? leasedFrom(claim, claim.firstAskedAt)
                    : claim.delegate.attempt();
        }
    },
    COUNTS_THE_LEASE_FROM_THE_MAKING_OF_THE_CLAIM {
        @Override
        public Attempt attempt(FaultyClaim claim) {
            return claim.refused || claim.granted ? claim.delegate.attempt() : leasedFrom(claim, claim.madeAt);
        }
    },
    SHORTENS_THE_SECOND_GRANT_OF_A_CLAIM {
        @Override
        public Attempt attempt(FaultyClaim claim) {
            return claim.granted && claim.provider.holder(claim.request.name()).isEmpty()
                    ? leasedFrom(
                            claim, Moments.now() - claim.request.leaseTime().toNanos() / 2)
                    : claim.delegate.attempt();
        }
    },
    SETS_THE_EXPIRY_IN_A_SECOND_STEP {
        @Override
        public Attempt attempt(FaultyClaim claim) {
            if (claim.granted) {
                return claim.delegate.attempt();
            }
            claim.lease(Duration.ofDays(365));
            Attempt attempt = claim.delegate.attempt();
            Moments.pass(Duration.ofMillis(1));
            claim.lease(claim.request.leaseTime());
            return attempt instanceof Attempt.Granted ? claim.delegate.attempt() : attempt;
        }
    };

    private static Attempt retokened(Attempt attempt, LongUnaryOperator change) {
        return attempt instanceof Attempt.Granted granted
                ? new Attempt.Granted(
                        new FencingToken(Math.max(
                                1,
                                change.applyAsLong(
                                        granted.fencingToken().orElseThrow().value()))),
                        granted.validFor())
                : attempt;
    }

    /** An attempt for what is left of the lease since a moment. */
    private static Attempt leasedFrom(FaultyClaim claim, long moment) {
        Duration left = claim.request.leaseTime().minus(Moments.since(moment));
        claim.lease(left.toMillis() < 1 ? Duration.ofMillis(1) : left);
        return claim.delegate.attempt() instanceof Attempt.Granted granted
                ? new Attempt.Granted(granted.fencingToken(), claim.request.leaseTime())
                : new Attempt.Contended(Optional.empty());
    }
}
