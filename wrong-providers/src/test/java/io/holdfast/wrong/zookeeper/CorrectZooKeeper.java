package io.holdfast.wrong.zookeeper;

import io.holdfast.lock.tck.LockHarness;
import io.holdfast.wrong.WrongProvider;

/** The providers on which the wrong ones are made: the controls, which the kit has to accept. */
public enum CorrectZooKeeper implements WrongProvider {
    /** The textbook's. */
    NO_FAULT(Opening.of(TextbookProvider::new)),
    /** The textbook's with tokens that can be raised. */
    NO_FAULT_AND_RAISABLE_TOKENS(Opening.of(RaisingProvider::new));

    @SuppressWarnings("ImmutableEnumChecker") // It keeps nothing: each call opens a provider.
    private final Opening opening;

    CorrectZooKeeper(Opening opening) {
        this.opening = opening;
    }

    @Override
    public LockHarness harness() {
        return TextbookHarness.of(opening);
    }
}
