package io.holdfast.lock.core.hold;

import io.holdfast.lock.LockHandle;

/** A handle as the engine sees it. */
public interface OwnHandle extends LockHandle {

    /** Gives back a hold that its caller does not wait for any more: quietly, and in the background if the store is slow. */
    void discard();
}
