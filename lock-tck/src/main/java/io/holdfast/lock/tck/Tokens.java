package io.holdfast.lock.tck;

import io.holdfast.lock.FencingToken;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.UnsupportedCapabilityException;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.LockProvider;
import java.util.Optional;
import java.util.OptionalLong;

/** Reads and compares the fencing tokens of grants. */
final class Tokens {

    /** More than a token that is made of a clock, in nanoseconds or a longer unit, grows by in the meantime. */
    static final long MUCH = 1_000_000_000_000L;

    private Tokens() {}

    /** The token of a grant by a provider that declares fencing. */
    static long of(Attempt.Granted granted) {
        Optional<FencingToken> token = granted.fencingToken();
        return token.orElseThrow(() ->
                        new AssertionError("the provider declares fencing, but the grant has no token: " + granted))
                .value();
    }

    /** Fails if a token is not greater than one of an earlier grant: no stall explains that. */
    static void mustBeNewer(long token, long earlier, String because) {
        if (token <= earlier) {
            throw new CertainError("the token of a later grant must be greater, because " + because + ", but " + token
                    + " came after " + earlier);
        }
    }

    /** Has a claim take a lock, and leave it. Returns its token, and fails if that is not greater than the last one. */
    static long growing(long last, DrivenClaim claim) {
        long next = of(claim.mustBeGranted("nobody holds the lock any more"));
        mustBeNewer(next, last, "tokens grow with every grant");
        claim.release();
        return next;
    }

    /** What a provider says of the highest token; empty if it gives a reason why it cannot tell. */
    static OptionalLong highest(LockProvider provider) {
        try {
            return OptionalLong.of(provider.highestToken());
        } catch (UnsupportedCapabilityException refused) {
            Kit.mustGiveAReason(refused);
            return OptionalLong.empty();
        }
    }

    /** What the tokens of a store for tests alone were raised to, far above its clock; 0 if they cannot be raised. */
    static long raisedMuch(Kit kit, LockProvider provider) {
        // A store that has granted nothing yet may not know its clock's part in the tokens.
        kit.tryingOnce(provider, kit.newName()).mustPass("nobody holds the lock");
        try {
            long above = provider.highestToken() + MUCH;
            provider.raiseTokens(above);
            return above;
        } catch (UnsupportedCapabilityException | LockConfigurationException refused) {
            Kit.mustGiveAReason(refused);
            return 0;
        }
    }
}
