package io.holdfast.lock.tck;

import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockListener;

/** A listener with a bug. */
final class ThrowingListener implements LockListener {
    @Override
    public void acquired(LockEvent event) {
        throw new IllegalStateException("A listener of the kit throws on purpose");
    }
}
