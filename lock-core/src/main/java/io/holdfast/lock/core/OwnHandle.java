package io.holdfast.lock.core;

import io.holdfast.lock.LockHandle;

/** A handle as the engine sees it. */
interface OwnHandle extends LockHandle {

    /** Gives back a hold that its caller does not wait for any more: quietly, and in the background if the store is slow. */
    void discard();
}
