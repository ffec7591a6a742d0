package io.holdfast.wrong.text;

import io.holdfast.lock.tck.LockHarness;
import io.holdfast.wrong.WrongProvider;

/** A wrong text that was written by hand. */
interface HandWritten extends WrongProvider {

    /** The wrong text. */
    WrongText text();

    @Override
    default LockHarness harness() {
        return text().harness();
    }
}
