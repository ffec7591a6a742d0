package io.holdfast.wrong.kind;

import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import io.holdfast.wrong.Moments;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** What a call does to locks whose names begin alike, or match. */
enum NeighbourFault implements FaultOfAKind {
    FREES_NAMES_THAT_BEGIN_ALIKE {
        @Override
        public Release release(FaultyClaim claim) {
            return freeing(claim, name -> name.startsWith(claim.request.name()));
        }
    },
    FREES_BY_A_PATTERN_OF_SQL {
        @Override
        public Release release(FaultyClaim claim) {
            return freeing(claim, like(claim.request.name()).asMatchPredicate());
        }
    },
    FREES_BY_A_PATTERN_OF_FILES {
        @Override
        public Release release(FaultyClaim claim) {
            return freeing(claim, glob(claim.request.name()).asMatchPredicate());
        }
    },
    SHOWS_THE_HOLDER_OF_A_NAME_THAT_BEGINS_ALIKE {
        @Override
        public Optional<LockHolder> holder(FaultyProvider provider, String name) {
            return super.holder(provider, name)
                    .or(() -> provider.store
                            .holders()
                            .filter(claim -> claim.request.name().startsWith(name))
                            .findFirst()
                            .map(claim -> LockHolder.of(claim.request.ownerId())));
        }
    },
    ENDS_LEASES_OF_NAMES_THAT_BEGIN_ALIKE {
        @Override
        public Renewal renew(FaultyClaim claim) {
            claim.provider
                    .store
                    .holders()
                    .filter(dead -> claim.request.name().startsWith(dead.request.name()))
                    .filter(dead -> Moments.since(dead.askedAt).compareTo(dead.request.leaseTime()) > 0)
                    .findFirst()
                    .ifPresent(dead -> claim.provider.delegate.remove(claim.request.name()));
            return claim.delegate.renew();
        }
    },
    RENEWS_NAMES_THAT_BEGIN_ALIKE {
        @Override
        public Renewal renew(FaultyClaim claim) {
            claim.provider
                    .store
                    .holders()
                    .filter(other -> other.request.name().startsWith(claim.request.name())
                            || claim.request.name().startsWith(other.request.name()))
                    .forEach(other -> other.delegate.renew());
            return claim.delegate.renew();
        }
    },
    REPORTS_A_LOSS_TO_NAMES_THAT_BEGIN_ALIKE {
        @Override
        public Renewal renew(FaultyClaim claim) {
            Renewal renewal = claim.delegate.renew();
            if (renewal instanceof Renewal.Lost) {
                claim.provider
                        .store
                        .holders()
                        .filter(other -> other.request.name().startsWith(claim.request.name()))
                        .forEach(other -> other.signals.lost(LossCause.TAKEN_OVER));
            }
            return renewal;
        }
    },
    SILENCES_NAMES_THAT_BEGIN_ALIKE {
        @Override
        public Release release(FaultyClaim claim) {
            if (!claim.granted) {
                claim.provider
                        .store
                        .waiters()
                        .filter(other -> other.request.name().startsWith(claim.request.name()))
                        .forEach(other -> other.deaf = true);
            }
            return claim.delegate.release();
        }
    };

    /** Releases a claim, and frees all held names of a kind. */
    private static Release freeing(FaultyClaim claim, Predicate<String> names) {
        Release release = claim.delegate.release();
        if (release == Release.RELEASED) {
            claim.provider
                    .store
                    .holders()
                    .filter(other -> other != claim && names.test(other.request.name()))
                    .forEach(other -> claim.provider.delegate.remove(other.request.name()));
        }
        return release;
    }

    private static Pattern like(String pattern) {
        return pattern(pattern, "%", "_");
    }

    private static Pattern glob(String pattern) {
        return pattern(pattern, "*", "?");
    }

    private static Pattern pattern(String pattern, String many, String one) {
        StringBuilder regex = new StringBuilder();
        for (String each : pattern.codePoints().mapToObj(Character::toString).toList()) {
            regex.append(each.equals(many) ? ".*" : each.equals(one) ? "." : Pattern.quote(each));
        }
        return Pattern.compile(regex.toString(), Pattern.DOTALL);
    }
}
