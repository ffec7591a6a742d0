package io.holdfast.lock.core.hold;

import io.holdfast.lock.FencingToken;
import io.holdfast.lock.core.claim.SerialClaim;
import io.holdfast.lock.core.lease.LeaseEnd;
import io.holdfast.lock.spi.Attempt;
import java.util.Optional;

/**
 * A claim that was granted.
 *
 * @param claim the claim
 * @param answer the store's answer
 * @param sentAt the reading of the clock just before the store was asked, for the grant or the latest renewal
 * @param end up to when the grant is certain
 * @param handOvers how often it may be passed on
 */
public record Grant(SerialClaim claim, Attempt.Granted answer, long sentAt, LeaseEnd end, HandOvers handOvers) {

    /**
     * The same claim for the next holder, with the next token.
     *
     * @param validity of the holder before
     */
    Grant passedOn(Validity validity) {
        Optional<FencingToken> next = answer.fencingToken().map(token -> new FencingToken(token.value() + 1));
        int tokens = Math.max(1, answer.tokens() - 1);
        return new Grant(
                claim,
                new Attempt.Granted(next, answer.validFor(), answer.storeTime(), tokens),
                validity.from(),
                validity.end(),
                handOvers.afterOne());
    }
}
