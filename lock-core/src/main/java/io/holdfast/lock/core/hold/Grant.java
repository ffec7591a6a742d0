package io.holdfast.lock.core.hold;

import io.holdfast.lock.FencingToken;
import io.holdfast.lock.core.claim.SerialClaim;
import io.holdfast.lock.core.lease.LeaseEnd;
import java.util.Optional;

/**
 * A claim that was granted.
 *
 * @param claim the claim
 * @param fencingToken the first of the tokens that came with the grant
 * @param sentAt the reading of the clock just before the store was asked, for the grant or the latest renewal
 * @param end up to when the grant is certain
 * @param handOvers how often it may be passed on
 */
public record Grant(
        SerialClaim claim, Optional<FencingToken> fencingToken, long sentAt, LeaseEnd end, HandOvers handOvers) {}
