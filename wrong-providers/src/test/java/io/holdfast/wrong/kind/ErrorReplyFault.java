package io.holdfast.wrong.kind;

import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LockStoreException;
import io.holdfast.lock.LossCause;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.Release;
import io.holdfast.lock.spi.Renewal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Errors with which the store answers, and that are taken for something else. While no reply comes at all these providers are
 * right.
 */
enum ErrorReplyFault implements FaultOfAKind {
    TAKES_AN_ERROR_FOR_CONTENTION {
        @Override
        public Attempt attempt(FaultyClaim claim) {
            return answer(claim, claim.delegate::attempt, () -> new Attempt.Contended(Optional.empty()));
        }
    },
    /** A claim that tries once takes the first answer for the last one. */
    TELLS_A_CLAIM_THAT_TRIES_AGAIN_OF_CONTENTION {
        @Override
        public Attempt attempt(FaultyClaim claim) {
            boolean again = claim.failedBefore;
            claim.failedBefore = claim.provider.store.cut.isRefusing();
            return answer(claim, claim.delegate::attempt, () -> {
                if (again) {
                    return new Attempt.Contended(Optional.of(Duration.ofMillis(10)));
                }
                throw new LockStoreException("The store has answered with an error");
            });
        }
    },
    /** It has written to the first of two places, and asks nobody whether it was written. */
    GRANTS_WHAT_WAS_NOT_WRITTEN {
        @Override
        public Attempt attempt(FaultyClaim claim) {
            return answer(
                    claim,
                    claim.delegate::attempt,
                    () -> new Attempt.Granted(Optional.of(new FencingToken(1_000_000)), claim.sent.leaseTime()));
        }
    },
    TAKES_AN_ERROR_FOR_A_RAISE {
        @Override
        public void raiseTokens(FaultyProvider provider, long above) {
            if (!provider.store.cut.isRefusing()) {
                super.raiseTokens(provider, above);
            }
        }
    },
    TAKES_AN_ERROR_FOR_A_LOSS {
        @Override
        public Renewal renew(FaultyClaim claim) {
            return answer(claim, claim.delegate::renew, () -> new Renewal.Lost(LossCause.TAKEN_OVER));
        }
    },
    TAKES_AN_ERROR_FOR_A_RENEWAL {
        @Override
        public Renewal renew(FaultyClaim claim) {
            return answer(claim, claim.delegate::renew, () -> new Renewal.Held(claim.sent.leaseTime()));
        }
    },
    /** Only in a batch, which stops at the first error: the others are not found among the answers. */
    TAKES_THE_REST_OF_A_BATCH_FOR_LOST {
        @Override
        public List<Renewal> renewAll(List<FaultyClaim> claims) {
            List<Renewal> answers = new ArrayList<>();
            for (FaultyClaim claim : claims) {
                answers.add(answer(
                        claim,
                        claim.delegate::renew,
                        () -> answers.isEmpty()
                                ? new Renewal.Unknown(new LockStoreException("The store has answered with an error"))
                                : new Renewal.Lost(LossCause.TAKEN_OVER)));
            }
            return answers;
        }
    },
    TAKES_AN_ERROR_FOR_A_LATE_RELEASE {
        @Override
        public Release release(FaultyClaim claim) {
            return answer(claim, claim.delegate::release, () -> Release.NOT_HELD);
        }
    },
    TAKES_AN_ERROR_FOR_A_RELEASE {
        @Override
        public Release release(FaultyClaim claim) {
            return answer(claim, claim.delegate::release, () -> Release.RELEASED);
        }
    },
    /** The first release is what it remembers; the store is not asked twice. */
    SENDS_A_RELEASE_ONCE {
        @Override
        public Release release(FaultyClaim claim) {
            if (claim.failedBefore && !claim.provider.store.cut.isRefusing()) {
                return Release.RELEASED;
            }
            claim.failedBefore |= claim.provider.store.cut.isRefusing();
            return claim.delegate.release();
        }
    },
    /** A connection comes back to the pool with an answer, and not with an error. */
    KEEPS_A_CONNECTION_WITH_EACH_ERROR {
        @Override
        public Attempt attempt(FaultyClaim claim) {
            if (claim.provider.errors.get() >= CONNECTIONS) {
                throw new LockStoreException("The pool has no free connection");
            }
            if (claim.provider.store.cut.isRefusing()) {
                claim.provider.errors.incrementAndGet();
            }
            return claim.delegate.attempt();
        }
    },
    /** A waiter that was answered with an error is crossed off the list of those that listen. */
    FORGETS_A_WAITER_AFTER_AN_ERROR {
        @Override
        public Attempt attempt(FaultyClaim claim) {
            claim.deaf |= claim.provider.store.cut.isRefusing();
            return claim.delegate.attempt();
        }
    };

    private static final int CONNECTIONS = 10;

    /** The answer of the store, or another one if that is an error. */
    private static <T> T answer(FaultyClaim claim, Supplier<T> call, Supplier<T> otherwise) {
        return claim.provider.store.cut.isRefusing() ? otherwise.get() : call.get();
    }
}
