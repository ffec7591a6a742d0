package io.holdfast.lock.jdbc.table;

/**
 * What a release found.
 *
 * @param wasInForce whether the claim was in force
 * @param announced whether a message was sent to clients that wait
 */
public record ReleaseOutcome(boolean wasInForce, boolean announced) {

    /** There was no record of the claim. */
    static final ReleaseOutcome NO_RECORD = new ReleaseOutcome(false, false);
}
