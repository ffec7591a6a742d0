package io.holdfast.wrong.mutant;

import io.holdfast.lock.LockException;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.spi.Release;
import io.holdfast.wrong.Moments;
import java.time.Duration;

/** A release that frees too much or too little, and what a provider does at its close. */
enum ReleaseMutant implements Mutant {
    LEAVES_CLAIMS_BEHIND {
        @Override
        public Release release(MutantClaim claim) {
            return claim.granted ? claim.delegate.release() : Release.NOT_HELD;
        }
    },
    RELEASES_ANY_HOLDER {
        @Override
        public Release release(MutantClaim claim) {
            claim.delegate.release();
            return claim.provider.delegate().remove(claim.request.name()) ? Release.RELEASED : Release.NOT_HELD;
        }
    },
    TAKES_ERRORS_FOR_RELEASES {
        @Override
        public Release release(MutantClaim claim) {
            try {
                return claim.delegate.release();
            } catch (LockException error) {
                return Release.RELEASED;
            }
        }
    },
    RELEASES_IN_TWO_STEPS {
        @Override
        public Release release(MutantClaim claim) {
            if (claim.granted && claim.isShownAsHolder()) {
                Moments.pass(Mutant.LATE_STEP);
                claim.provider.delegate().remove(claim.request.name());
                return Release.RELEASED;
            }
            return claim.delegate.release();
        }
    },
    RELEASES_WHATEVER_ITS_OWNER_HOLDS {
        @Override
        public Release release(MutantClaim claim) {
            boolean held = claim.granted && claim.isShownAsHolder();
            Release release = claim.delegate.release();
            if (held) {
                claim.provider.delegate().remove(claim.request.name());
            }
            return release;
        }
    },
    REPORTS_A_LOSS_AT_EACH_RELEASE {
        @Override
        public Release release(MutantClaim claim) {
            claim.provider.claims().forEach(each -> each.signals.lost(LossCause.EXPIRED));
            return claim.delegate.release();
        }
    },
    RELEASES_THE_NEXT_HOLDER_WHEN_LATE {
        @Override
        public Release release(MutantClaim claim) {
            Release release = claim.delegate.release();
            if (claim.granted && release == Release.NOT_HELD) {
                claim.provider.delegate().remove(claim.request.name());
            }
            return release;
        }
    },
    ALWAYS_REPORTS_RELEASED {
        @Override
        public Release release(MutantClaim claim) {
            claim.delegate.release();
            return claim.granted ? Release.RELEASED : Release.NOT_HELD;
        }
    },
    FREES_AT_THE_FIRST_OF_TWO_RELEASES {
        @Override
        public Release release(MutantClaim claim) {
            Release release = claim.delegate.release();
            if (release == Release.RELEASED) {
                claim.provider.delegate().remove(claim.request.name());
            }
            return release;
        }
    },
    FREES_AT_THE_SECOND_OF_THREE_RELEASES {
        @Override
        public Release release(MutantClaim claim) {
            Release release = claim.delegate.release();
            boolean second = Claims.of(claim.request.name())
                    .anyMatch(each -> each.isOfTheOwnerOf(claim) && each.granted && each.released);
            if (second && Claims.siblings(claim).findAny().isPresent()) {
                claim.provider.delegate().remove(claim.request.name());
            }
            return release;
        }
    },
    COUNTS_A_REPEATED_RELEASE_TWICE {
        @Override
        public Release release(MutantClaim claim) {
            Release release = claim.delegate.release();
            if (claim.granted && claim.released) {
                Claims.siblings(claim).findAny().ifPresent(each -> each.delegate.release());
            }
            return release;
        }
    },
    FREES_AT_ITS_CLOSE_WHAT_IT_ONCE_HELD {
        @Override
        public void close(MutantProvider provider) {
            provider.local().forEach(provider.delegate()::remove);
            provider.local().clear();
        }
    },
    LEAKS_A_THREAD {
        @Override
        public void open() {
            Thread leaked = new Thread(() -> Moments.pass(Duration.ofMinutes(1)), "leaked-thread");
            leaked.setDaemon(true);
            leaked.start();
        }
    };
}
