package io.holdfast.lock.core.hold;

import io.holdfast.lock.core.claim.SerialClaim;
import io.holdfast.lock.core.runtime.Nanos;
import io.holdfast.lock.spi.Attempt;

/**
 * A claim that was granted.
 *
 * @param claim the claim
 * @param answer the store's answer
 * @param sentAt the reading of the clock just before the store was asked
 */
public record Grant(SerialClaim claim, Attempt.Granted answer, long sentAt) {

    /** The reading of the clock up to which the grant is certain. */
    public long deadline() {
        return sentAt + Nanos.of(answer.validFor());
    }
}
