package io.holdfast.wrong.kind;

import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Queue;

/** What is wrong when there are many. */
enum CrowdFault implements FaultOfAKind {
    RENEWS_A_QUARTER_OF_A_LARGE_BATCH {
        @Override
        public int batch() {
            return 1000;
        }

        @Override
        public List<Renewal> renewAll(List<FaultyClaim> claims) {
            List<Renewal> renewals = new ArrayList<>(super.renewAll(claims.subList(0, Math.min(250, claims.size()))));
            claims.stream()
                    .skip(renewals.size())
                    .map(claim -> claim.provider.holder(claim.request.name()).isPresent()
                            ? new Renewal.Held(claim.request.leaseTime())
                            : new Renewal.Lost(LossCause.EXPIRED))
                    .forEach(renewals::add);
            return renewals;
        }
    },
    KEEPS_A_HUNDRED_LOCKS {
        @Override
        public Attempt attempt(FaultyClaim claim) {
            Attempt attempt = claim.delegate.attempt();
            Queue<String> kept = claim.provider.names;
            if (attempt instanceof Attempt.Granted && !claim.granted) {
                kept.add(claim.request.name());
                if (kept.size() > 100) {
                    claim.provider.delegate.remove(kept.remove());
                }
            }
            return attempt;
        }
    },
    RELEASES_TWO_HUNDRED_LOCKS_AT_MOST {
        @Override
        public Release release(FaultyClaim claim) {
            claim.provider.names.add(claim.request.name());
            return claim.granted && claim.provider.names.size() > 200 ? Release.RELEASED : claim.delegate.release();
        }
    },
    HAS_A_POOL_OF_TEN {
        @Override
        public Attempt attempt(FaultyClaim claim) {
            requireRoom(claim);
            return claim.delegate.attempt();
        }

        @Override
        public Renewal renew(FaultyClaim claim) {
            requireRoom(claim);
            return claim.delegate.renew();
        }

        private static void requireRoom(FaultyClaim claim) {
            if (claim.provider.store.waiters().filter(claim::isOfTheProviderOf).count() >= 10) {
                throw new LockStoreException("The waiters have all connections of the pool");
            }
        }
    },
    LISTENS_FOR_EIGHT_NAMES {
        @Override
        public boolean hears(FaultyClaim claim) {
            return claim.provider.store.claims.stream()
                            .filter(other -> other.refused && claim.isOfTheProviderOf(other))
                            .map(other -> other.request.name())
                            .distinct()
                            .toList()
                            .indexOf(claim.request.name())
                    < 8;
        }
    },
    WAKES_TEN_CLIENTS {
        @Override
        public boolean hears(FaultyClaim claim) {
            return claim.provider.store.claims.stream()
                            .filter(other -> other.refused)
                            .map(other -> other.provider)
                            .distinct()
                            .toList()
                            .indexOf(claim.provider)
                    < 10;
        }
    },
    SORTS_ITS_LINE_AS_TEXT {
        @Override
        public ClaimRequest request(ClaimRequest request) {
            return new ClaimRequest(
                    request.name(),
                    request.claimId(),
                    request.ownerId(),
                    request.leaseTime(),
                    ClaimRequest.Intent.TRY_ONCE,
                    request.claimant());
        }

        @Override
        public Attempt attempt(FaultyClaim claim) {
            List<FaultyClaim> line = claim.provider.store.claims.stream()
                    .filter(other -> other.refused && other.request.name().equals(claim.request.name()))
                    .toList();
            boolean comesFirst = line.stream()
                    .filter(other -> !other.granted && !other.released)
                    .min(Comparator.comparing(other -> String.valueOf(line.indexOf(other) + 1)))
                    .filter(first -> first != claim)
                    .isEmpty();
            return comesFirst || claim.granted
                    ? claim.delegate.attempt()
                    : new Attempt.Contended(Optional.of(Duration.ofMillis(1)));
        }
    };
}
