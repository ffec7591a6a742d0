package io.holdfast.wrong.mutant;

import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Attempt.Granted;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.Release;
import io.holdfast.wrong.Moments;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A lease that begins, ends or is promised at the wrong time. */
enum LeaseMutant implements Mutant {
    TAKES_MILLISECONDS_FOR_SECONDS {
        @Override
        public ClaimRequest request(ClaimRequest request, MutantProvider provider) {
            return Mutant.with(request, request.name(), request.ownerId(), shortened(request.leaseTime(), 1000, 1));
        }
    },
    NEVER_EXPIRES {
        @Override
        public ClaimRequest request(ClaimRequest request, MutantProvider provider) {
            return Mutant.with(request, request.name(), request.ownerId(), Duration.ofDays(365));
        }
    },
    EXPIRES_TOO_EARLY {
        @Override
        public ClaimRequest request(ClaimRequest request, MutantProvider provider) {
            return Mutant.with(request, request.name(), request.ownerId(), shortened(request.leaseTime(), 3, 4));
        }
    },
    PROMISES_MORE_THAN_THE_LEASE {
        @Override
        public Attempt attempt(MutantClaim claim) {
            return claim.delegate.attempt() instanceof Granted granted
                    ? new Granted(
                            granted.fencingToken(), claim.request.leaseTime().plusMillis(200))
                    : claim.delegate.attempt();
        }
    },
    PROMISES_THE_LEASE_AGAIN_WITHOUT_PROLONGING {
        @Override
        public Attempt attempt(MutantClaim claim) {
            return claim.grant.isPresent() && claim.isShownAsHolder() ? claim.grant.get() : claim.delegate.attempt();
        }
    },
    NESTS_WITHIN_THE_FIRST_LEASE {
        @Override
        public ClaimRequest request(ClaimRequest request, MutantProvider provider) {
            Duration first = LEASES.computeIfAbsent(request.name() + request.ownerId(), key -> request.leaseTime());
            return Mutant.with(request, request.name(), request.ownerId(), first);
        }
    },
    ENDS_LEASES_BY_NAME {
        @Override
        public Release release(MutantClaim claim) {
            Release release = claim.delegate.release();
            if (release == Release.RELEASED && claim.request.leaseTime().toSeconds() < 5) {
                Thread timer = new Thread(() -> {
                    Moments.pass(claim.request.leaseTime());
                    claim.provider.delegate().remove(claim.request.name());
                });
                timer.setDaemon(true);
                timer.start();
            }
            return release;
        }
    };

    private static final Map<String, Duration> LEASES = new ConcurrentHashMap<>();

    private static Duration shortened(Duration lease, int times, int parts) {
        Duration changed = lease.multipliedBy(times).dividedBy(parts);
        return changed.toDays() < 365 ? changed : lease;
    }
}
