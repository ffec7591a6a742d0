package io.holdfast.wrong.mutant;

import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LockCapabilities;
import io.holdfast.lock.LockCapabilities.Fencing;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Attempt.Granted;
import io.holdfast.wrong.Moments;
import java.time.Duration;

/** Fencing tokens that do not grow, or change. */
enum TokenMutant implements Mutant {
    DRAWS_THE_TOKEN_BEFORE_THE_GRANT {
        @Override
        public Attempt attempt(MutantClaim claim) {
            if (claim.granted) {
                return retokened(claim.delegate.attempt(), claim.ownToken);
            }
            claim.ownToken = Claims.newToken();
            Moments.pass(Duration.ofMillis(1));
            return retokened(claim.delegate.attempt(), claim.ownToken);
        }
    },
    GRANTS_ALL_WITH_ONE_TOKEN {
        @Override
        public Attempt attempt(MutantClaim claim) {
            return retokened(claim.delegate.attempt(), 1);
        }
    },
    CHANGES_THE_TOKEN_ON_REENTRY {
        @Override
        public Attempt attempt(MutantClaim claim) {
            return retokened(claim.delegate.attempt(), claim.ownToken);
        }
    },
    CHANGES_THE_TOKEN_EVERY_TIME {
        @Override
        public Attempt attempt(MutantClaim claim) {
            return retokened(claim.delegate.attempt(), Claims.newToken());
        }
    },
    KEEPS_THE_TOKEN_WITH_THE_FIRST_HOLD {
        @Override
        public Attempt attempt(MutantClaim claim) {
            boolean nested = claim.isShownAsHolder();
            boolean rootless = Claims.of(claim.request.name())
                    .filter(each -> each.isOfTheOwnerOf(claim) && each.granted)
                    .findFirst()
                    .filter(first -> first.released)
                    .isPresent();
            Attempt attempt = claim.delegate.attempt();
            return nested && rootless && !claim.granted ? retokened(attempt, claim.ownToken) : attempt;
        }
    },
    DECLARES_NO_FENCING_AND_GRANTS_TOKENS {
        @Override
        public LockCapabilities declared(LockCapabilities capabilities) {
            return capabilities.withFencing(Fencing.NONE);
        }
    },
    RAISES_NO_TOKENS {
        @Override
        public void raiseTokens(MutantProvider provider, long above) {
            // Says that it has done so.
        }
    },
    RAISES_TOKENS_TOO_LITTLE {
        @Override
        public void raiseTokens(MutantProvider provider, long above) {
            super.raiseTokens(provider, above - 1);
        }
    },
    RAISES_TOKENS_AS_FAR_AS_IT_CAN {
        @Override
        public void raiseTokens(MutantProvider provider, long above) {
            super.raiseTokens(provider, Math.min(above, (1L << 62) - 1));
        }
    },
    TELLS_TOO_LOW_A_HIGHEST_TOKEN {
        @Override
        public long highestToken(MutantProvider provider) {
            return 0;
        }
    };

    private static Attempt retokened(Attempt attempt, long token) {
        return attempt instanceof Granted granted ? new Granted(new FencingToken(token), granted.validFor()) : attempt;
    }
}
