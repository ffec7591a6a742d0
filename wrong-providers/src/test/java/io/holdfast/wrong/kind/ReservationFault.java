package io.holdfast.wrong.kind;

import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LockCapabilities;
import io.holdfast.lock.LockCapabilities.Fencing;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.wrong.Moments;
import java.time.Duration;
import java.util.Optional;

/** Tokens that are reserved with a grant, and that others get as well. */
enum ReservationFault implements FaultOfAKind {
    /** Promises what was asked for, and reserves one. */
    RESERVES_ONE {
        @Override
        public Attempt attempt(FaultyClaim claim, int tokens) {
            Attempt attempt = claim.delegate.attempt();
            return attempt instanceof Attempt.Granted granted && !claim.granted ? granted.withTokens(tokens) : attempt;
        }
    },
    RESERVES_ONE_TOO_FEW {
        @Override
        public Attempt attempt(FaultyClaim claim, int tokens) {
            Attempt attempt = claim.delegate.attemptFor(Math.max(1, tokens - 1));
            return attempt instanceof Attempt.Granted granted && !claim.granted ? granted.withTokens(tokens) : attempt;
        }
    },
    RESERVES_SIXTEEN_AT_MOST {
        @Override
        public Attempt attempt(FaultyClaim claim, int tokens) {
            Attempt attempt = claim.delegate.attemptFor(Math.min(16, tokens));
            return attempt instanceof Attempt.Granted granted && !claim.granted ? granted.withTokens(tokens) : attempt;
        }
    },
    RESERVES_WHAT_THE_FIRST_ATTEMPT_ASKED_FOR {
        @Override
        public Attempt attempt(FaultyClaim claim, int tokens) {
            claim.firstWanted = claim.firstWanted == 0 ? tokens : claim.firstWanted;
            Attempt attempt = claim.delegate.attemptFor(claim.firstWanted);
            return attempt instanceof Attempt.Granted granted && !claim.granted ? granted.withTokens(tokens) : attempt;
        }
    },
    GIVES_ONE_MORE_THAN_WAS_ASKED_FOR {
        @Override
        public Attempt attempt(FaultyClaim claim, int tokens) {
            return claim.delegate.attemptFor(tokens + 1);
        }
    },
    TELLS_THE_LAST_TOKEN_AS_THE_FIRST {
        @Override
        public Attempt attempt(FaultyClaim claim, int tokens) {
            Attempt attempt = claim.delegate.attemptFor(tokens);
            return attempt instanceof Attempt.Granted granted
                    ? new Attempt.Granted(
                                    new FencingToken(
                                            granted.fencingToken().orElseThrow().value() + granted.tokens() - 1),
                                    granted.validFor())
                            .withTokens(granted.tokens())
                    : attempt;
        }
    },
    PROMISES_AGAIN_WHAT_A_REPEATED_ATTEMPT_ASKS_FOR {
        @Override
        public Attempt attempt(FaultyClaim claim, int tokens) {
            Attempt attempt = claim.delegate.attemptFor(tokens);
            return attempt instanceof Attempt.Granted granted ? granted.withTokens(tokens) : attempt;
        }
    },
    HIGHEST_TOKEN_IS_THAT_OF_THE_LATEST_GRANT {
        @Override
        public Attempt attempt(FaultyClaim claim, int tokens) {
            Attempt attempt = claim.delegate.attemptFor(tokens);
            if (attempt instanceof Attempt.Granted granted) {
                claim.provider.store.latestToken =
                        granted.fencingToken().orElseThrow().value();
            }
            return attempt;
        }

        @Override
        public long highestToken(FaultyProvider provider) {
            return provider.store.latestToken;
        }
    },
    /** Reserves them in the memory of the client, which knows of no grant to another one. */
    RESERVES_FOR_ITS_OWN_CLIENT {
        @Override
        public Attempt attempt(FaultyClaim claim, int tokens) {
            FaultyProvider first = claim.provider.store.claims.peek().provider;
            Attempt attempt = claim.delegate.attemptFor(claim.provider == first ? tokens : 1);
            return attempt instanceof Attempt.Granted granted && !claim.granted ? granted.withTokens(tokens) : attempt;
        }
    },
    /** Reserves the lock itself, for a tenth of a second, for the client that had it last. */
    RESERVES_THE_LOCK_FOR_ITS_LAST_CLIENT {
        @Override
        public Attempt attempt(FaultyClaim claim, int tokens) {
            FaultyProvider.Store store = claim.provider.store;
            boolean reserved = store.lastClient != claim.provider
                    && Moments.since(store.lastGrantAt).toMillis() < 100;
            if (store.lastClient != null && reserved) {
                return new Attempt.Contended(Optional.of(Duration.ofMillis(10)));
            }
            Attempt attempt = claim.delegate.attemptFor(tokens);
            if (attempt instanceof Attempt.Granted) {
                store.lastClient = claim.provider;
                store.lastGrantAt = Moments.now();
            }
            return attempt;
        }
    };

    @Override
    public Attempt attempt(FaultyClaim claim) {
        return attempt(claim, 1);
    }

    /** The count of the memory store outlives its records. */
    @Override
    public LockCapabilities declared(LockCapabilities capabilities) {
        return capabilities.withFencing(Fencing.STRICT);
    }
}
