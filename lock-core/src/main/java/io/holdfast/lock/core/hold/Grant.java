package io.holdfast.lock.core.hold;

import io.holdfast.lock.core.claim.SerialClaim;
import io.holdfast.lock.core.lease.LeaseEnd;
import io.holdfast.lock.spi.Attempt;

/**
 * A claim that was granted.
 *
 * @param claim the claim
 * @param answer the store's answer
 * @param sentAt the reading of the clock just before the store was asked
 * @param end up to when the grant is certain
 */
public record Grant(SerialClaim claim, Attempt.Granted answer, long sentAt, LeaseEnd end) {}
