package io.holdfast.wrong.zookeeper;

import io.holdfast.lock.tck.LockHarness;
import io.holdfast.wrong.WrongProvider;

/** The textbook's provider as it is: the control, which the kit has to accept. */
public enum CorrectZooKeeper implements WrongProvider {
    /** Has no fault. */
    NO_FAULT;

    @Override
    public LockHarness harness() {
        return TextbookHarness.of(Opening.of(TextbookProvider::new));
    }
}
