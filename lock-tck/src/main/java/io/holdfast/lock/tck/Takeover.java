package io.holdfast.lock.tck;

import java.time.Duration;

/**
 * A change of holder, as the next holder saw it.
 *
 * @param watchedUntil when the last attempt was called that found the lock held
 * @param grantedAt when the grant had returned
 */
record Takeover(long watchedUntil, long grantedAt) {

    /**
     * Whether the lock was watched up to shortly before a moment and not granted before it.
     *
     * @throws AssertionError if it was granted before
     */
    boolean notBefore(long moment, Duration gap, String because) {
        if (grantedAt - moment < 0) {
            throw new CertainError("the lock was granted to another claim "
                    + Duration.ofNanos(moment - grantedAt).toMillis() + " ms too early: " + because);
        }
        return moment - watchedUntil < gap.toNanos();
    }
}
