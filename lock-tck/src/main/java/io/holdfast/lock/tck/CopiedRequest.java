package io.holdfast.lock.tck;

import io.holdfast.lock.spi.LockProvider;

/** What a copy of a request does, while the lock passes to another claim. */
interface CopiedRequest {
    Object by(LockProvider provider, DrivenClaim claim, int round);
}
