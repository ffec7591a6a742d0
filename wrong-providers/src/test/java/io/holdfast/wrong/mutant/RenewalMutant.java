package io.holdfast.wrong.mutant;

import io.holdfast.lock.LockException;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.spi.Attempt.Granted;
import io.holdfast.lock.spi.Claim;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.wrong.Moments;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A wrong renewal, alone or in a batch, or a loss that is none. */
enum RenewalMutant implements Mutant {
    RENEWS_WITHOUT_PROLONGING {
        @Override
        public Renewal renew(MutantClaim claim) {
            return new Renewal.Held(claim.request.leaseTime());
        }
    },
    RENEWS_IN_TWO_STEPS {
        @Override
        public Renewal renew(MutantClaim claim) {
            if (!claim.isShownAsHolder()) {
                return new Renewal.Lost(LossCause.EXPIRED);
            }
            Moments.pass(Mutant.LATE_STEP);
            claim.delegate.renew();
            return new Renewal.Held(claim.request.leaseTime());
        }
    },
    RENEWS_ONLY_THE_FIRST_OF_MANY {
        @Override
        public List<Renewal> renewAll(List<MutantClaim> claims) {
            List<Renewal> renewals = new ArrayList<>(List.of(claims.get(0).renew()));
            for (MutantClaim claim : claims.subList(1, claims.size())) {
                renewals.add(
                        claim.isShownAsHolder()
                                ? new Renewal.Held(claim.request.leaseTime())
                                : new Renewal.Lost(LossCause.EXPIRED));
            }
            return renewals;
        }
    },
    RENEWS_FEWER_THAN_IT_DECLARES {
        @Override
        public List<Renewal> renewAll(List<MutantClaim> claims) {
            List<Renewal> renewals = new ArrayList<>(super.renewAll(claims.subList(0, Math.min(50, claims.size()))));
            claims.stream()
                    .skip(renewals.size())
                    .forEach(claim -> renewals.add(new Renewal.Held(claim.request.leaseTime())));
            return renewals;
        }
    },
    RENEWS_ALL_CLAIMS_OF_THE_OWNER {
        @Override
        public Renewal renew(MutantClaim claim) {
            Renewal renewal = claim.delegate.renew();
            if (renewal instanceof Renewal.Held) {
                Claims.siblings(claim)
                        .filter(each -> each.delegate.renew() instanceof Renewal.Held)
                        .forEach(each -> {
                            ClaimRequest longer = Mutant.with(
                                    each.sent, each.sent.name(), each.sent.ownerId(), claim.request.leaseTime());
                            each.delegate = each.provider.delegate().newClaim(longer, each.signals);
                            each.delegate.attempt();
                        });
            }
            return renewal;
        }
    },
    RENEWS_WHAT_HAS_VANISHED {
        @Override
        public Renewal renew(MutantClaim claim) {
            Renewal renewal = claim.delegate.renew();
            return renewal instanceof Renewal.Lost && claim.delegate.attempt() instanceof Granted granted
                    ? new Renewal.Held(granted.validFor())
                    : renewal;
        }
    },
    RENEWS_ANY_HOLDER {
        @Override
        public Renewal renew(MutantClaim claim) {
            Renewal renewal = claim.delegate.renew();
            Optional<Claim> holder = Claims.holder(claim.request.name());
            if (renewal instanceof Renewal.Lost) {
                holder.ifPresent(Claim::renew);
            }
            return renewal;
        }
    },
    ANSWERS_FOR_MANY_IN_ANOTHER_ORDER {
        @Override
        public List<Renewal> renewAll(List<MutantClaim> claims) {
            List<Renewal> renewals = new ArrayList<>(super.renewAll(claims));
            Collections.reverse(renewals);
            return renewals;
        }
    },
    ANSWERS_FOR_MANY_BY_THEIR_NAMES {
        @Override
        public List<Renewal> renewAll(List<MutantClaim> claims) {
            List<Renewal> renewals = super.renewAll(claims);
            Set<String> held = new HashSet<>();
            for (int i = 0; i < claims.size(); i++) {
                if (renewals.get(i) instanceof Renewal.Held) {
                    held.add(claims.get(i).request.name());
                }
            }
            return claims.stream()
                    .<Renewal>map(claim -> held.contains(claim.request.name())
                            ? new Renewal.Held(claim.request.leaseTime())
                            : new Renewal.Lost(LossCause.TAKEN_OVER))
                    .toList();
        }
    },
    PROMISES_MANY_THE_LONGEST_OF_THEIR_LEASES {
        @Override
        public List<Renewal> renewAll(List<MutantClaim> claims) {
            Duration longest = claims.stream()
                    .map(claim -> claim.request.leaseTime())
                    .max(Comparator.naturalOrder())
                    .orElseThrow();
            return super.renewAll(claims).stream()
                    .map(renewal -> renewal instanceof Renewal.Held ? new Renewal.Held(longest) : renewal)
                    .toList();
        }
    },
    TAKES_ERRORS_FOR_RENEWALS {
        @Override
        public Renewal renew(MutantClaim claim) {
            try {
                return claim.delegate.renew();
            } catch (LockException error) {
                return new Renewal.Held(claim.request.leaseTime());
            }
        }
    },
    REPORTS_A_LOSS_TO_ALL {
        @Override
        public Renewal renew(MutantClaim claim) {
            Renewal renewal = claim.delegate.renew();
            if (renewal instanceof Renewal.Lost lost) {
                claim.provider.claims().forEach(each -> each.signals.lost(lost.cause()));
            }
            return renewal;
        }
    },
    SIGNALS_A_LOSS_BY_NAME {
        @Override
        public Renewal renew(MutantClaim claim) {
            Renewal renewal = claim.delegate.renew();
            if (renewal instanceof Renewal.Lost lost) {
                claim.provider.claims().stream()
                        .filter(each -> each.request.name().equals(claim.request.name()))
                        .forEach(each -> each.signals.lost(lost.cause()));
            }
            return renewal;
        }
    };
}
